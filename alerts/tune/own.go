package tune

import (
	"math"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// Values is one series that somebody's own expression had: a number for each
// evaluation; Has says where there is one.
type Values struct {
	Labels []collector.Label
	Values []float64
	Has    []bool
}

// Own is the history of a person's own rule: of the values of
// collector.OwnRule.Query at times, ascending. It is judged by
// collector.OwnRule.Spec.
func Own(rule *collector.OwnRule, at []time.Time, series []Values) *History {
	h := &History{}
	nanos := make([]int64, len(at))
	for i, t := range at {
		nanos[i] = t.UnixNano()
	}
	for _, s := range series {
		c := Course{Target: named(rule, s.Labels), at: nanos, samples: make([]alerts.Sample, len(at))}
		for i := range c.samples {
			v := alerts.Sample{Value: math.NaN(), Traffic: math.Inf(1), Why: alerts.WhyNoData}
			switch {
			case i >= len(s.Values) || !s.Has[i]:
				if !rule.Tunable {
					v.Why = alerts.WhyFalse // no sample is what the expression says when it does not hold
				}
			case !rule.Tunable:
				v.Value, v.Why = 1, alerts.WhyNone
			default:
				v.Value, v.Why = s.Values[i], alerts.WhyNone
				if v.Value != v.Value {
					v.Why = alerts.WhyIdle
				}
			}
			c.samples[i] = v
		}
		h.Courses = append(h.Courses, c)
	}
	return h
}

// named is the target of a series: its labels but the metric's name.
func named(rule *collector.OwnRule, labels []collector.Label) collector.Target {
	var list []collector.Label
	for _, l := range labels {
		if l.Name != "__name__" {
			list = append(list, l)
		}
	}
	t := collector.NewTarget(collector.Hop, list...)
	if len(list) == 0 {
		t.Name = collector.Clean(rule.Name)
	}
	return t
}

package learn

import (
	"fmt"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// storm is the first time that a rule fired on a target, to the end of the last.
type storm struct {
	rule     string
	from, to time.Time // to is zero while it lasts
	open     int       // rules that fire
}

// sentence says which rule fires when: "payments: RetryAmplificationHigh fires
// 12:01:00Z to 12:35:00Z in this span; choose a calm one".
func (s storm) sentence(t collector.Target, end time.Time) string {
	clock := func(at time.Time) string {
		if day(at, end) {
			return collector.FormatClock(at.UTC())
		}
		return at.UTC().Format(time.DateOnly) + " " + collector.FormatClock(at.UTC())
	}
	when := "from " + clock(s.from) + " to its end"
	if !s.to.IsZero() {
		when = clock(s.from) + " to " + clock(s.to)
	}
	return fmt.Sprintf("%s: %s fires %s in this span; choose a calm one", collector.Clean(t.Name), s.rule, when)
}

// fires runs the rules over readings as they would be with other baselines, and
// returns the targets on which one fires.
func fires(readings []*collector.Reading, rules []collector.RuleSpec, b collector.Baselines) map[string]storm {
	type alert struct{ rule, target string }
	engine, firing, out := alerts.New(rules), map[alert]bool{}, map[string]storm{}
	for _, r := range readings {
		for _, e := range engine.Eval(rebased(r, b)) {
			key := alert{e.Rule, e.Target}
			s, known := out[e.Target]
			switch {
			case e.Target == collector.TotalID:
			case e.Kind == collector.EventFiring:
				if !known {
					s = storm{rule: e.Rule, from: e.At}
				}
				firing[key], s.to = true, time.Time{}
				s.open++
				out[e.Target] = s
			case e.Kind == collector.EventInactive && firing[key]:
				delete(firing, key)
				if s.open--; s.open == 0 {
					s.to = e.At
				}
				out[e.Target] = s
			}
		}
	}
	return out
}

// rebased is a reading whose ratios follow from other baselines. The reading
// itself stays as it is.
func rebased(r *collector.Reading, b collector.Baselines) *collector.Reading {
	out := *r
	out.Targets = make([]collector.Row, len(r.Targets))
	copy(out.Targets, r.Targets)
	for i := range out.Targets {
		row := &out.Targets[i]
		v := &row.Values
		if v[collector.Ingress].State == collector.Missing || v[collector.Downstream].State == collector.Missing {
			continue // its ratio was given as it is
		}
		row.Baseline = b.For(row.Target)
		v[collector.Amplification] = collector.Value{}
		if v[collector.Retries].State == collector.Missing {
			v[collector.RetryRate] = collector.Value{}
		}
		v.Derive(row.Baseline)
	}
	out.Total = collector.Total(out.Targets)
	return &out
}

package tune

import (
	"stormtop/collector"
)

// firing is one firing of a rule on a target, in places of its course.
type firing struct {
	pending, from int
	to            int // the evaluation at which it ended; the number of evaluations while it goes on
}

// runner is a rule's condition made ready for a loop: every comparison is a
// larger-than of numbers with a sign.
type runner struct {
	sign, threshold float64
	orEqual         bool
	floor           float64
	hold, keep      int64
}

func newRunner(spec *collector.RuleSpec) runner {
	r := runner{sign: 1, hold: int64(spec.For), keep: int64(spec.KeepFiring), floor: spec.MinTraffic}
	if spec.Compare == collector.Below || spec.Compare == collector.AtMost {
		r.sign = -1
	}
	r.orEqual = spec.Compare == collector.AtLeast || spec.Compare == collector.AtMost
	r.threshold = r.sign * spec.Threshold
	return r
}

// run steps Prometheus's state machine over a course, as alerts.Engine does,
// and appends the firings. A failed evaluation is not stepped.
func (r *runner) run(c *Course, out []firing) []firing {
	const (
		inactive = iota
		pending
		fires
	)
	state, active, lapse := inactive, 0, int64(-1)
	at := c.at[:len(c.samples)]
	for i := range c.samples {
		s := &c.samples[i]
		if s.Failed {
			continue
		}
		holds := false
		if r.floor > 0 && !(s.Traffic >= r.floor) {
			if s.LowFailed && s.Value == s.Value {
				continue
			}
		} else {
			x := r.sign * s.Value
			holds = x > r.threshold || r.orEqual && x == r.threshold
		}
		if holds {
			lapse = -1
			if state == inactive {
				state, active = pending, i
			}
			if state == pending && at[i]-at[active] >= r.hold {
				state = fires
				out = append(out, firing{pending: active, from: i, to: len(at)})
			}
			continue
		}
		if state == fires {
			if r.keep > 0 {
				if lapse < 0 {
					lapse = at[i]
				}
				if at[i]-lapse < r.keep {
					continue
				}
			}
			out[len(out)-1].to = i
		}
		state, lapse = inactive, -1
	}
	return out
}

// both are the times in which two rules fire together.
func both(a, b, out []firing) []firing {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		from, to := max(a[i].from, b[k].from), min(a[i].to, b[k].to)
		if from < to {
			out = append(out, firing{pending: from, from: from, to: to})
		}
		if a[i].to < b[k].to {
			i++
		} else {
			k++
		}
	}
	return out
}

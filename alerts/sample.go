package alerts

import (
	"math"

	"stormtop/collector"
)

// Sample is what one evaluation of a rule on a target is decided by, apart from
// what of the rule can be tuned: the threshold and the floor are compared with
// it later. See Sample.Holds.
type Sample struct {
	Value   float64 // what PromQL would see; NaN: nothing that could hold
	Traffic float64 // what the floor is compared with; +Inf: no floor applies
	Why     Why     // why Value is NaN; WhyNone where it is a number
	Low     Why     // why there is no verdict when Traffic is below the floor
	Failed  bool    // it could not be evaluated: the state stays as it is
	// LowFailed says the same of a sample whose Traffic is below the floor.
	LowFailed bool
}

// Holds says whether the rule's condition holds, and whether the evaluation
// failed, so that the state stays as it is.
func (s *Sample) Holds(spec *collector.RuleSpec) (result, failed bool) {
	switch {
	case s.Failed:
		return false, true
	case s.Value != s.Value:
		return false, false
	case spec.MinTraffic > 0 && !(s.Traffic >= spec.MinTraffic):
		return false, s.LowFailed
	}
	return spec.Compare.Holds(s.Value, spec.Threshold), false
}

// Reason is why the condition does not hold, or WhyTrue.
func (s *Sample) Reason(spec *collector.RuleSpec) Why {
	result, failed := s.Holds(spec)
	switch {
	case failed:
		return WhyFailed
	case result:
		return WhyTrue
	case s.Value != s.Value:
		return s.Why
	case spec.MinTraffic > 0 && !(s.Traffic >= spec.MinTraffic):
		return s.Low
	}
	return WhyFalse
}

// Sampler takes from readings what rules are decided by, so that they can be
// judged again with other thresholds without the readings. Its samples are
// those that an Engine with the same rules would judge.
type Sampler struct{ e *Engine }

// NewSampler makes a sampler. The thresholds, times and floors of the rules do
// not matter; rules made of two others and rules that are off have no samples.
func NewSampler(rules []collector.RuleSpec) *Sampler {
	s := &Sampler{New(rules)}
	for _, ru := range s.e.rules {
		ru.spec.MinTraffic = math.Inf(1) // so that floor says what it is when it is not reached
	}
	return s
}

// Read takes the next reading, and reports whether it was taken: one that is not
// later than the one before is ignored, as an Engine does.
func (s *Sampler) Read(r *collector.Reading) bool {
	e := s.e
	if r == nil || e.n > 0 && !r.At.After(e.at) {
		return false
	}
	e.n++
	e.at, e.last = r.At, r
	e.take(r)
	return true
}

// Sees reports whether a rule looks at a target.
func (s *Sampler) Sees(rule int, target *collector.Target) bool {
	ru := s.e.rules[rule]
	return ru.on && !ru.pair && ru.matches(target)
}

// Sample is that of a rule on a target in the last reading; row is nil where the
// target is not in it.
func (s *Sampler) Sample(rule int, target *collector.Target, row *collector.Row) Sample {
	e, ru := s.e, s.e.rules[rule]
	sys := e.total
	if target.ID != collector.TotalID {
		sys = e.systemOf(target)
	}
	out := Sample{Value: math.NaN(), Traffic: math.Inf(1)}
	if row == nil {
		return out.absent(&sys.sights[rule], collector.Missing)
	}
	v := row.Values[ru.spec.Signal]
	f, ok := v.Float()
	switch {
	case ratio(ru.spec.Signal) && fansOut(row):
		out.Why = WhyFanOut
	case !ok:
		return out.absent(&sys.sights[rule], v.State)
	case v.State == collector.Idle || f != f:
		out.Why = WhyIdle
	default:
		out.Value = f
		out.Low, _ = sys.floor(ru, row)
		out.LowFailed = out.Low == WhyFailed
		if out.Low != WhyNone {
			out.Traffic = traffic(ru, row)
		}
	}
	return out
}

// absent is the sample where there is none.
func (s Sample) absent(seen *sight, state collector.State) Sample {
	s.Why = WhyNoData
	if state == collector.Failed || seen.failed {
		s.Why, s.Failed = WhyFailed, true
	}
	return s
}

// traffic is the larger rate of those that the floor is compared with.
func traffic(ru *rule, row *collector.Row) float64 {
	most := math.Inf(-1)
	if f, ok := row.Values[collector.Downstream].Float(); ok && f > most {
		most = f
	}
	if ru.spec.Signal == collector.RetryRate {
		return most
	}
	if f, ok := row.Values[collector.Ingress].Float(); ok && f > most {
		most = f
	}
	return most
}

package alerts

import "stormtop/collector"

// verdict is what one evaluation of a rule on a target came to.
type verdict struct {
	value   collector.Value
	result  bool // the expression returned a sample: the condition holds
	failed  bool // it could not be evaluated: state stays as it is
	certain bool // it may change what is shown
	why     Why
}

// judge evaluates a rule on the values of one target; row is nil when the
// target is not in the reading.
func (e *Engine) judge(ru *rule, t *track, row *collector.Row) verdict {
	if row == nil {
		return e.absent(ru, t, collector.Value{Unit: ru.spec.Signal.Unit()})
	}
	v := row.Values[ru.spec.Signal]
	if ratio(ru.spec.Signal) && fansOut(row) {
		return verdict{value: v, why: WhyFanOut, certain: true}
	}
	out := verdict{value: v, certain: v.State != collector.Partial && !e.halved(ru, t, row, v)}
	f, ok := v.Float()
	if !ok {
		return e.absent(ru, t, v)
	}
	if v.State == collector.Idle {
		if out.why = WhyIdle; !out.certain {
			out.why = WhyPartial
		}
		return out
	}
	if ru.spec.MinTraffic > 0 {
		if why, sure := t.system.floor(ru, row); why != WhyNone {
			out.why, out.failed = why, why == WhyFailed
			out.certain = out.certain && sure
			return out
		}
	}
	switch out.result = ru.spec.Compare.Holds(f, ru.spec.Threshold); {
	case !out.certain:
		out.why = WhyPartial
	case out.result:
		out.why = WhyTrue
	default:
		out.why = WhyFalse
	}
	return out
}

// halved reports whether an infinite or idle ratio only seems so because one of
// its sides is partial.
func (e *Engine) halved(ru *rule, t *track, row *collector.Row, v collector.Value) bool {
	if !t.system.sights[ru.idx].holey || v.State != collector.Infinite && v.State != collector.Idle {
		return false
	}
	for _, n := range t.system.needs(ru.spec.Signal) {
		if row.Values[n].State == collector.Partial {
			return true
		}
	}
	return false
}

// absent is the verdict where there is no sample. It ends what was, and is
// shown to end it when the rest of the signal is there: a side of a system that
// is missing as a whole says nothing of any one target of it.
func (e *Engine) absent(ru *rule, t *track, v collector.Value) verdict {
	out, seen := verdict{value: v}, &t.system.sights[ru.idx]
	switch {
	case v.State == collector.Failed || seen.failed:
		out.value = v.With(collector.Failed)
		out.why, out.failed = WhyFailed, true
	case seen.holey:
		out.why = WhyPartial
	case seen.blind || e.returning(ru, t):
		out.why = WhyNoData
	default:
		out.why, out.certain = WhyNoData, true
	}
	return out
}

// returning reports whether a target that is held may still be on its way back:
// after a gap the targets do not return in one reading, and a rate needs its
// whole range.
func (e *Engine) returning(ru *rule, t *track) bool {
	en := t.entry(ru.idx)
	last := t.system.sights[ru.idx].blindLast
	if en == nil || !en.held || last.IsZero() || e.last == nil || e.last.Origin == nil {
		return false
	}
	return e.at.Sub(last) <= e.last.Origin.RateRange
}

// floor applies the rule's minimum traffic: WhyNone when it is reached, or when
// the system is asked for no traffic and has none, so that it cannot be applied.
func (s *system) floor(ru *rule, row *collector.Row) (why Why, certain bool) {
	in, down := row.Values[collector.Ingress], row.Values[collector.Downstream]
	if ru.spec.Signal == collector.RetryRate {
		in = collector.Value{}
	}
	i, inOK := in.Float()
	d, downOK := down.Float()
	switch {
	case inOK && i >= ru.spec.MinTraffic, downOK && d >= ru.spec.MinTraffic:
		return WhyNone, true
	case !s.hasTraffic() && !s.sides:
		return WhyNone, true
	case in.State == collector.Failed || down.State == collector.Failed:
		return WhyFailed, false
	case in.State == collector.Partial || down.State == collector.Partial:
		return WhyPartial, false
	case !inOK && !downOK:
		return WhyNoData, s.sidesThere(ru)
	case i == 0 && d == 0 && downOK && (inOK || ru.spec.Signal == collector.RetryRate):
		return WhyIdle, s.sidesThere(ru)
	}
	return WhyLowTraffic, s.sidesThere(ru)
}

// sidesThere reports whether no side that the floor needs is missing as a whole.
func (s *system) sidesThere(ru *rule) bool {
	if !s.hasTraffic() {
		return false // it is asked for them, and they have not come yet
	}
	if ru.spec.Signal != collector.RetryRate && s.lost(collector.Ingress) {
		return false
	}
	return !s.lost(collector.Downstream)
}

// lost reports whether a signal that was there before is missing as a whole.
func (s *system) lost(sig collector.Signal) bool {
	return s.seen[sig] && s.survey.sound(sig) == 0
}

package alerts

import "stormtop/collector"

// evalPairs judges the rules that are made of two others, after those.
func (e *Engine) evalPairs(t *track, row *collector.Row) {
	for _, ru := range e.rules {
		if !ru.on || !ru.pair || !t.matched(ru.idx) {
			continue
		}
		if t.entries != nil && t.anyLive() {
			e.apply(ru, t, e.judgePair(ru, t, row))
		}
		if row != nil {
			e.candidate(ru, t, row, verdict{why: WhyFalse})
		}
	}
}

// judgePair says whether both parts fire on the target. One part that surely
// does not fire decides, however little is known of the other.
func (e *Engine) judgePair(ru *rule, t *track, row *collector.Row) verdict {
	first := e.rules[ru.both[0]]
	out := verdict{result: true, certain: true, why: WhyTrue, value: e.valueOf(first, t, row)}
	for _, i := range ru.both {
		part := e.rules[i]
		v := verdict{why: WhyFalse, certain: true}
		if t.matched(i) {
			v = e.judge(part, t, row)
		}
		en := t.entry(i)
		state, sure := Inactive, v.certain
		if en.live() {
			state, sure = en.m.state, !en.held
		}
		if state != Firing {
			out.result = false
		}
		switch {
		case sure && state != Firing:
			why := v.why
			if why == WhyTrue {
				why = WhyFalse // pending: not firing yet
			}
			return verdict{value: out.value, certain: true, why: why}
		case !sure:
			out.certain, out.why = false, v.why
			if en.live() {
				out.why = en.heldWhy
			}
		}
	}
	return out
}

// valueOf is the value of a rule's signal in a row, missing when there is none.
func (e *Engine) valueOf(ru *rule, t *track, row *collector.Row) collector.Value {
	if row == nil {
		v := collector.Value{Unit: ru.spec.Signal.Unit()}
		if t.system.sights[ru.idx].failed {
			v.State = collector.Failed
		}
		return v
	}
	return row.Values[ru.spec.Signal]
}

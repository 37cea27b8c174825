package alerts

import (
	"slices"
	"time"

	"stormtop/collector"
)

// Statuses returns, for every rule that is on, the status of its worst target
// (also when it is inactive) and one for each further target that is not
// inactive in state or in what is shown, the worst first (Rank).
func (e *Engine) Statuses() []Status {
	out := make([]Status, 0, len(e.rules))
	for _, ru := range e.rules {
		if !ru.on {
			continue
		}
		n := len(out)
		for _, t := range e.live {
			if t.entry(ru.idx).live() {
				out = append(out, e.status(ru, t))
			}
		}
		if len(out) == n {
			out = append(out, e.status(ru, ru.worst))
		}
	}
	slices.SortStableFunc(out, Rank)
	return out
}

// For returns the statuses of all rules that are on and look at a target, in
// the order of the rules; none when the target is not known.
func (e *Engine) For(targetID string) []Status {
	t := e.tracks[targetID]
	if t == nil {
		return nil
	}
	var out []Status
	for _, ru := range e.rules {
		if ru.on && t.matched(ru.idx) {
			out = append(out, e.status(ru, t))
		}
	}
	return out
}

// status describes a rule on a target; t is nil when the rule has none.
func (e *Engine) status(ru *rule, t *track) Status {
	s := Status{Rule: ru.spec, Target: collector.Target{Name: "all"}}
	if t == nil {
		s.State, s.Shown, s.Why = Unknown, Unknown, e.unknownWhy(ru, nil)
		s.Value.Unit = ru.spec.Signal.Unit()
		return s
	}
	row := e.rowOf(t)
	s.Target = t.target
	v := e.verdictOf(ru, t, row)
	s.Value, s.Why = v.value, v.why
	if row != nil {
		s.Amplification = row.Values[collector.Amplification]
	}
	en := t.entry(ru.idx)
	if en.live() {
		s.State, s.Shown = max(en.m.state, Inactive), en.shown
		s.Held, s.HeldSince, s.HeldWhy = en.held, en.heldSince, en.heldWhy
		s.ActiveAt, s.FiredAt, s.Since = en.activeAt, en.firedAt, en.since
		s.AtLeast, s.Peak = en.atLeast || e.partsAtLeast(ru, t), en.peak
		return s
	}
	blind, since, why := e.blindness(ru, t)
	switch {
	case !t.everJudged(e, ru):
		s.State, s.Shown, s.Why = Unknown, Unknown, e.unknownWhy(ru, t)
		return s
	case blind:
		s.Held, s.HeldSince, s.HeldWhy = true, since, why
	}
	s.State, s.Shown = Inactive, Inactive
	if en != nil {
		s.Since = en.since
	}
	return s
}

// partsAtLeast reports whether the part of a pair that began to fire last may
// have done so earlier than was seen: then so may the pair.
func (e *Engine) partsAtLeast(ru *rule, t *track) bool {
	if !ru.pair {
		return false
	}
	var last *entry
	for _, p := range e.parts(ru) {
		if en := t.entry(p.idx); en.live() && (last == nil || en.firedAt.After(last.firedAt)) {
			last = en
		}
	}
	return last != nil && last.atLeast
}

func (e *Engine) verdictOf(ru *rule, t *track, row *collector.Row) verdict {
	if !ru.pair {
		return e.judge(ru, t, row)
	}
	return e.judgePair(ru, t, row)
}

// parts are the rules that a rule's verdict follows from: itself, or its two.
func (e *Engine) parts(ru *rule) []*rule {
	if !ru.pair {
		return []*rule{ru}
	}
	return []*rule{e.rules[ru.both[0]], e.rules[ru.both[1]]}
}

// blindness says whether the last reading left a rule without anything to be
// judged by in the system of a target, since when, and why.
func (e *Engine) blindness(ru *rule, t *track) (blind bool, since time.Time, why Why) {
	for _, p := range e.parts(ru) {
		if g := &t.system.sights[p.idx]; g.blind {
			return true, g.blindSince, g.blindWhy
		}
	}
	return false, time.Time{}, WhyNone
}

// unknownWhy says why a rule was never judged by the system of a target; t is
// nil when there is no target.
func (e *Engine) unknownWhy(ru *rule, t *track) Why {
	for _, p := range e.parts(ru) {
		s := e.systemsOf(p)[0]
		if t != nil {
			s = t.system
		}
		g := &s.sights[p.idx]
		switch why := s.unknownWhy(g); {
		case g.ever:
			continue
		case e.n == 0:
			return WhySoon
		case why == WhyNoData && s == e.nobody && e.total.anySeen():
			return WhyNotExported
		default:
			return why
		}
	}
	return WhyNoData
}

// Episodes returns the newest firings that have ended, oldest first, at most 500.
func (e *Engine) Episodes() []Episode {
	return slices.Clone(e.episodes[max(0, len(e.episodes)-maxEpisodes):])
}

// ClearSince is since when nothing has been shown as pending or firing: the
// first evaluation when nothing ever was, zero when something is, or when
// nothing could be judged yet.
func (e *Engine) ClearSince() time.Time { return e.clear }

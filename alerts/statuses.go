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
		s.State, s.Shown, s.Why = Unknown, Unknown, e.unknownWhy(ru)
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
		s.AtLeast, s.Peak = en.atLeast, en.peak
		return s
	}
	blind, since, why := e.blindness(ru)
	switch {
	case !e.everJudged(ru):
		s.State, s.Shown, s.Why = Unknown, Unknown, e.unknownWhy(ru)
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

func (e *Engine) everJudged(ru *rule) bool {
	for _, p := range e.parts(ru) {
		if !p.ever {
			return false
		}
	}
	return true
}

// blindness says whether the last reading left the rule without anything to be
// judged by, since when, and why.
func (e *Engine) blindness(ru *rule) (blind bool, since time.Time, why Why) {
	for _, p := range e.parts(ru) {
		if p.blind {
			return true, p.blindSince, p.blindWhy
		}
	}
	return false, time.Time{}, WhyNone
}

// unknownWhy says why a rule was never judged.
func (e *Engine) unknownWhy(ru *rule) Why {
	for _, p := range e.parts(ru) {
		switch {
		case p.ever:
			continue
		case e.n == 0 || !p.blind:
			return WhySoon
		case p.failed:
			return WhyFailed
		case e.anySeen():
			return WhyNotExported
		}
		return WhyNoData
	}
	return WhyNoData
}

func (e *Engine) anySeen() bool {
	for _, ok := range e.seen {
		if ok {
			return true
		}
	}
	return false
}

// Coverage says how many of the rules that are on could be judged by the last
// reading, and what was missing for the others.
func (e *Engine) Coverage() Coverage {
	var c Coverage
	for _, ru := range e.rules {
		if !ru.on || ru.pair {
			continue
		}
		c.Of++
		switch {
		case !ru.ever:
			c.Missing = append(c.Missing, Missing{Rule: ru.spec.Name, Signal: e.culprit(ru), Why: e.unknownWhy(ru)})
		case ru.blind:
			c.Missing = append(c.Missing, Missing{Rule: ru.spec.Name, Signal: e.culprit(ru), Why: ru.blindWhy})
		case ru.worst == nil:
			c.Missing = append(c.Missing, Missing{Rule: ru.spec.Name, Signal: ru.spec.Signal, Why: WhyNoData})
		default:
			c.Judged++
		}
	}
	return c
}

// culprit is the input without which a rule's signal is not there.
func (e *Engine) culprit(ru *rule) collector.Signal {
	s := &e.surveys[ru.spec.Scope]
	for _, n := range needs(ru.spec.Signal, e.seen[collector.Retries]) {
		if s.sound(n) == 0 {
			return n
		}
	}
	return ru.spec.Signal
}

// Episodes returns the newest firings that have ended, oldest first, at most 500.
func (e *Engine) Episodes() []Episode {
	return slices.Clone(e.episodes[max(0, len(e.episodes)-maxEpisodes):])
}

// ClearSince is since when nothing has been shown as pending or firing: the
// first evaluation when nothing ever was, zero when something is, or when
// nothing could be judged yet.
func (e *Engine) ClearSince() time.Time { return e.clear }

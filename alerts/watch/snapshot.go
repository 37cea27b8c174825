package watch

import (
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// Snapshot is everything a screen or a report shows at one instant. It is
// immutable. The zero Snapshot is that of a source which has not answered yet.
type Snapshot struct {
	Last *collector.Reading // the newest reading; nil before the first
	Good *collector.Reading // the newest reading in which anything could be read; Last when there was none

	History  collector.View
	Rules    []collector.RuleSpec
	Statuses []alerts.Status // worst first; see alerts.Engine.Statuses
	Coverage alerts.Coverage
	Episodes []alerts.Episode
	Events   []collector.Event // oldest first
	Marks    []collector.Mark  // oldest first

	// Order holds the indices of Good.Targets, worst first.
	Order []int
	// Worst is the worst row of Good: that of the worst active rule, without
	// values when its target has left Good, else its first target in Order; the
	// total when there are no targets, or when only a rule on the total is active.
	Worst collector.Row
	// Cause is the diagnosis of Worst; while blind, that of before.
	Cause alerts.Diagnosis

	BlindSince time.Time // zero: not blind
	Filled     time.Time // the newest reading that was filled in at start; zero: none was
	ClearSince time.Time // since when nothing is pending or firing; zero: something is, or nothing was judged
	Missed     int       // slots missed since the start

	anew        *anew
	beforeMarks []map[string]means // of Marks
	Final       bool               // nobody reads on: what failed is not tried again
}

// Snapshot takes a picture of the state after the last Add.
func (w *Watch) Snapshot() Snapshot {
	s := Snapshot{
		Last: w.last, Good: w.good, History: w.history.View(), Rules: w.rules,
		Statuses: w.engine.Statuses(), Coverage: w.engine.Coverage(), Episodes: w.engine.Episodes(),
		Events: w.events[:len(w.events):len(w.events)], Marks: w.marks, BlindSince: w.blind, Filled: w.filled,
		ClearSince: w.clearSince(), Missed: w.missed, anew: w.anew.picture(), beforeMarks: w.before,
	}
	if w.last != nil && w.last.Replayed() { // it may have been sent back: what comes later is not told yet
		n := until(s.Events, w.last.At)
		s.Events, s.Marks = s.Events[:n:n], s.Marks[:markUntil(s.Marks, w.last.At)]
	}
	if s.Good == nil {
		return s
	}
	s.Order = order(s.Good.Targets, s.Statuses, w.rules)
	s.Worst = s.worst()
	s.Cause = w.cause
	if w.blind.IsZero() {
		s.Cause = w.engine.Diagnose(s.Worst.Target.ID)
	}
	return s
}

// clearSince is since when nothing was seen pending or firing without a break:
// what happened while nothing could be read is not known to have been calm.
func (w *Watch) clearSince() time.Time {
	clear := w.engine.ClearSince()
	if !clear.IsZero() && clear.Before(w.sighted) {
		return w.sighted
	}
	return clear
}

// worst is the row of the worst active status, else of the first target in order.
func (s *Snapshot) worst() collector.Row {
	if len(s.Statuses) > 0 && s.Statuses[0].Active() {
		worst := s.Statuses[0].Target
		if row, ok := s.Good.Row(worst.ID); ok {
			return row
		}
		return collector.Row{Target: worst}
	}
	if len(s.Order) > 0 {
		return s.Good.Targets[s.Order[0]]
	}
	return s.Good.Total
}

// Firing counts the distinct targets on which a rule is shown as firing.
func (s Snapshot) Firing() int {
	seen := map[string]bool{}
	for _, st := range s.Statuses {
		if st.Shown == alerts.Firing {
			seen[st.Target.ID] = true
		}
	}
	return len(seen)
}

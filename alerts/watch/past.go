package watch

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"stormtop/collector"
)

// At is the picture of the newest reading that is not later than t, as far as it
// is remembered: values from the history, states from the events. A target that
// the history does not hold has no values, and a state whose beginning is
// forgotten is Unknown. History and Rules are those of s. ok is false when no
// reading is so old.
func (s Snapshot) At(t time.Time) (then Snapshot, ok bool) {
	i := s.reading(t)
	switch {
	case i < 0 || s.Good == nil || s.Last == nil:
		return Snapshot{}, false
	case i == s.History.Len()-1:
		return s, true
	}
	at := s.History.Time(i)
	was := s.replay(at)
	then = Snapshot{
		History: s.History, Rules: s.Rules, Filled: s.Filled, Final: true,
		Events: s.Events[:until(s.Events, at)], Marks: s.Marks[:markUntil(s.Marks, at)], beforeMarks: s.beforeMarks,
		BlindSince: was.blind, ClearSince: was.clear,
	}
	for _, e := range s.Episodes {
		if !e.Ended.After(at) {
			then.Episodes = append(then.Episodes, e)
		}
	}
	if was.blind.IsZero() {
		then.Last = s.past(i)
		then.Good = then.Last
	} else {
		then.Last = s.blindAt(at, was.why)
		then.Good = then.Last
		if k := s.reading(was.blind.Add(-1)); k >= 0 {
			then.Good = s.past(k)
		}
	}
	then.judge(was, s)
	then.Order = order(then.Good.Targets, then.Statuses, then.Rules)
	then.Worst = then.worst()
	then.Cause = then.diagnose(&s)
	return then, true
}

// reading is the place in the history of the newest reading that is not later
// than t, -1 when there is none.
func (s *Snapshot) reading(t time.Time) int { return s.History.Until(t) - 1 }

// until counts the events that are not later than t.
func until(events []collector.Event, t time.Time) int {
	return sort.Search(len(events), func(i int) bool { return events[i].At.After(t) })
}

// past is reading i of the history.
func (s *Snapshot) past(i int) *collector.Reading {
	r := &collector.Reading{At: s.History.Time(i), Origin: s.Good.Origin, Total: s.rowAt(&s.Good.Total, i)}
	gone := s.gone()
	r.Targets = make([]collector.Row, 0, len(s.Good.Targets)+len(gone))
	for k := range s.Good.Targets {
		r.Targets = append(r.Targets, s.rowAt(&s.Good.Targets[k], i))
	}
	if len(gone) == 0 {
		return r
	}
	for _, t := range gone {
		r.Targets = append(r.Targets, s.rowAt(&collector.Row{Target: t}, i))
	}
	slices.SortFunc(r.Targets, func(a, b collector.Row) int {
		return cmp.Or(strings.Compare(a.Target.Name, b.Target.Name), strings.Compare(a.Target.ID, b.Target.ID))
	})
	return r
}

// gone are the targets that are not there any more and of which the course and a
// firing are remembered.
func (s *Snapshot) gone() []collector.Target {
	var out []collector.Target
	add := func(t collector.Target) {
		if t.ID == collector.TotalID || !s.History.Has(t.ID) || slices.ContainsFunc(out, func(o collector.Target) bool { return o.ID == t.ID }) {
			return
		}
		if _, here := s.Good.Row(t.ID); !here {
			out = append(out, t)
		}
	}
	for i := range s.Episodes {
		add(s.Episodes[i].Target)
	}
	for i := range s.Statuses {
		if s.Statuses[i].Active() {
			add(s.Statuses[i].Target)
		}
	}
	return out
}

// rowAt is a row with its values at reading i. Its baseline is told where the
// numbers of that time agree with it: it may have been another one.
func (s *Snapshot) rowAt(now *collector.Row, i int) collector.Row {
	out := collector.Row{Target: now.Target, Values: s.History.Values(now.Target.ID, i)}
	if dividedBy(&out.Values, now.Baseline) {
		out.Baseline = now.Baseline
	}
	return out
}

// dividedBy reports whether a ratio is that of its sides by a baseline, or no
// numbers say otherwise.
func dividedBy(v *collector.Values, baseline float64) bool {
	in, okIn := v[collector.Ingress].Number()
	down, okDown := v[collector.Downstream].Number()
	ratio, ok := v[collector.Amplification].Number()
	if !ok || !okIn || !okDown || in == 0 || baseline == 0 {
		return true
	}
	is := down / in / baseline
	return is-ratio <= 1e-6*is && ratio-is <= 1e-6*is
}

// blindAt is a reading in which nothing could be read.
func (s *Snapshot) blindAt(at time.Time, why string) *collector.Reading {
	r := &collector.Reading{At: at, Origin: s.Last.Origin, Total: collector.Row{Target: s.Good.Total.Target}}
	for _, sig := range collector.Signals() {
		r.Total.Values[sig] = collector.Value{State: collector.Failed, Unit: sig.Unit()}
	}
	r.Failures = []collector.Failure{{Text: why}}
	return r
}

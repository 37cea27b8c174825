package main

import (
	"iter"
	"sort"
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
)

// rebuilt are the readings of a snapshot from an instant to another, as far as
// its history holds them: the values of the targets that it keeps, and when
// nothing could be read. Those before the first of them by which a rule can have
// come to its state are told as filled in.
func rebuilt(s watch.Snapshot, from, to time.Time) iter.Seq[*collector.Reading] {
	v := s.History
	return stretchOf(s, placeOf(v, from.Add(-memoryOf(s.Rules))), placeOf(v, from), to)
}

// remembered are all readings that a snapshot holds, as filled in.
func remembered(s watch.Snapshot) iter.Seq[*collector.Reading] {
	if s.Last == nil {
		return stretchOf(s, 0, 0, time.Time{})
	}
	return stretchOf(s, 0, s.History.Len(), s.Last.At)
}

// stretchOf are the readings from the one at lead on up to an instant; those
// before the one at first are told as filled in.
func stretchOf(s watch.Snapshot, lead, first int, to time.Time) iter.Seq[*collector.Reading] {
	if s.Good == nil {
		return func(func(*collector.Reading) bool) {}
	}
	v := s.History
	b := builder{s: &s, targets: v.Targets(), total: s.Good.Total.Target, baselines: map[string]float64{}}
	b.baselines[collector.TotalID] = s.Good.Total.Baseline
	for i := range s.Good.Targets {
		b.baselines[s.Good.Targets[i].Target.ID] = s.Good.Targets[i].Baseline
	}
	b.lost(s.Events)
	return func(yield func(*collector.Reading) bool) {
		past := true
		for i := lead; i < v.Len() && !v.Time(i).After(to); i++ {
			r := b.reading(i)
			past = past && i < first && !r.Blind() // what is filled in does not tell that the view was lost
			r.Past = past
			if !yield(r) {
				return
			}
		}
	}
}

// memoryOf is how long before an instant a rule may have to look to come to its
// state.
func memoryOf(rules []collector.RuleSpec) time.Duration {
	var most time.Duration
	for _, r := range rules {
		if !r.Off {
			most = max(most, r.For+r.KeepFiring)
		}
	}
	return most + time.Minute
}

// placeOf is the first reading of a view that is not before t.
func placeOf(v collector.View, t time.Time) int {
	return sort.Search(v.Len(), func(i int) bool { return !v.Time(i).Before(t) })
}

// builder makes readings of what a snapshot remembers of them.
type builder struct {
	s         *watch.Snapshot
	targets   []collector.Target
	total     collector.Target
	baselines map[string]float64 // by Target.ID, as they are now
	blind     []stretch
	gaps      map[int64]bool // the readings that came after missed slots
}

// stretch is a time in which nothing could be read.
type stretch struct {
	from, to time.Time // to is when that was over; zero: it is not
	why      string
}

// lost finds when nothing could be read, and when readings were missed.
func (b *builder) lost(events []collector.Event) {
	b.gaps = map[int64]bool{}
	for _, e := range events {
		switch e.Kind {
		case collector.EventBlind:
			b.blind = append(b.blind, stretch{from: e.At, why: e.Text})
		case collector.EventSighted:
			if n := len(b.blind); n > 0 {
				b.blind[n-1].to = e.At
			}
		case collector.EventGap:
			b.gaps[e.At.UnixNano()] = true
		}
	}
}

// reading is reading i of the history. Of the newest one everything is known.
func (b *builder) reading(i int) *collector.Reading {
	v, last := b.s.History, b.s.Last
	at := v.Time(i)
	r := &collector.Reading{At: at, Origin: b.s.Good.Origin, Total: b.row(b.total, i), Overload: v.Overload(i)}
	r.Targets = make([]collector.Row, 0, len(b.targets))
	for _, t := range b.targets {
		if row := b.row(t, i); known(&row.Values) {
			r.Targets = append(r.Targets, row)
		}
	}
	if at.Equal(last.At) {
		r.Origin, r.Newest, r.Cost, r.Missed = last.Origin, last.Newest, last.Cost, last.Missed
		r.Failures, r.Warnings, r.Reporters, r.Asked = last.Failures, last.Warnings, last.Reporters, last.Asked
		return r
	}
	for _, s := range b.blind {
		if !at.Before(s.from) && (s.to.IsZero() || at.Before(s.to)) {
			r.Failures = []collector.Failure{{Kind: collector.Unreachable, Text: s.why}}
		}
	}
	if i > 0 && b.gaps[at.UnixNano()] {
		r.Missed = 1
		if step := r.Origin.Interval; step > 0 {
			r.Missed = max(int(at.Sub(v.Time(i-1))/step)-1, 1)
		}
	}
	return r
}

// row is a target with its values at reading i. Its baseline is that of now,
// where the ratio of that time agrees with it.
func (b *builder) row(t collector.Target, i int) collector.Row {
	row := collector.Row{Target: t, Values: b.s.History.Values(t.ID, i)}
	again := row.Values
	again[collector.Amplification] = collector.Value{}
	again.Derive(b.baselines[t.ID])
	is, ok := row.Values[collector.Amplification].Number()
	if would, known := again[collector.Amplification].Number(); !ok || !known || abs(would-is) <= 1e-6*is {
		row.Baseline = b.baselines[t.ID]
	}
	return row
}

func abs(f float64) float64 { return max(f, -f) }

// known reports whether anything is said of a target.
func known(v *collector.Values) bool {
	for i := range v {
		if v[i].State != collector.Missing {
			return true
		}
	}
	return false
}

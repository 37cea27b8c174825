package tune

import (
	"slices"
	"time"
)

// tally counts firings against incidents. It can be used again and again
// without allocating.
type tally struct {
	incidents []span
	begun     int // the first of them, which nothing but false alarm is judged by
	grace     int64
	firing    int64   // nanoseconds of firing
	wrong     int64   // of those outside of incidents and grace
	leads     []int64 // by incident, those that began before left out; -1: missed
}

func newTally(h *History, grace time.Duration) tally {
	t := tally{grace: int64(grace), begun: len(h.Begun), leads: make([]int64, len(h.Incidents))}
	for _, list := range [][]Incident{h.Begun, h.Incidents} {
		for _, i := range list {
			t.incidents = append(t.incidents, span{i.From.UnixNano(), i.To.UnixNano()})
		}
	}
	return t
}

// reaches reports whether a firing still fired at a time. At its end it does not:
// that is the evaluation which ended it.
func (s span) reaches(at int64) bool { return s.to > at || s.from == at }

// count counts spans, which are in order and apart.
func (t *tally) count(spans []span) {
	t.firing, t.wrong = 0, 0
	for i := range t.leads {
		t.leads[i] = -1
	}
	first := 0
	for _, s := range spans {
		t.firing += s.to - s.from
		for first < len(t.incidents) && t.incidents[first].to+t.grace < s.from {
			first++
		}
		at := s.from // up to here it is known what was wrong
		for i := first; i < len(t.incidents) && t.incidents[i].from <= s.to; i++ {
			in := &t.incidents[i]
			if k := i - t.begun; k >= 0 && t.leads[k] < 0 && s.from <= in.to && s.reaches(in.from) {
				t.leads[k] = max(s.from-in.from, 0)
			}
			if in.from > at {
				t.wrong += in.from - at
			}
			at = max(at, in.to+t.grace)
		}
		if s.to > at {
			t.wrong += s.to - at
		}
	}
}

// apart reports whether a firing began and ended without an incident near it.
func (t *tally) apart(e *Episode) bool {
	s := span{e.Firing.UnixNano(), e.Ended.UnixNano()}
	if e.Ended.IsZero() {
		s.to = 1<<63 - 1
	}
	return !slices.ContainsFunc(t.incidents, func(i span) bool { return s.from <= i.to+t.grace && s.reaches(i.from) })
}

// union puts spans in order and joins those that overlap or touch, in place.
func union(list []span) []span {
	if !slices.IsSortedFunc(list, compareSpans) {
		slices.SortFunc(list, compareSpans)
	}
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

func compareSpans(a, b span) int {
	switch {
	case a.from < b.from:
		return -1
	case a.from > b.from:
		return 1
	}
	return 0
}

// leads sums up the times from the start of incidents to the firing, -1 where
// there was none: how many were found, the longest and the median.
func leads(list []int64) (found int, longest, median time.Duration) {
	known := make([]int64, 0, 64)
	for _, l := range list {
		if l >= 0 {
			known = append(known, l)
		}
	}
	if len(known) == 0 {
		return 0, 0, 0
	}
	slices.Sort(known)
	return len(known), time.Duration(known[len(known)-1]), time.Duration(known[len(known)/2])
}

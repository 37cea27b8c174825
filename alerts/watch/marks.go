package watch

import (
	"slices"
	"sort"
	"time"

	"stormtop/collector"
)

// maxMarks bounds the marks that are kept; an even number, so that those that
// are left bound the same incidents.
const maxMarks = 1000

// Incident is a stretch of time that somebody bounded with two marks.
type Incident struct{ From, To collector.Mark }

// Incidents are the stretches between the first and the second mark, the third
// and the fourth, and so on. A last mark without another one bounds none yet.
func (s Snapshot) Incidents() []Incident {
	out := make([]Incident, 0, len(s.Marks)/2)
	for i := 0; i+1 < len(s.Marks); i += 2 {
		out = append(out, Incident{s.Marks[i], s.Marks[i+1]})
	}
	return out
}

// mark enters a mark by its time, with what was before it, in fresh lists:
// snapshots share the old ones.
func (w *Watch) mark(m collector.Mark) {
	at := markUntil(w.marks, m.At)
	w.marks = slices.Insert(slices.Clone(w.marks), at, m)
	w.before = slices.Insert(slices.Clone(w.before), at, w.meansBefore(m.At))
	if len(w.marks) > maxMarks {
		w.marks, w.before = w.marks[2:], w.before[2:]
	}
}

// meansBefore are those of all targets whose course is kept.
func (w *Watch) meansBefore(at time.Time) map[string]means {
	out := map[string]means{}
	v := w.history.View()
	if v.Len() == 0 {
		return out
	}
	out[collector.TotalID] = meansOf(v, collector.TotalID, at)
	for _, t := range v.Targets() {
		out[t.ID] = meansOf(v, t.ID, at)
	}
	return out
}

// markUntil counts the marks that are not later than t.
func markUntil(marks []collector.Mark, t time.Time) int {
	return sort.Search(len(marks), func(i int) bool { return marks[i].At.After(t) })
}

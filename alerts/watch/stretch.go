package watch

import (
	"iter"
	"time"

	"stormtop/collector"
)

// Readings are the readings of the history, oldest first, as far as they are
// remembered: of the targets that the history holds. A reading in which nothing
// could be read is one that failed. It is what a rule is tuned on; making one
// costs as much as looking back on it (At).
func (s Snapshot) Readings() iter.Seq[*collector.Reading] {
	return func(yield func(*collector.Reading) bool) {
		if s.Good == nil || s.Last == nil {
			return
		}
		events, next := s.course(), 0
		var blind time.Time
		why := ""
		for i := range s.History.Len() {
			at := s.History.Time(i)
			for ; next < len(events) && !events[next].At.After(at); next++ {
				switch e := events[next]; e.Kind {
				case collector.EventBlind:
					if e.At.After(s.Filled) {
						blind, why = e.At, e.Text
					}
				case collector.EventSighted:
					blind, why = time.Time{}, ""
				}
			}
			r := (*collector.Reading)(nil)
			if blind.IsZero() {
				r = s.past(i)
				r.Targets = there(r.Targets)
			} else {
				r = s.blindAt(at, why)
			}
			if !yield(r) {
				return
			}
		}
	}
}

// there leaves out the rows of targets that were not in the reading: that none
// of them has a value says so.
func there(rows []collector.Row) []collector.Row {
	out := rows[:0]
	for i := range rows {
		for s := range rows[i].Values {
			if rows[i].Values[s].State != collector.Missing {
				out = append(out, rows[i])
				break
			}
		}
	}
	return out
}

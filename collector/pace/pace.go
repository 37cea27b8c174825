// Package pace says when a source that measures something reads it: at slots
// that all watchers share, with rates over a range that suits the samples, and
// less often while nothing comes.
package pace

import "time"

// Clock tells the time and waits. The program passes the wall clock, tests one
// of their own. After behaves as time.After. It must be safe for concurrent use.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

// Jump is how far a clock may be off what is expected before it counts as set,
// or the machine as having slept.
const Jump = 30 * time.Second

// Slot is the slot of an interval (above 0) that t lies in: slots are multiples
// of the interval since 1970, so that every watcher evaluates at the same instants.
func Slot(t time.Time, interval time.Duration) time.Time {
	n, step := t.UnixNano(), int64(interval)
	return time.Unix(0, n-((n%step)+step)%step).UTC()
}

// From is the first slot that is not before t; zero where t is.
func From(t time.Time, interval time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return Slot(t.Add(interval-1), interval)
}

// Next is the slot after last, or a later one: the present one, and none before
// due. The slots in between are left out for good; missed counts them.
func Next(last, now, due time.Time, interval time.Duration) (slot time.Time, missed int) {
	first := Slot(last, interval).Add(interval)
	slot = first
	for _, later := range []time.Time{Slot(now, interval), From(due, interval)} {
		if later.After(slot) {
			slot = later
		}
	}
	return slot, int(slot.Sub(first) / interval)
}

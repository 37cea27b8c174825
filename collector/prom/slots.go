package prom

import (
	"slices"
	"time"
)

// slotAt is the slot of an interval that t lies in: slots are multiples of the
// interval since 1970, so that every watcher evaluates at the same instants.
func slotAt(t time.Time, interval time.Duration) time.Time {
	n := t.UnixNano()
	step := int64(interval)
	return time.Unix(0, n-((n%step)+step)%step).UTC()
}

// nextSlot is the slot after last, or the present one where that is later.
// missed counts the slots in between that are left out for good.
func nextSlot(last, now time.Time, interval time.Duration) (slot time.Time, missed int) {
	slot = slotAt(last, interval).Add(interval)
	if present := slotAt(now, interval); present.After(slot) {
		missed = int(present.Sub(slot) / interval)
		slot = present
	}
	return slot, missed
}

// median is the middle one of some numbers, which are put in order; 0 of none.
func median(n []int64) int64 {
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	return n[len(n)/2]
}

package scrape

import (
	"context"
	"time"
)

// jump is how far back the clock may be set before everything begins anew.
const jump = 30 * time.Second

// slotAt is the slot of an interval that t lies in: slots are multiples of the
// interval since 1970.
func slotAt(t time.Time, interval time.Duration) time.Time {
	n, step := t.UnixNano(), int64(interval)
	return time.Unix(0, n-((n%step)+step)%step).UTC()
}

// slotFor is the first slot that is not before t; zero where t is.
func slotFor(t time.Time, interval time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return slotAt(t.Add(interval-1), interval)
}

// slot is the next slot to scrape at, and how many are left out before it. ok is
// false while every endpoint waits to be asked for.
func (s *Source) slot(now time.Time) (slot time.Time, missed int, ok bool) {
	step := s.cfg.Interval
	if s.last.IsZero() {
		return slotAt(now, step), 0, true
	}
	slot = s.last.Add(step)
	due, ok := s.earliest()
	if later := slotFor(due, step); later.After(slot) {
		missed, slot = int(later.Sub(slot)/step), later
	}
	if present := slotAt(now, step); present.After(slot) {
		missed, slot = missed+int(present.Sub(slot)/step), present
	}
	return slot, missed, ok
}

// earliest is when the first endpoint may be asked again.
func (s *Source) earliest() (due time.Time, ok bool) {
	for _, e := range s.endpoints {
		if !e.blocked && (!ok || e.due.Before(due)) {
			due, ok = e.due, true
		}
	}
	return due, ok
}

// await blocks until the next slot has come.
func (s *Source) await(ctx context.Context) (time.Time, int, error) {
	for {
		now := s.cfg.Clock.Now()
		if !s.at.IsZero() && now.Before(s.at.Add(-jump)) {
			s.restart()
		}
		slot, missed, ok := s.slot(now)
		var alarm <-chan time.Time
		if ok {
			d := slot.Sub(now)
			if d <= 0 {
				return slot, missed, ctx.Err()
			}
			alarm = s.cfg.Clock.After(d)
		}
		select {
		case <-ctx.Done():
			return slot, 0, ctx.Err()
		case <-s.retry:
			for _, e := range s.endpoints {
				e.blocked, e.due = false, time.Time{}
				e.back = backoff{}
			}
		case <-alarm:
		}
	}
}

// restart forgets all samples, after the clock was set back: they would lie in
// the future.
func (s *Source) restart() {
	ranges := s.store.ranges
	s.store = newStore(len(s.endpoints), s.cfg.MaxSeries)
	s.store.ranges = ranges
	s.last, s.at, s.newest, s.begins = time.Time{}, time.Time{}, time.Time{}, true
	for _, e := range s.endpoints {
		e.due = time.Time{}
	}
}

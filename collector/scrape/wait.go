package scrape

import (
	"context"
	"time"

	"stormtop/collector/pace"
)

// maxBackoff is the longest wait for an endpoint that fails: short, since one
// that restarts in the middle of an incident is what people look for.
const maxBackoff = 15 * time.Second

// slot is the next slot to scrape at, and how many are left out before it. ok is
// false while every endpoint waits to be asked for.
func (s *Source) slot(now time.Time) (slot time.Time, missed int, ok bool) {
	step := s.cfg.Interval
	if s.last.IsZero() {
		return pace.Slot(now, step), 0, true
	}
	due, ok := s.earliest()
	slot, missed = pace.Next(s.last, now, due, step)
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
		if !s.at.IsZero() && now.Before(s.at.Add(-pace.Jump)) {
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
				e.back.Reset()
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

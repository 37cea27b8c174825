package prom

import (
	"context"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
)

const (
	maxBackoff = time.Minute      // between tries that fail
	lookAgain  = 30 * time.Second // after nothing was found, and sooner the first few times
	lookSoon   = 5 * time.Second
)

// now is the time by the server's clock.
func (s *Source) now() time.Time { return s.cfg.Clock.Now().Add(s.drift) }

// looking is the time at which systems and their series are looked at.
func (s *Source) looking() time.Time {
	if s.asOf.IsZero() {
		return s.now()
	}
	return s.asOf
}

// base is the interval before it is stretched.
func (s *Source) base() time.Duration {
	if s.cfg.Interval > 0 {
		return s.cfg.Interval
	}
	if !s.connected {
		return firstInterval
	}
	return chooseInterval(s.spacing)
}

func (s *Source) interval() time.Duration { return s.load.interval(s.base()) }

// rate is the range of the rates.
func (s *Source) rate() time.Duration {
	if s.cfg.Rate > 0 {
		return s.cfg.Rate
	}
	return pace.RateRange(s.spacing)
}

// slot is the next slot to poll at, by what is known now.
func (s *Source) slot() (slot time.Time, missed int) {
	step := s.interval()
	if s.last.IsZero() {
		return pace.Slot(s.now(), step), 0
	}
	return pace.Next(s.last, s.now(), s.wait, step)
}

// await blocks until the next slot has come.
func (s *Source) await(ctx context.Context) (time.Time, int, error) {
	for {
		s.checkClock(ctx)
		slot, missed := s.slot()
		d := slot.Sub(s.now())
		if !s.blocked && d <= 0 {
			return slot, missed, ctx.Err()
		}
		var alarm <-chan time.Time
		if !s.blocked {
			alarm = s.cfg.Clock.After(d)
		}
		select {
		case <-ctx.Done():
			return slot, 0, ctx.Err()
		case <-s.retry:
			s.unblock()
		case <-s.wake:
			if s.grant(); s.begins {
				return pace.Slot(s.now(), s.interval()), 0, ctx.Err()
			}
		case <-alarm:
			s.expect = slot
		}
	}
}

// checkClock looks for a clock that has jumped: this machine was asleep, or
// somebody set it. What was known of the difference to the server's clock may
// be wrong then, so it is measured anew; where that fails, time goes on as
// expected rather than back, for readings must.
func (s *Source) checkClock(ctx context.Context) {
	off := s.now().Sub(s.expect)
	if s.expect.IsZero() || !s.connected || off.Abs() <= pace.Jump {
		return
	}
	if fail := s.connect(ctx, &collector.Reading{}); fail != nil && off < 0 {
		s.drift -= off
	}
	s.expect = s.now()
}

// unblock lets everything be tried at the next slot.
func (s *Source) unblock() {
	s.blocked, s.wait = false, time.Time{}
	s.back.Reset()
	for _, sys := range s.systems {
		sys.unblock()
	}
}

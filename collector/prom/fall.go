package prom

import (
	"time"

	"stormtop/collector"
)

// fall makes r the reading of a slot at which nothing could be read.
func (s *Source) fall(r *collector.Reading, f *failure) {
	if !s.down {
		s.tries = 0
	}
	s.down = true
	s.tries++
	var retry time.Time
	switch f.kind {
	case collector.Forbidden, collector.TooLarge:
		s.blocked = true
	case collector.NothingFound:
		s.down = false
		s.wait = r.At.Add(min(lookSoon<<min(s.empty, 10), lookAgain))
		s.empty++
	default:
		s.wait = s.now().Add(max(f.wait, s.back.next(s.interval(), s.cfg.Rand())))
	}
	if !s.blocked {
		retry, _ = s.slotAfter(r.At)
	}
	sh := newSheet(s.plan, len(s.known))
	for _, sig := range s.plan.signals {
		sh.fail(sig)
		s.signals[sig].due = time.Time{}
	}
	for _, t := range s.known {
		sh.targetRow(t)
	}
	r.Targets, r.Total = sh.finish(ages{}, s.cfg.Baseline)
	if s.plan.detect {
		for _, sig := range collector.Signals() {
			r.Total.Values[sig].State = collector.Failed
		}
	}
	r.Newest = oldest(s.newest)
	r.Failures = append([]collector.Failure{{Kind: f.kind, Text: f.text, Retry: retry}}, r.Failures...)
}

// slotAfter is the slot that follows a poll at the given one.
func (s *Source) slotAfter(at time.Time) (time.Time, int) {
	last := s.last
	s.last = at
	slot, missed := s.slot()
	s.last = last
	return slot, missed
}

// rise notes that something could be read.
func (s *Source) rise() {
	s.down = false
	s.wait = time.Time{}
	s.back.reset()
}

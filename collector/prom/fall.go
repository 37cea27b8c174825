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
	c := conditions{baselines: s.dividing()}
	s.assemble(r, func(sys *system) ([]collector.Row, collector.Row) {
		sh := sys.sheet()
		for _, sig := range sys.plan.signals {
			sh.fail(sig)
			sys.signals[sig].due = time.Time{}
		}
		for _, t := range sys.known {
			sh.targetRow(t)
		}
		r.Newest = oldest(r.Newest, oldest(sys.newest[0], sys.newest[1]))
		blank := sh.blank(c)
		rows, _ := sh.finish(c)
		return rows, blank
	})
	if s.systems == nil {
		for _, sig := range collector.Signals() {
			r.Total.Values[sig].State = collector.Failed
		}
	}
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

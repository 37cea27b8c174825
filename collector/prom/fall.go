package prom

import (
	"time"

	"stormtop/collector"
	"stormtop/collector/measure"
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
		s.wait = s.now().Add(max(f.wait, s.back.Next(s.interval(), maxBackoff, s.cfg.Rand())))
	}
	if !s.blocked {
		retry, _ = s.slotAfter(r.At)
	}
	c := conditions{baselines: *s.dividing()}
	s.assemble(r, func(sys *system) measure.Part {
		sh := sys.sheet()
		for _, sig := range sys.plan.Signals {
			sh.fail(sig)
			sys.signals[sig].due = time.Time{}
		}
		for _, t := range sys.known {
			sh.rows.Row(t)
		}
		r.Newest = oldest(r.Newest, oldest(sys.newest[0], sys.newest[1]))
		part, _ := sh.finish(c)
		return part
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
	s.back.Reset()
}

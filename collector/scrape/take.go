package scrape

import (
	"context"
	"fmt"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
)

// take makes the reading of a slot, whatever happens. The error is the context's.
func (s *Source) take(ctx context.Context, slot time.Time) (*collector.Reading, error) {
	var due []int
	for i, e := range s.endpoints {
		if !e.blocked && !e.due.After(slot) {
			due = append(due, i)
		}
	}
	at := s.cfg.Clock.Now().UnixMilli()
	if !s.at.IsZero() {
		at = max(at, s.at.UnixMilli()+1)
	}
	results := s.fetch(ctx, due)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, res := range results {
		at = max(at, res.at)
	}
	r := &collector.Reading{At: time.UnixMilli(at).UTC()}
	s.absorb(results, r, slot)
	wish, baselines := s.orders()
	if s.choose(wish, at) {
		s.begins = true
	}
	switch fail := s.nothing(r); {
	case fail != nil:
		s.blind(r, fail, baselines)
	default:
		s.read(r, at, baselines)
	}
	s.describe(r, baselines)
	if s.last.IsZero() && r.At.Sub(slot) > s.cfg.Interval/2 {
		slot = slot.Add(s.cfg.Interval) // so that the first two are not too close for a rate
	}
	s.at, s.last, s.begins = r.At, slot, false
	return r, nil
}

// absorb takes in what the endpoints answered and says when those that did not
// are asked again.
func (s *Source) absorb(results []scraped, r *collector.Reading, slot time.Time) {
	for _, res := range results {
		e := s.endpoints[res.endpoint]
		r.Cost.Queries += res.cost.Queries
		r.Cost.Bytes += res.cost.Bytes
		r.Cost.Took += res.cost.Took
		if e.fail = res.fail; e.fail == nil {
			e.answered, e.due = true, time.Time{}
			e.back.Reset()
			s.store.put(res.endpoint, e.instance, res.at, res.families)
			s.newest = time.UnixMilli(max(s.newest.UnixMilli(), res.at)).UTC()
			continue
		}
		switch e.fail.kind {
		case collector.Forbidden, collector.TooLarge:
			e.blocked = true
		default:
			wait := max(s.cfg.Interval, e.fail.wait, e.back.Next(s.cfg.Interval, maxBackoff, s.cfg.Rand()))
			e.due = slot.Add(wait)
		}
	}
	for i, e := range s.endpoints {
		if e.fail == nil {
			continue
		}
		s.store.end(i, r.At.UnixMilli())
		r.Warnings = append(r.Warnings, e.fail.text+again(s.again(e, slot)))
	}
	if n := s.store.refused; n > 0 {
		s.store.refused = 0
		r.Warnings = append(r.Warnings, fmt.Sprintf("there are more than %d series: %d are not read, so that numbers may be too small; name fewer endpoints in --scrape", s.cfg.MaxSeries, n))
	}
}

// again is the end of the sentence about an endpoint.
func again(at time.Time) string {
	if at.IsZero() {
		return "; it is not asked again before you say so"
	}
	return "; asked again at " + collector.FormatClock(at)
}

// again is the slot at which an endpoint is asked again, zero: not before
// somebody says so.
func (s *Source) again(e *endpoint, slot time.Time) time.Time {
	if e.blocked {
		return time.Time{}
	}
	next := slot.Add(s.cfg.Interval)
	if later := pace.From(e.due, s.cfg.Interval); later.After(next) {
		return later
	}
	return next
}

package prom

import (
	"context"
	"time"

	"stormtop/collector"
)

// Source reads a Prometheus. It implements collector.Source and
// collector.Retrier; Open makes it.
type Source struct {
	cfg   Config
	q     *querier
	plan  *plan
	retry chan struct{} // holds one token while somebody asked to try again

	started   time.Time // when the first progress was told
	connected bool
	drift     time.Duration // the server's clock minus ours
	spacing   time.Duration // of the samples, 0 while not known
	observed  time.Time     // when drift and spacing were last looked at
	looks     int           // how often in a row that brought no spacing
	seen      bool          // a reading that is not empty was taken

	last    time.Time // At of the reading before, zero at start
	expect  time.Time // what the server's clock should read when it is looked at next
	wait    time.Time // nothing is sent before, by the server's clock
	blocked bool      // nothing is sent before somebody asks
	down    bool      // the poll before brought nothing at all
	tries   int       // polls since it is down
	empty   int       // polls that found nothing known
	back    backoff
	load    stretch

	signals [collector.NumSignals]health
	age     [2]health    // of the age queries of the two sides
	newest  [2]time.Time // the newest sample of each side that was ever seen
	known   []collector.Target
	origin  *collector.Origin

	past  *past              // readings from before the start that are not yet handed out
	ready *collector.Reading // the live reading behind them
}

// health is how one query fares when others are well.
type health struct {
	back    backoff
	due     time.Time // not sent before
	blocked bool      // not sent before somebody asks
	fail    *failure  // why, when it failed the last time
	hint    int       // series in the answer before
}

const maxParallel = 4 // queries under way at once

func newSource(cfg Config, t *transport, p *plan) *Source {
	return &Source{cfg: cfg, plan: p, retry: make(chan struct{}, 1), origin: &collector.Origin{}, q: &querier{
		transport: t, clock: cfg.Clock, params: cfg.Params, timeout: cfg.Timeout,
		maxBytes: cfg.MaxBytes, maxPoints: defaultPoints, in: newInterner(),
	}}
}

// Retry asks for another try after a refusal, or before a wait is over. It may
// be called from any goroutine and does not block.
func (s *Source) Retry() {
	select {
	case s.retry <- struct{}{}:
	default:
	}
}

// Next implements collector.Source.
func (s *Source) Next(ctx context.Context) (*collector.Reading, error) {
	if s.past != nil {
		if r := s.past.next(); r != nil {
			return r, nil
		}
		s.past = nil
	}
	if r := s.ready; r != nil {
		s.ready = nil
		return r, nil
	}
	slot, missed, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.take(ctx, slot)
	if err != nil {
		return nil, err
	}
	r.Missed = missed
	s.last, s.expect = r.At, s.now()
	if s.past != nil {
		s.ready = r
		return s.Next(ctx)
	}
	return r, nil
}

// take makes the reading of a slot, whatever happens. The error is the
// context's.
func (s *Source) take(ctx context.Context, slot time.Time) (*collector.Reading, error) {
	r := &collector.Reading{At: slot}
	fail := s.prepare(ctx, r)
	before := r.Cost.Took
	if fail == nil {
		s.settleSlot(r)
		fail = s.poll(ctx, r)
	}
	if fail == nil && !s.seen && !r.Empty() && s.spacing == 0 {
		// While there was nothing to see, the spacing could not be seen either.
		if s.observe(ctx, r); s.spacing > 0 {
			*r = collector.Reading{At: r.At, Cost: r.Cost}
			s.settleSlot(r)
			before, fail = r.Cost.Took, s.poll(ctx, r)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if fail != nil {
		s.fall(r, fail)
	}
	if fail == nil {
		s.load.add(r.Cost.Took-before, s.base())
	}
	s.describe(r)
	if !s.seen && !r.Empty() {
		s.seen = true
		s.backfill(ctx, r)
	}
	return r, ctx.Err()
}

// settleSlot moves a reading to the present slot while nothing was read yet: the
// first observations change interval and clock.
func (s *Source) settleSlot(r *collector.Reading) {
	if slot := slotAt(s.now(), s.interval()); !s.seen && slot.After(s.last) {
		r.At = slot
	}
}

// prepare does what comes before the first poll and, later, from time to time.
func (s *Source) prepare(ctx context.Context, r *collector.Reading) *failure {
	if !s.connected {
		s.progress("connecting to "+s.q.addr.label(), 0, 0)
		if fail := s.connect(ctx, r); fail != nil {
			return fail
		}
		s.connected = true
	}
	if s.plan.detect {
		s.progress("looking for known systems", 0, 0)
		p, fail := s.detect(ctx, r)
		if fail != nil {
			return fail
		}
		s.plan = p
	}
	if !s.down && s.observationDue() {
		s.observe(ctx, r)
	}
	return nil
}

func addCost(r *collector.Reading, c collector.Cost) {
	r.Cost.Queries += c.Queries
	r.Cost.Bytes += c.Bytes
	r.Cost.Took += c.Took
}

// oldest is the older of two times, of those that are known.
func oldest(t [2]time.Time) time.Time {
	if t[0].IsZero() || !t[1].IsZero() && t[1].Before(t[0]) {
		return t[1]
	}
	return t[0]
}

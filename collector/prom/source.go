package prom

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
	"stormtop/collector/profile"
)

// Source reads a Prometheus. It implements collector.Source and
// collector.Retrier, collector.Steered, collector.Rebased and collector.Prober;
// Open makes it.
type Source struct {
	cfg   Config
	q     *querier
	retry chan struct{} // holds one token while somebody asked to try again
	wake  chan struct{} // holds one token while a wish waits

	mu        sync.Mutex
	asked     *collector.Wish      // the wish that waits
	baselines *collector.Baselines // what amplifications are divided by; not changed, but replaced

	detects  bool              // nothing is named, so systems have to be found
	found    []profile.Profile // the profiles that have data
	detected time.Time         // when they were last looked for
	wish     collector.Wish    // the one that is in force
	systems  []*system         // what is read; an edge pair is the last one
	offered  []string          // profiles that have data and are not read
	thanos   bool
	edgeless bool // the edge pair has no series on one side

	started   time.Time // when the first progress was told
	connected bool
	drift     time.Duration // the server's clock minus ours
	spacing   time.Duration // of the samples, 0 while not known
	observed  time.Time     // when drift and spacing were last looked at
	looks     int           // how often in a row that brought no spacing
	seen      bool          // a reading that is not empty was taken
	asOf      time.Time     // when systems and their series are looked at; zero: now
	begins    bool          // the next reading begins anew

	last    time.Time // At of the reading before, zero at start
	expect  time.Time // what the server's clock should read when it is looked at next
	wait    time.Time // nothing is sent before, by the server's clock
	blocked bool      // nothing is sent before somebody asks
	down    bool      // the poll before brought nothing at all
	tries   int       // polls since it is down
	empty   int       // polls that found nothing known
	back    pace.Backoff
	load    stretch

	origin *collector.Origin
	told   originKey                 // what origin was made of
	probed atomic.Pointer[probeView] // for questions from other goroutines

	past  *past              // readings from before the start that are not yet handed out
	ready *collector.Reading // the live reading behind them
}

const maxParallel = 4 // queries under way at once

func newSource(cfg Config, t *transport) *Source {
	s := &Source{
		cfg: cfg, retry: make(chan struct{}, 1), wake: make(chan struct{}, 1), origin: &collector.Origin{},
		baselines: &cfg.Baselines, detects: len(cfg.Profiles) == 0 && len(cfg.Signals) == 0,
		q: &querier{
			transport: t, clock: cfg.Clock, params: &paramMemory{params: cfg.Params}, timeout: cfg.Timeout,
			maxBytes: cfg.MaxBytes, maxPoints: defaultPoints, in: newInterner(), method: &methodMemory{},
		},
	}
	if len(cfg.Profiles) > 0 {
		s.found = cfg.Profiles
	}
	return s
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
	s.grant()
	if s.past != nil {
		if r := s.past.next(); r != nil {
			return s.hand(r), nil
		}
		s.past = nil
	}
	if r := s.ready; r != nil {
		s.ready = nil
		return s.hand(r), nil
	}
	slot, missed, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	s.grant()
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
	return s.hand(r), nil
}

// hand marks the first reading after a wish.
func (s *Source) hand(r *collector.Reading) *collector.Reading {
	r.Begins, s.begins = s.begins, false
	return r
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
	if slot := pace.Slot(s.now(), s.interval()); !s.seen && slot.After(s.last) {
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
		s.greet(ctx, r)
		s.connected = true
	}
	switch {
	case s.detects && s.found == nil:
		s.progress("looking for known systems", 0, 0)
		if fail := s.detect(ctx, r); fail != nil {
			return fail
		}
	case s.detects && !s.down && s.cfg.Clock.Now().Sub(s.detected) >= observeEvery:
		s.detectMore(ctx, r)
	}
	if s.systems == nil {
		if fail := s.build(ctx, r); fail != nil {
			return fail
		}
	}
	if !s.down && s.observationDue() {
		s.observe(ctx, r)
	}
	return nil
}

// build makes the systems that are read from the profiles that were found, or
// from what was named.
func (s *Source) build(ctx context.Context, r *collector.Reading) *failure {
	judged, offered := s.wanted()
	s.offer(offered)
	var systems []*system
	add := func(p *plan, err error) *failure {
		if err != nil {
			return &failure{kind: collector.Rejected, text: collector.Clean(err.Error())}
		}
		if p != nil {
			systems = append(systems, &system{plan: p})
		}
		return nil
	}
	if len(s.found) == 0 && len(s.cfg.Signals) > 0 {
		if fail := add(signalsPlan(s.cfg, nil)); fail != nil {
			return fail
		}
	}
	var owner *profile.Profile
	for i := range judged {
		if fail := add(signalsPlan(s.cfg, &judged[i])); fail != nil {
			return fail
		}
		if owner == nil && judged[i].Edge != nil {
			owner = &judged[i]
		}
	}
	if s.wish.Grouping == collector.ByService {
		if fail := add(edgePlan(s.cfg, owner)); fail != nil {
			return fail
		}
	}
	if len(systems) == 0 {
		return &failure{kind: collector.NothingFound, text: s.nothingFound()}
	}
	s.systems = systems
	for _, sys := range systems {
		s.adapt(ctx, sys, r)
	}
	return nil
}

func addCost(r *collector.Reading, c collector.Cost) {
	r.Cost.Queries += c.Queries
	r.Cost.Bytes += c.Bytes
	r.Cost.Took += c.Took
}

// oldest is the older of two times, of those that are known.
func oldest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// offer says which profiles have data and are not read.
func (s *Source) offer(list []profile.Profile) {
	s.offered = nil
	for _, p := range list {
		s.offered = append(s.offered, p.Name)
	}
	s.told = originKey{}
}

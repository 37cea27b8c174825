package prom

import (
	"context"
	"fmt"
	"strings"
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
	seen      bool          // the first reading with data was taken

	last    time.Time // At of the reading before, zero at start
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
	s.last = r.At
	if s.past != nil {
		s.ready = r
		return s.Next(ctx)
	}
	return r, nil
}

// now is the time by the server's clock.
func (s *Source) now() time.Time { return s.cfg.Clock.Now().Add(s.drift) }

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
	return chooseRate(s.spacing)
}

// slot is the next slot to poll at, by what is known now.
func (s *Source) slot() (slot time.Time, missed int) {
	step := s.interval()
	if s.last.IsZero() {
		return slotAt(s.now(), step), 0
	}
	slot, missed = nextSlot(s.last, s.now(), step)
	if held := s.wait; held.After(slot) {
		later := slotAt(held.Add(step-1), step)
		missed += int(later.Sub(slot) / step)
		slot = later
	}
	return slot, missed
}

// await blocks until the next slot has come.
func (s *Source) await(ctx context.Context) (time.Time, int, error) {
	for {
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
		case <-alarm:
		}
	}
}

// unblock lets everything be tried at the next slot.
func (s *Source) unblock() {
	s.blocked, s.wait = false, time.Time{}
	s.back.reset()
	for i := range s.signals {
		s.signals[i].blocked, s.signals[i].due = false, time.Time{}
	}
	for i := range s.age {
		s.age[i].blocked, s.age[i].due = false, time.Time{}
	}
}

// take makes the reading of a slot, whatever happens. The error is the
// context's.
func (s *Source) take(ctx context.Context, slot time.Time) (*collector.Reading, error) {
	r := &collector.Reading{At: slot}
	fail := s.prepare(ctx, r)
	before := r.Cost.Took
	if fail == nil {
		// The first observations change interval and clock, and so the slot.
		if s.last.IsZero() {
			slot = slotAt(s.now(), s.interval())
			r.At = slot
		}
		fail = s.poll(ctx, r)
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
	if fail == nil && !s.seen {
		s.seen = true
		s.backfill(ctx, r)
	}
	return r, ctx.Err()
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

// describe gives the reading its origin, a new one only when something changed.
func (s *Source) describe(r *collector.Reading) {
	o := collector.Origin{
		Source: collector.Clean(s.q.addr.label()), Profile: s.plan.profile, Interval: s.interval(), RateRange: s.rate(),
		Scrape: s.spacing, Drift: s.drift, Baseline: s.cfg.Baseline, CannotSee: s.plan.cannotSee, Explain: s.plan.explain(s.rate(), s.cfg.Baseline),
	}
	var notes []string
	add := func(note string) {
		if note != "" {
			notes = append(notes, note)
		}
	}
	add(s.load.note(s.base()))
	add(s.driftNote())
	if warning := rateWarning(s.rate(), s.spacing); warning != "" {
		add(warning)
		r.Warnings = append(r.Warnings, warning)
	}
	switch {
	case s.spacing == 0 && s.connected && !s.plan.detect:
		if s.cfg.Interval == 0 || s.cfg.Rate == 0 {
			add("how often samples come is not known yet: assuming every 15s")
		}
	case s.cfg.Interval > 0 && s.cfg.Interval < s.spacing:
		add(fmt.Sprintf("polled every %s as asked, though samples come every %s",
			collector.FormatInterval(s.cfg.Interval), collector.FormatInterval(s.spacing)))
	}
	o.Note = strings.Join(notes, "; ")
	if o != *s.origin {
		s.origin = &o
	}
	r.Origin = s.origin
}

func (s *Source) progress(what string, done, of int) {
	now := s.cfg.Clock.Now()
	if s.started.IsZero() {
		s.started = now
	}
	s.cfg.Progress(Progress{What: what, Done: done, Of: of, Took: now.Sub(s.started)})
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

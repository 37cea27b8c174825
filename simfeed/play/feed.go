package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"stormtop/collector"
	"stormtop/simfeed"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/scenario"
)

// Config is what a Feed plays.
type Config struct {
	Scenario scenario.Scenario
	Source   string // for the header: "sim:payment-1945"
	Seed     int64
	// Start is the instant of the clock at which virtual time goes live.
	Start time.Time
	// Span is how much of the time before Start is filled in at once, where the
	// scenario loops; up to a third less, when that makes it whole laps. Others
	// begin at Start.
	Span time.Duration
	// Speed is in virtual seconds for a second of the clock; 0 is as fast as the
	// readings are taken.
	Speed float64
	// Sleep waits for the clock; without one every reading is due at once. Now
	// tells that clock.
	Sleep simfeed.Sleep
	Now   func() time.Time
	// Baseline is the healthy fan-out of what the scenario watches; 0 is the
	// scenario's own.
	Baseline float64
}

// lead is how long before the first trouble a scenario that loops goes live.
const lead = 10 * time.Second

// Feed plays a scenario: one reading at the end of every virtual second, whole
// seconds of At, no goroutine. It is a collector.Counting, a
// collector.Rigged and a collector.Changing. The counters begin at 0 at Start and never fall, whatever
// begins again.
type Feed struct {
	scenario scenario.Scenario // as it was given, with a window a second
	origin   *collector.Origin
	subjects []subject
	pace     pace
	live     time.Time  // the whole second at or before Start
	held     func(bool) // nil: it ends
	first    int64      // the seed that it began with
	// Of the goroutine that calls Next.
	engine *chain.Engine
	second int64 // the one after live that comes next; negative while past
	lap    int64 // of the engine
	begins bool  // the next reading is the first one after a restart
	before *rerun

	changed []string // see Changed
	lapped  bool     // a lap began with no reading of it yet

	panel panel

	mu    sync.Mutex // guards the tally
	tally *Tally
}

// NewFeed checks the configuration and makes a feed of it.
func NewFeed(c Config) (*Feed, error) {
	if c.Span < 0 {
		return nil, fmt.Errorf("the simulation cannot have a past of %v: it must not be negative", c.Span)
	}
	s := c.Scenario
	s.Scenario = s.Clone()
	s.Every = time.Second
	if c.Baseline > 0 {
		s.Baseline = c.Baseline
	}
	if c.Now == nil {
		c.Now = func() time.Time { return c.Start }
	}
	f := &Feed{
		scenario: s, subjects: subjects(&s), tally: NewTally(&s), first: c.Seed,
		pace: pace{sleep: c.Sleep, now: c.Now, speed: c.Speed, base: c.Start.Round(0), at: c.Start.Round(0)},
		live: c.Start.UTC().Truncate(time.Second),
	}
	edges := false
	for _, t := range f.subjects {
		edges = edges || t.target.Kind == collector.Edge
	}
	f.origin = origin(c.Source, c.Speed, s.Baseline, edges)
	var err error
	if f.engine, err = chain.New(s.Scenario, c.Seed); err != nil {
		return nil, err
	}
	f.panel.start(&f.scenario, c.Seed)
	if s.Loop {
		f.fill(c.Span)
	}
	return f, nil
}

// fill goes back so that the live readings begin a little before the trouble,
// with the laps before as the past. They are one lap, played again: so a start
// costs one lap, however long the past is.
func (f *Feed) fill(span time.Duration) {
	from, _, ok := f.scenario.Trigger()
	offset := int64(0)
	if ok {
		offset = max(int64((from-lead)/time.Second), 0)
	}
	back := int64(span / time.Second)
	if back < offset {
		// The live readings begin inside lap 0: its seconds before the past are
		// played for nobody.
		f.before = &rerun{skip: offset - back}
	} else {
		// Of the span given, a third is only there to be looked back at.
		f.before = newRerun(back-offset, int64(f.scenario.Length/time.Second), back*2/3-offset)
		back = f.before.seconds + offset
	}
	f.second = -back
}

// Next waits until the next virtual second is over and returns it.
func (f *Feed) Next(ctx context.Context) (*collector.Reading, error) {
	if past, err := f.rerun(ctx); past != nil || err != nil {
		return past, err
	}
	at := f.live.Add(time.Duration(f.second+1) * time.Second)
	past := f.second < 0
	if past {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	} else if err := f.pace.wait(ctx, at); err != nil {
		return nil, err
	}
	for {
		if err := f.obey(); err != nil {
			return nil, err
		}
		w, err := f.engine.Next(ctx)
		switch {
		case err == nil:
			return f.reading(w, at, past), nil
		case !errors.Is(err, io.EOF):
			return nil, err
		case f.scenario.Loop:
			if err := f.again(); err != nil {
				return nil, err
			}
		case f.held == nil:
			return nil, io.EOF
		default:
			f.held(true)
			if err := f.panel.wait(ctx); err != nil {
				return nil, err
			}
			f.held(false)
			f.pace.resume(at)
		}
	}
}

// Hold makes a scenario that does not loop wait for a restart at its end, instead
// of ending with io.EOF, and tell when it does. It is called before Next.
func (f *Feed) Hold(tell func(held bool)) { f.held = tell }

// again begins the next lap of a scenario that loops, as it was left.
func (f *Feed) again() error {
	f.lap++
	f.lapped = true
	return f.begin(simfeed.LapSeed(f.panel.seedNow(), f.lap))
}

// begin makes a new engine.
func (f *Feed) begin(seed int64) error {
	e, err := chain.New(f.scenario.Scenario, seed)
	if err != nil {
		return err
	}
	f.engine = e
	f.panel.flows = flows{}
	f.panel.repeat(e)
	return nil
}

// obey does what was asked for since the last second.
func (f *Feed) obey() error {
	asked, restart, seed := f.panel.take()
	if restart {
		f.lap, f.begins, f.lapped = 0, true, false
		e, err := chain.New(f.scenario.Scenario, seed)
		if err != nil {
			return err
		}
		f.engine = e
	}
	for _, o := range asked {
		f.panel.done(o, o.apply(f.engine))
	}
	return nil
}

// reading makes a reading of a window.
func (f *Feed) reading(w *chain.Window, at time.Time, past bool) *collector.Reading {
	now := f.engine.Scenario()
	f.tell(w, past)
	r := f.rows(w, &now, at, past)
	f.mu.Lock()
	f.tally.Add(&now, w, past)
	f.mu.Unlock()
	f.second++
	if !past {
		f.panel.show(f, w, &now)
	}
	return r
}

// rows is a window as a reading.
func (f *Feed) rows(w *chain.Window, now *chain.Scenario, at time.Time, past bool) *collector.Reading {
	r := &collector.Reading{
		At: at, Newest: at, Past: past, Origin: f.told(), Begins: f.begins,
		Overload: collector.OverloadOf(overloaded(w, &f.scenario)),
	}
	f.begins = false
	r.Total.Target = collector.Target{ID: collector.TotalID, Name: "total"}
	if f.scenario.IsBlind(w.End) {
		r.Newest = time.Time{}
		r.Failures = []collector.Failure{{
			Kind: collector.Unreachable, Text: "the metrics of the simulated system are gone: connection refused", Retry: at.Add(time.Second),
		}}
		return r
	}
	var watched collector.Row
	r.Targets, watched = rowsOf(f.subjects, w, now)
	r.Total.Values, r.Total.Baseline, r.Total.Target.Kind = watched.Values, watched.Baseline, watched.Target.Kind
	if len(f.scenario.Classes) == len(f.subjects) {
		r.Total = collector.Total(r.Targets) // every row is a system of its own
	}
	return r
}

// told is the origin at the speed of now.
func (f *Feed) told() *collector.Origin {
	if speed := f.pace.current(); speed != f.origin.Speed {
		o := *f.origin
		o.Speed = speed
		f.origin = &o
	}
	return f.origin
}

// Simulation is the scenario, and the seed that it was last begun with.
func (f *Feed) Simulation() collector.Simulation {
	return collector.Simulation{Scenario: collector.Clean(f.scenario.FullName()), Seed: f.panel.seedNow()}
}

// Counters are the raw counters of all hops since Start.
func (f *Feed) Counters() []collector.ServiceCounters {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tally.Counters()
}

package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"stormtop/collector"
	"stormtop/simfeed"
)

// FeedConfig is what a Feed plays.
type FeedConfig struct {
	Source  string // for the header: "simulator", "lab:S3"
	Name    string // what is played: "demo", "lab:S3"
	Targets []FeedTarget
	// Offset is the second of every loop at which the live readings begin.
	// Targets that do not loop begin at their own second 0.
	Offset int
	// Start is the instant of the clock at which virtual time goes live.
	Start time.Time
	// Span is how much of the time before Start is filled in at once, by the
	// loops before. Targets that do not loop have no past.
	Span time.Duration
	// Speed is in virtual seconds for a second of the clock; 0 is as fast as
	// the readings are taken.
	Speed float64
	// Sleep waits for the clock; without one every reading is due at once.
	Sleep simfeed.Sleep
	// Baseline is the healthy fan-out; 0 counts as 1.
	Baseline float64
}

// FeedTarget is one watched dependency with clients of its own.
type FeedTarget struct {
	Name   string // unique: "demo/payments"
	Config Config
	Loop   bool // begin again at the end, with another seed, for ever
}

// Feed plays runs of the lab as a collector.Source: one reading at the end of
// every virtual second, whole seconds of At, no goroutine. It ends with io.EOF
// when all its targets have ended. It is a collector.Counting, too: the
// counters begin at 0 at Start, what was filled in is not counted.
type Feed struct {
	origin   *collector.Origin
	played   collector.Simulation
	baseline float64
	pacer    simfeed.Pacer
	live     time.Time // the whole second at or before Start
	next     int64     // the second after live that comes next; negative while past
	tracks   []*track

	mu       sync.Mutex // guards the counters of all tracks
	counters []collector.ServiceCounters
}

// NewFeed checks the configuration and makes a feed of it.
func NewFeed(c FeedConfig) (*Feed, error) {
	if len(c.Targets) == 0 {
		return nil, errors.New("the simulation has no target: name at least one")
	}
	if c.Offset < 0 || c.Span < 0 {
		return nil, fmt.Errorf("the simulation cannot begin at second %d with a past of %v: neither may be negative", c.Offset, c.Span)
	}
	baseline := c.Baseline
	if !(baseline > 0) {
		baseline = 1
	}
	f := &Feed{
		origin: origin(c.Source, c.Speed, baseline), baseline: baseline,
		pacer: simfeed.NewPacer(c.Start, c.Speed, c.Sleep),
		live:  c.Start.UTC().Truncate(time.Second),

		played: collector.Simulation{Scenario: collector.Clean(c.Name), Seed: c.Targets[0].Config.Seed},
	}
	for _, t := range c.Targets {
		track, err := newTrack(t)
		if err != nil {
			return nil, err
		}
		f.tracks = append(f.tracks, track)
		if t.Loop {
			f.next = -int64(c.Span / time.Second)
		}
	}
	slices.SortFunc(f.tracks, func(a, b *track) int { return strings.Compare(a.target.Name, b.target.Name) })
	for i, t := range f.tracks {
		if i > 0 && t.target.Name == f.tracks[i-1].target.Name {
			return nil, fmt.Errorf("the simulation has two targets named %q: give each a name of its own", t.target.Name)
		}
		t.seek(f.next, int64(c.Offset))
		f.counters = append(f.counters, t.newCounters())
	}
	return f, nil
}

// Next waits until the next virtual second is over and returns it.
func (f *Feed) Next(ctx context.Context) (*collector.Reading, error) {
	if f.ended() {
		return nil, io.EOF
	}
	at := f.live.Add(time.Duration(f.next+1) * time.Second)
	past := f.next < 0
	if past {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	} else if err := f.pacer.Wait(ctx, at); err != nil {
		return nil, err
	}
	r := &collector.Reading{
		At: at, Newest: at, Past: past, Origin: f.origin,
		Targets: make([]collector.Row, 0, len(f.tracks)),
	}
	over := false
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, t := range f.tracks {
		s, ok := t.step(f.next)
		if !ok {
			f.counters[i].QueueDepth = collector.Value{}
			continue
		}
		r.Targets = append(r.Targets, collector.Row{Target: t.target, Values: values(s), Baseline: f.baseline})
		count(&f.counters[i], s, past)
		over = over || s.Overloaded()
	}
	for i := range r.Targets {
		r.Targets[i].Values.Derive(f.baseline)
	}
	r.Total, r.Overload = collector.Total(r.Targets), collector.OverloadOf(over)
	f.next++
	return r, nil
}

// Simulation is what is played, and the seed of the first target.
func (f *Feed) Simulation() collector.Simulation { return f.played }

// Counters are the raw counters of all targets since Start.
func (f *Feed) Counters() []collector.ServiceCounters {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Clone(f.counters)
	for i := range out {
		out[i].Attempts = slices.Clone(out[i].Attempts)
		out[i].Successes = slices.Clone(out[i].Successes)
	}
	return out
}

func (f *Feed) ended() bool {
	for _, t := range f.tracks {
		if !t.ended(f.next) {
			return false
		}
	}
	return true
}

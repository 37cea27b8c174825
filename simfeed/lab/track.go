package lab

import (
	"errors"
	"fmt"

	"stormtop/collector"
	"stormtop/simfeed"
)

// track is the course of one target: runs of the lab end to end.
type track struct {
	target collector.Target
	config Config
	loop   bool
	engine *Engine
	lap    int64 // which run it is in; the first live one is 0
}

func newTrack(t FeedTarget) (*track, error) {
	if t.Name == "" {
		return nil, errors.New("the simulation has a target without a name: give it one")
	}
	engine, err := NewEngine(t.Config)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", collector.Clean(t.Name), err)
	}
	label := collector.Label{Name: "service", Value: t.Name}
	return &track{target: collector.NewTarget(collector.Hop, label), config: t.Config, loop: t.Loop, engine: engine}, nil
}

// seek goes to where step(first) is next, second 0 being offset seconds into
// lap 0. Targets that do not loop stay where they are.
func (t *track) seek(first, offset int64) {
	if !t.loop {
		return
	}
	period := int64(t.config.Seconds)
	position := (first + offset) % period
	if position < 0 {
		position += period
	}
	t.lap = (first+offset-position)/period - offset/period
	t.engine = t.run()
	for range position {
		t.engine.Step()
	}
}

// step plays a second, counted from 0 at the first live one. It is false
// before the beginning and after the end of a target that does not loop.
func (t *track) step(second int64) (Second, bool) {
	if !t.loop && second < 0 {
		return Second{}, false
	}
	s, ok := t.engine.Step()
	if !ok && t.loop {
		t.lap++
		t.engine = t.run()
		s, ok = t.engine.Step()
	}
	return s, ok
}

func (t *track) ended(second int64) bool { return !t.loop && second >= int64(t.config.Seconds) }

// run is the run of the current lap.
func (t *track) run() *Engine {
	c := t.config
	c.Seed = simfeed.LapSeed(c.Seed, t.lap)
	e, err := NewEngine(c)
	if err != nil {
		panic(err) // newTrack made the same engine; only the seed differs
	}
	return e
}

// newCounters are the counters of a target at 0.
func (t *track) newCounters() collector.ServiceCounters {
	return collector.ServiceCounters{
		Service:    t.target.Name,
		Attempts:   make([]uint64, t.config.Attempts()),
		Successes:  make([]uint64, t.config.Attempts()),
		QueueDepth: collector.Num(0, collector.Count, collector.Exact),
	}
}

// count adds a second to the counters. A past second only sets the gauge.
func count(c *collector.ServiceCounters, s Second, past bool) {
	c.QueueDepth = collector.Num(float64(s.Waiting), collector.Count, collector.Exact)
	if past {
		return
	}
	c.Requests += uint64(s.Requests)
	c.AtLimit += uint64(s.AtLimit())
	for a := range s.Attempts {
		c.Attempts[a] += uint64(s.Attempts[a])
		c.Successes[a] += uint64(s.Successes[a])
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
	"stormtop/simfeed"
	"stormtop/simfeed/lab"
)

// wallClock is the only clock of the program.
type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// loading hands on the progress before the first reading to whoever listens.
type loading struct {
	to atomic.Pointer[func(prom.Progress)]
}

func (r *loading) tell(p prom.Progress) {
	if f := r.to.Load(); f != nil {
		(*f)(p)
	}
}

// Listen makes f the one who is told; it is called from the goroutine that
// reads the source.
func (r *loading) Listen(f func(prom.Progress)) { r.to.Store(&f) }

// openSource makes the source that the settings name. Everything that can be
// checked without the network is. paced says whether a simulation keeps to the
// clock; without it, it goes as fast as it is read.
func openSource(s settings, rules []collector.RuleSpec, paced bool, progress *loading) (collector.Source, []string, error) {
	if s.prom.url == "" {
		src, err := openSimulation(s, paced)
		return src, nil, err
	}
	cfg := prom.Config{
		URL: s.prom.url, HTTPFile: s.prom.httpConfig,
		Headers: byName(s.prom.headers), Params: byName(s.prom.params),
		Readable: readable, By: s.by, Interval: s.interval, Rate: s.rate, Span: kept(s.span), Baseline: s.baseline,
		Rules: rules, Clock: wallClock{}, Rand: rand.Float64, Progress: progress.tell,
	}
	for _, p := range s.signals {
		signal, err := collector.ParseSignal(p.name)
		if err != nil {
			return nil, nil, fmt.Errorf("--signal: %w", err)
		}
		if cfg.Signals == nil {
			cfg.Signals = map[collector.Signal]string{}
		}
		cfg.Signals[signal] = p.value
	}
	if s.profile != "" {
		p, err := profile.Find(s.profile)
		if err != nil {
			return nil, nil, fmt.Errorf("--profile: %w", err)
		}
		cfg.Profile = &p
	}
	src, notes, err := prom.Open(cfg)
	if err != nil {
		return nil, nil, err
	}
	return src, notes, nil
}

func openSimulation(s settings, paced bool) (collector.Source, error) {
	cfg := lab.Demo(s.seed)
	if list, ok := strings.CutPrefix(s.sim, labPrefix); ok {
		var err error
		if cfg, err = lab.Play(list, s.seed); err != nil {
			return nil, fmt.Errorf("--sim=%s: %w", s.sim, err)
		}
	}
	cfg.Start, cfg.Span, cfg.Baseline = time.Now(), kept(s.span), s.baseline
	if paced {
		cfg.Speed, cfg.Sleep = s.speed, simfeed.ClockSleep(time.Now)
	}
	src, err := lab.NewFeed(cfg)
	if err != nil {
		return nil, fmt.Errorf("--sim=%s: %w", s.sim, err)
	}
	return src, nil
}

func byName(list []pair) map[string]string {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string]string, len(list))
	for _, p := range list {
		out[p.name] = p.value
	}
	return out
}

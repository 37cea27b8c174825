package main

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
	"stormtop/collector/recording"
	"stormtop/collector/scrape"
	"stormtop/simfeed"
	"stormtop/simfeed/lab"
	"stormtop/simfeed/play"
	"stormtop/simfeed/scenario"
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

// opened is a source, with what came with it.
type opened struct {
	source    collector.Source
	notes     []string             // what somebody should know, one sentence each
	rules     []collector.RuleSpec // those that it was recorded with; nil: none
	events    []collector.Event    // what happened in it that no reading tells, by time
	told      time.Duration        // of a simulation: how much of it a single reading takes; 0: one live reading
	follows   bool                 // the rules are to be those that were in force, at every instant
	recording *recording.Recording // all of it, where it is over; nil: it is not, or not read yet
}

// openSource makes the source that the settings name. Everything that can be
// checked without the network is.
func openSource(r *resolved, p program) (opened, error) {
	s := r.settings
	switch s.kind() {
	case scrapeSource:
		src, notes, err := openScrape(s)
		return opened{source: src, notes: notes}, err
	case replaySource:
		return openReplay(r, p)
	case simulatedSource:
		// Without a screen and --plain it goes as fast as it is read.
		return openSimulation(s, p.mode)
	}
	cfg, err := promConfig(s, p.rules, p.progress)
	if err != nil {
		return opened{}, err
	}
	src, notes, err := prom.Open(cfg)
	switch {
	case err != nil:
		return opened{}, err
	case s.past() && s.baseline.window > 0:
		return opened{}, errors.New("--baseline is learned from the present of a Prometheus: with --from give a number")
	case s.past():
		now := time.Now()
		from, to := s.from.resolve(now), s.to.resolve(now)
		if !from.Before(to) {
			return opened{}, fmt.Errorf("--from=%s is not before --to=%s", s.from.text, cmp.Or(s.to.text, "now"))
		}
		options := recording.Options{Speed: playback(r, p.mode, false), Clock: wallClock{}, Behind: behind(s.span, p.rules)}
		options.Once = p.mode == screenMode && options.Speed == 0
		return opened{source: &pastOf{server: src, from: from, to: to, options: options}, notes: notes}, nil
	case s.baseline.window > 0:
		return opened{source: &learning{Source: src, from: s.baseline, rules: p.rules, now: time.Now}, notes: notes}, nil
	}
	return opened{source: src, notes: notes}, nil
}

// openScrape makes the source that reads endpoints directly.
func openScrape(s settings) (collector.Source, []string, error) {
	if s.baseline.window > 0 {
		return nil, nil, errors.New("--baseline can be learned from the past of a Prometheus only: give a number here, or press b while it is calm")
	}
	cfg := scrape.Config{
		URLs: s.scrape, HTTPFile: s.prom.httpConfig, Readable: readable, Headers: byName(s.prom.headers), By: s.by, Interval: s.interval, Rate: s.rate, Baselines: s.baselines(), Clock: wallClock{}, Rand: rand.Float64,
	}
	var err error
	if cfg.Signals, err = namedSignals(s); err != nil {
		return nil, nil, err
	}
	list, err := namedProfiles(s)
	if err != nil {
		return nil, nil, err
	}
	switch len(list) {
	case 0:
	case 1: // judged, whatever it is
		cfg.Profile = &list[0]
	default:
		cfg.Known = list
	}
	src, notes, err := scrape.Open(cfg)
	if err != nil {
		return nil, nil, err
	}
	return src, notes, nil
}

// promConfig is how the settings ask for a Prometheus.
func promConfig(s settings, rules []collector.RuleSpec, progress *loading) (prom.Config, error) {
	cfg := prom.Config{
		URL: s.prom.url, HTTPFile: s.prom.httpConfig,
		Headers: byName(s.prom.headers), Params: byName(s.prom.params),
		Readable: readable, By: s.by, Select: s.narrow, Edge: s.edge, ReplicaLabels: s.replicas,
		Interval: s.interval, Rate: s.rate, Span: kept(s.span), Baselines: s.baselines(),
		Rules: rules, Clock: wallClock{}, Rand: rand.Float64, Progress: progress.tell,
	}
	var err error
	if cfg.Signals, err = namedSignals(s); err != nil {
		return cfg, err
	}
	cfg.Profiles, err = namedProfiles(s)
	return cfg, err
}

// namedSignals are the queries of --signal.
func namedSignals(s settings) (map[collector.Signal]string, error) {
	if len(s.signals) == 0 {
		return nil, nil
	}
	out := map[collector.Signal]string{}
	for _, p := range s.signals {
		signal, err := collector.ParseSignal(p.name)
		if err != nil {
			return nil, fmt.Errorf("--signal: %w", err)
		}
		out[signal] = p.value
	}
	return out, nil
}

// namedProfiles are those of --profile, files read.
func namedProfiles(s settings) ([]profile.Profile, error) {
	var out []profile.Profile
	for _, name := range s.profiles {
		p, err := profile.Named(name, readSmall, prom.CheckQuery)
		if err != nil {
			return nil, fmt.Errorf("--profile: %w", err)
		}
		out = append(out, p)
	}
	return out, nil
}

func openSimulation(s settings, m mode) (opened, error) {
	paced := m != onceMode
	if s.baseline.window > 0 {
		return opened{}, errors.New("--baseline can be learned from the past of a Prometheus only: give a number here")
	}
	if list, ok := strings.CutPrefix(s.sim, labPrefix); ok || s.sim == demoSim {
		return openLab(s, list, m)
	}
	name := cmp.Or(s.sim, scenario.Default)
	chosen, err := scenario.Named(name, readScenario)
	if err != nil {
		return opened{}, fmt.Errorf("--sim: %w", err)
	}
	cfg := play.Config{
		Scenario: chosen, Source: "sim:" + chosen.FullName(), Seed: s.seed.or(defaultSeed),
		Start: time.Now(), Now: time.Now, Span: kept(s.span), Baseline: s.baseline.number,
	}
	if s.sim == "" {
		cfg.Source = "simulator"
	}
	if paced {
		cfg.Speed, cfg.Sleep = s.speed, simfeed.ClockSleep(time.Now)
	}
	src, err := play.NewFeed(cfg)
	if err != nil {
		return opened{}, fmt.Errorf("--sim=%s: %w", name, err)
	}
	at, words := chosen.Told()
	return toldAt(opened{source: src}, s, m, at, words), nil
}

// toldAt is a simulation that a single reading takes so much of, unless --for says
// how much. In its first second nothing has happened yet, and a reading of that
// would be taken for a calm system.
func toldAt(o opened, s settings, m mode, at time.Duration, words string) opened {
	if m == onceMode && s.duration == 0 && at > 0 {
		o.told = at
		o.notes = append(o.notes, fmt.Sprintf("the reading is of %s of the simulation, %s: --for=DURATION reads another moment", collector.FormatDuration(at), words))
	}
	return o
}

// openLab makes a source of the outage lab.
func openLab(s settings, list string, m mode) (opened, error) {
	cfg := lab.Demo(s.seed.or(lab.DefaultSeed))
	if s.sim != demoSim {
		var err error
		if cfg, err = lab.Play(list, s.seed.or(lab.DefaultSeed)); err != nil {
			return opened{}, fmt.Errorf("--sim=%s: %w", s.sim, err)
		}
	}
	cfg.Start, cfg.Span, cfg.Baseline = time.Now(), kept(s.span), s.baseline.number
	if m != onceMode {
		cfg.Speed, cfg.Sleep = s.speed, simfeed.ClockSleep(time.Now)
	}
	src, err := lab.NewFeed(cfg)
	if err != nil {
		return opened{}, fmt.Errorf("--sim=%s: %w", s.sim, err)
	}
	return toldAt(opened{source: src}, s, m, cfg.Told(), "the last second of its outage"), nil
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

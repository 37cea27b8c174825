// Package prom reads the signals of stormtop from Prometheus and from
// whatever speaks its HTTP API.
//
// Open checks a Config; Source.Next then polls at aligned slots, a Client asks
// single questions. The parts:
//
//   - address, transport, method, query and tls reach the server; failure puts
//     refusals into words
//   - scan, decode, result and labels read its answers
//   - plan, template, check, rewrite and raterange make the queries
//   - wait and stretch say when
//   - connect, thanos, detect and examine find out what is there, coverage who
//     reports
//   - source and wish decide what is read; poll, system and sheet make a reading,
//     fall one of nothing, describe its origin
//   - backfill, breach and past read what was before the start, range a stretch
//     of it, probe the past and the callers of one target
//
// What sources share is elsewhere: package measure makes rows and totals, pace
// slots and waits, web the way to a server.
package prom

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/prometheus/common/config"

	"stormtop/collector"
	"stormtop/collector/pace"
	"stormtop/collector/profile"
	"stormtop/collector/promql"
	"stormtop/collector/web"
)

// Clock tells the time and waits: the wall clock in the program.
type Clock = pace.Clock

// Config says what to read and from where. Only URL and Clock are needed.
type Config struct {
	URL string // http(s)://HOST[:PORT][/PATH]; without a scheme http://

	HTTPFile string                   // file of a prometheus/common HTTPClientConfig, or ""
	HTTP     *config.HTTPClientConfig // the same as a value; not together with HTTPFile
	Headers  map[string]string        // extra headers of every request
	Params   map[string]string        // extra parameters of every request

	// Readable says why a file that HTTP or HTTPFile names cannot be read, if it
	// cannot. It is asked by Open; nil: nothing is checked.
	Readable func(file string) error

	Signals  map[collector.Signal]string // PromQL with $window and $by; wins over the profile
	By       []string                    // labels that make a target; nil: the profile's, else all labels
	Profiles []profile.Profile           // the systems to judge by; nil: found by their detection queries, unless Signals are given
	Known    []profile.Profile           // what detection looks for; nil: profile.Builtin()
	Kind     collector.RatioKind         // what the ratio is of; 0: the profile's, else Hop
	Select   string                      // label matchers that narrow every selector down: namespace="shop"
	Edge     EdgePair                    // sums that make an edge ratio; a side that is empty is the profile's

	// ReplicaLabels are the labels in which series that count the same thing
	// differ; nil: DefaultReplicaLabels.
	ReplicaLabels []string

	Interval  time.Duration       // time between polls; 0: the spacing of the samples, at least 1s
	Rate      time.Duration       // range of the rates; 0: from the spacing of the samples
	Span      time.Duration       // how much past is read at start; 0: none
	Baselines collector.Baselines // healthy fan-outs
	Rules     []collector.RuleSpec

	Timeout  time.Duration // for one query; 0: 10s
	MaxBytes int64         // cap on one answer; 0: 64 MiB

	Clock    Clock
	Rand     func() float64 // in [0,1), for jitter; nil: 0.5 always
	Progress func(Progress) // told of the work before the first reading; may be nil
}

// EdgePair is two PromQL sums: the requests of users a second, and the attempts
// a second at the dependency behind them. $window is filled in.
type EdgePair struct{ Ingress, Downstream string }

// Progress is what happens before the first reading, for a loading screen.
type Progress struct {
	What     string // "reading the last 15m"
	Done, Of int    // signals; Of is 0 where there is nothing to count
	Took     time.Duration
}

// String is the line of the loading screen.
func (p Progress) String() string {
	return p.Doing() + fmt.Sprintf(", %.1fs", p.Took.Seconds())
}

// Doing is String without the time, for those who count it themselves.
func (p Progress) Doing() string {
	s := p.What
	if p.Of > 0 {
		s += fmt.Sprintf(": %d of %d signals", p.Done, p.Of)
	}
	return s
}

const (
	defaultTimeout  = 10 * time.Second
	defaultMaxBytes = 64 << 20
	defaultPoints   = 2_000_000
)

// Open checks everything that can be checked without the network and makes a
// source. The notes are remarks for the person who gave the configuration,
// such as a part of the address that was cut. Errors name the place and never
// hold a credential.
func Open(cfg Config) (*Source, []string, error) {
	if cfg.Clock == nil {
		return nil, nil, errors.New("the Prometheus source was given no clock")
	}
	addr, notes, err := parseAddress(cfg.URL)
	if err != nil {
		return nil, nil, err
	}
	if err := cfg.check(); err != nil {
		return nil, nil, err
	}
	if err := checkPlans(cfg); err != nil {
		return nil, nil, err
	}
	hc, err := web.Settings{File: cfg.HTTPFile, Value: cfg.HTTP, Readable: cfg.Readable}.Load()
	if err != nil {
		return nil, nil, err
	}
	t, err := newTransport(addr, hc, cfg.Headers, cfg.Params)
	if err != nil {
		return nil, nil, err
	}
	cfg.HTTP = &hc
	return newSource(cfg, t), notes, nil
}

// checkPlans makes every plan that may be needed, for the errors in it.
func checkPlans(cfg Config) error {
	list := cfg.Known
	switch {
	case len(cfg.Profiles) > 1 && len(cfg.Signals) > 0:
		return errors.New("--signal is for one system: name one profile with it, or none")
	case len(cfg.Profiles) > 0:
		list = cfg.Profiles
	case len(cfg.Signals) > 0:
		if _, err := signalsPlan(cfg, nil); err != nil {
			return err
		}
		list = nil
	}
	for i := range list {
		if _, err := signalsPlan(cfg, &list[i]); err != nil {
			return err
		}
		if _, err := edgePlan(cfg, &list[i]); err != nil {
			return err
		}
	}
	_, err := edgePlan(cfg, nil)
	return err
}

// check refuses what cannot work and fills in defaults.
func (cfg *Config) check() error {
	if err := web.CheckHeaders(cfg.Headers); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Params)) {
		switch name {
		case "", "query", "time", "start", "end", "step":
			return fmt.Errorf("--prom.param: %s is set by stormtop itself", collector.Quote(name))
		}
	}
	for _, name := range cfg.By {
		if err := promql.CheckLabel(name); err != nil {
			return fmt.Errorf("--by %w", err)
		}
	}
	if cfg.Interval < 0 || cfg.Rate < 0 || cfg.Span < 0 || cfg.Timeout < 0 || cfg.MaxBytes < 0 {
		return errors.New("interval, rate, span, timeout and byte cap cannot be negative")
	}
	if cfg.Interval > 0 && cfg.Interval < 100*time.Millisecond {
		return fmt.Errorf("--interval=%s is too short: the least is 100ms", collector.FormatInterval(cfg.Interval))
	}
	if cfg.Rate%time.Millisecond != 0 {
		return fmt.Errorf("--rate=%s: the range of the rates is in whole milliseconds", cfg.Rate)
	}
	if n := cfg.Baselines.Number; n < 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return fmt.Errorf("--baseline=%v: a healthy fan-out is above 0", n)
	}
	if cfg.ReplicaLabels == nil {
		cfg.ReplicaLabels = DefaultReplicaLabels()
	}
	for _, name := range cfg.ReplicaLabels {
		if err := promql.CheckLabel(name); err != nil {
			return fmt.Errorf("--replica-label %w", err)
		}
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.MaxBytes == 0 {
		cfg.MaxBytes = defaultMaxBytes
	}
	if cfg.Rand == nil {
		cfg.Rand = func() float64 { return 0.5 }
	}
	if cfg.Progress == nil {
		cfg.Progress = func(Progress) {}
	}
	if cfg.Known == nil {
		cfg.Known = profile.Builtin()
	}
	return nil
}

// Package scrape reads the signals of stormtop straight from exposition
// endpoints, without any Prometheus, and computes rates itself.
//
// Open checks a Config; Source.Next then scrapes at aligned slots. The parts:
// endpoint, client, fetch and failure reach the endpoints, decode, openmetrics
// and samples read what they expose, store keeps the samples that are needed,
// package eval evaluates the queries of profiles over them, supports says which
// it can, system, choose and grouping are what is judged by, wait says when,
// source, take, read, sheet, coverage and describe make a reading, blind one of
// nothing. What a row and a total are is package measure's.
package scrape

import (
	"errors"
	"fmt"
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

// Config says what to read and from where. Only URLs and Clock are needed.
type Config struct {
	URLs []string // http(s)://[USER:PASSWORD@]HOST[:PORT][/PATH][?QUERY]; without a scheme http://, without a path /metrics

	HTTPFile string                   // credentials, TLS and proxy for all endpoints: a file of a prometheus/common HTTPClientConfig, or ""
	HTTP     *config.HTTPClientConfig // the same as a value; not together with HTTPFile
	Headers  map[string]string        // extra headers of every request

	// Readable says why a file that HTTP or HTTPFile names cannot be read, if it
	// cannot. It is asked by Open; nil: nothing is checked.
	Readable func(file string) error

	Signals map[collector.Signal]string // PromQL with $window and $by; wins over the profile
	By      []string                    // labels that make a target; nil: the profile's, else all labels
	Profile *profile.Profile            // nil: found by its detection query, unless Signals are given
	Known   []profile.Profile           // what detection looks for; nil: profile.Builtin()
	Kind    collector.RatioKind         // what the ratio is of; 0: the profile's, else Hop

	Interval  time.Duration       // time between scrapes, at least 100ms; 0: 1s
	Rate      time.Duration       // range of the rates, at least two intervals; 0: the friendly one that is at least four
	Baselines collector.Baselines // healthy fan-outs

	Timeout   time.Duration // for one scrape; 0: the interval, from 1s to 10s
	MaxBytes  int64         // cap on one answer, decompressed; 0: 64 MiB
	MaxSeries int           // cap on the series of all endpoints; 0: 200,000

	Clock Clock
	Rand  func() float64 // in [0,1), for jitter; nil: 0.5 always
}

const (
	defaultInterval  = time.Second
	leastInterval    = 100 * time.Millisecond
	longestTimeout   = 10 * time.Second
	defaultMaxBytes  = 64 << 20
	defaultMaxSeries = 200_000
	mostPoints       = 3600 // points that one series may need for the rates
)

// Open checks everything that can be checked without the network and makes a
// source. The notes are remarks for the person who gave the configuration, such
// as a path that was added. Errors name the place and never hold a credential.
// A query that needs a Prometheus is refused by name where it was asked for by
// name, and is left out of what detection finds.
func Open(cfg Config) (*Source, []string, error) {
	if cfg.Clock == nil {
		return nil, nil, errors.New("the scraping source was given no clock")
	}
	endpoints, notes, err := parseEndpoints(cfg.URLs)
	if err != nil {
		return nil, nil, err
	}
	if err := cfg.check(); err != nil {
		return nil, nil, err
	}
	secrets := &web.Secrets{}
	client, err := newClient(cfg, endpoints, secrets)
	if err != nil {
		return nil, nil, err
	}
	s := newSource(cfg, endpoints, client, secrets)
	if err := s.fix(); err != nil {
		return nil, nil, err
	}
	return s, notes, nil
}

// check refuses what cannot work and fills in defaults.
func (cfg *Config) check() error {
	if err := web.CheckHeaders(cfg.Headers); err != nil {
		return err
	}
	for _, name := range cfg.By {
		if err := promql.CheckLabel(name); err != nil {
			return fmt.Errorf("--by %w", err)
		}
	}
	if cfg.Interval < 0 || cfg.Rate < 0 || cfg.Timeout < 0 || cfg.MaxBytes < 0 || cfg.MaxSeries < 0 {
		return errors.New("interval, rate, timeout and caps cannot be negative")
	}
	if cfg.Interval == 0 {
		cfg.Interval = defaultInterval
	}
	if cfg.Interval < leastInterval {
		return fmt.Errorf("--interval=%s is too short: the least is 100ms", collector.FormatInterval(cfg.Interval))
	}
	if cfg.Interval%time.Millisecond != 0 || cfg.Rate%time.Millisecond != 0 {
		return errors.New("interval and rate are in whole milliseconds")
	}
	if cfg.Rate == 0 {
		cfg.Rate = pace.RateRange(cfg.Interval)
	}
	if cfg.Rate < 2*cfg.Interval {
		return fmt.Errorf("--rate=%s holds fewer than two scrapes at --interval=%s: give --rate=%s or more",
			collector.FormatInterval(cfg.Rate), collector.FormatInterval(cfg.Interval), collector.FormatInterval(2*cfg.Interval))
	}
	if cfg.Rate/cfg.Interval > mostPoints {
		return fmt.Errorf("--rate=%s is too long at --interval=%s: %d scrapes are kept at most, give --interval=%s or more",
			collector.FormatInterval(cfg.Rate), collector.FormatInterval(cfg.Interval), mostPoints,
			collector.FormatInterval((cfg.Rate/mostPoints).Truncate(time.Second)+time.Second))
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = min(max(cfg.Interval, time.Second), longestTimeout)
	}
	if cfg.MaxBytes == 0 {
		cfg.MaxBytes = defaultMaxBytes
	}
	if cfg.MaxSeries == 0 {
		cfg.MaxSeries = defaultMaxSeries
	}
	if cfg.Rand == nil {
		cfg.Rand = func() float64 { return 0.5 }
	}
	if cfg.Known == nil {
		cfg.Known = profile.Builtin()
	}
	return nil
}

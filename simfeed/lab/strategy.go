package lab

import (
	"fmt"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// Strategy is a named configuration.
type Strategy struct {
	ID     string // "S1", "breaker-alone": unique, used in flags and JSON
	Title  string // what it does, a few words
	Config Config // with the published script and DefaultSeed
}

// DefaultSeed is the seed of the published script.
const DefaultSeed = 4242

// Script is the published script without a strategy: 200 clients for a minute,
// capacity for 240 attempts a second, everything down in seconds 20 to 25.
func Script() Config {
	return Config{
		Clients: 200, Seconds: 60, Capacity: 240, OutageFrom: 20, OutageTo: 26, Seed: DefaultSeed,
		BudgetPct: 100, Deadline: 30 * time.Second, BreakerThreshold: 400,
	}
}

// Strategies are the six strategies S1 to S6, each one better than the one before.
func Strategies() []Strategy {
	s1 := Script()
	s1.Retries = 3
	s2 := Script()
	s2.Retries, s2.Base = 5, 500*time.Millisecond
	s3 := s2
	s3.Jitter = FullJitter
	s4 := s3
	s4.BudgetPct = 20
	s5 := s4
	s5.Deadline = 3 * time.Second
	s6 := s5
	s6.Breaker = true
	return []Strategy{
		{"S1", "fixed, no wait", s1},
		{"S2", "exponential", s2},
		{"S3", "S2 + full jitter", s3},
		{"S4", "S3 + 20% budget", s4},
		{"S5", "S4 + 3s deadline", s5},
		{"S6", "S5 + breaker", s6},
	}
}

// Controls are the runs that show which part of a strategy does what: the same
// ones with the budget off, and the breaker with and without its company.
func Controls() []Strategy {
	all := Strategies()
	s3, s4, s5, s6 := all[2].Config, all[3].Config, all[4].Config, all[5].Config
	with := func(c Config, change func(*Config)) Config { change(&c); return c }
	out := []Strategy{
		{"S4-budget-off", "S4 no budget", with(s4, func(c *Config) { c.BudgetPct = 100 })},
		{"S5-budget-off", "S5 no budget", with(s5, func(c *Config) { c.BudgetPct = 100 })},
		{"breaker-alone", "S3 + breaker", with(s3, func(c *Config) { c.Breaker = true })},
		{"breaker-budget-deadline3s", "S6", s6},
		{"breaker-budget-deadline30s", "S4 + breaker", with(s4, func(c *Config) { c.Breaker = true })},
		{"breaker-deadline3s", "S6 no budget", with(s6, func(c *Config) { c.BudgetPct = 100 })},
		{"no-breaker-budget-deadline3s", "S5", s5},
	}
	for _, threshold := range []int{50, 100, 200, 300, 800} {
		out = append(out, Strategy{
			fmt.Sprintf("breaker-budget-deadline3s-threshold%d", threshold), fmt.Sprintf("S6 > %d", threshold),
			with(s6, func(c *Config) { c.BreakerThreshold = threshold }),
		})
	}
	return out
}

// Seeds are the seeds of the published tables, DefaultSeed first.
func Seeds() []int64 {
	return []int64{DefaultSeed, 1, 7, 42, 2026, 31337, -5, 9007199254740993}
}

// Lookup finds a strategy or control by its ID, in any case. The error says
// which exist.
func Lookup(id string) (Strategy, error) {
	known := append(Strategies(), Controls()...)
	names := make([]string, len(known))
	for i, s := range known {
		if strings.EqualFold(s.ID, id) {
			return s, nil
		}
		names[i] = s.ID
	}
	strategies := Strategies()
	return Strategy{}, fmt.Errorf("unknown strategy %s%s: there are %s to %s, and the controls that stormtop lab --help lists",
		collector.Quote(id), usage.DidYouMean(id, names[len(strategies):]), strategies[0].ID, strategies[len(strategies)-1].ID)
}

// Published are all runs of the published tables: every strategy for every
// seed, then the controls.
func Published() []Strategy {
	out := WithSeeds(Strategies(), Seeds())
	return append(out, Controls()...)
}

// WithSeeds lists every strategy for each seed, seed by seed.
func WithSeeds(list []Strategy, seeds []int64) []Strategy {
	out := make([]Strategy, 0, len(list)*len(seeds))
	for _, seed := range seeds {
		for _, s := range list {
			s.Config.Seed = seed
			out = append(out, s)
		}
	}
	return out
}

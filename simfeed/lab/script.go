package lab

import (
	"fmt"
	"strings"

	"stormtop/collector"
)

// The timing of Demo, in seconds.
const (
	demoLoop       = 300
	demoOutageFrom = 60
	demoOutageTo   = 120
	demoLead       = 10 // from the start to the next outage
)

// Demo is what plays when no source was named: every five minutes an outage of
// one minute, seen by targets that differ in their retry strategy alone, and
// one without an outage. The caller adds Start, Span, Speed and Sleep.
func Demo(seed int64) FeedConfig {
	target := func(name, strategy string) FeedTarget {
		s, err := Lookup(strategy)
		if err != nil {
			panic(err) // one of Strategies
		}
		c := s.Config
		c.Seconds, c.OutageFrom, c.OutageTo, c.Seed = demoLoop, demoOutageFrom, demoOutageTo, seed
		return FeedTarget{Name: "demo/" + name, Config: c, Loop: true}
	}
	users := target("users", "S3")
	users.Config.OutageFrom, users.Config.OutageTo = 0, 0
	return FeedConfig{
		Source: "simulator", Name: "demo", Offset: demoOutageFrom - demoLead,
		Targets: []FeedTarget{target("payments", "S3"), target("orders", "S5"), target("search", "S6"), users},
	}
}

// Play is the published script for the strategies of a list such as "S3",
// "S3,S4" or "S1..S6", one target each, once. The caller adds Start, Speed and
// Sleep.
func Play(list string, seed int64) (FeedConfig, error) {
	chosen, err := ParseStrategies(list)
	if err != nil {
		return FeedConfig{}, err
	}
	c := FeedConfig{Source: "lab:" + list, Name: "lab:" + list}
	for _, s := range chosen {
		s.Config.Seed = seed
		c.Targets = append(c.Targets, FeedTarget{Name: "lab/" + s.ID, Config: s.Config})
	}
	return c, nil
}

// ParseStrategies reads a list of strategies or controls: IDs separated by
// commas, or a range of strategies such as "S1..S6". Each may be named once.
func ParseStrategies(list string) ([]Strategy, error) {
	var out []Strategy
	seen := map[string]bool{}
	for _, item := range strings.Split(list, ",") {
		found, err := parseStrategy(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		for _, s := range found {
			if seen[s.ID] {
				return nil, fmt.Errorf("strategy %s is named twice: name it once", s.ID)
			}
			seen[s.ID] = true
			out = append(out, s)
		}
	}
	return out, nil
}

func parseStrategy(item string) ([]Strategy, error) {
	from, to, isRange := strings.Cut(item, "..")
	if !isRange {
		s, err := Lookup(item)
		return []Strategy{s}, err
	}
	first, last, all := -1, -1, Strategies()
	for i, s := range all {
		if strings.EqualFold(s.ID, from) {
			first = i
		}
		if strings.EqualFold(s.ID, to) {
			last = i
		}
	}
	if first < 0 || last < first {
		return nil, fmt.Errorf("unknown range of strategies %s: give it as S1..S6", collector.Quote(item))
	}
	return all[first : last+1], nil
}

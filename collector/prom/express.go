package prom

import (
	"context"
	"errors"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
	"stormtop/collector/profile"
)

// express is a plan as PromQL for one range of the rates.
func (p *plan) express(rate time.Duration) collector.Expressions {
	out := collector.Expressions{
		Profile: p.Profile.Name, Title: p.Profile.Title, Kind: p.Kind, Trust: p.Profile.Trust, By: p.By, Units: p.Units,
		Sum: p.Sum, ZeroFill: p.Profile.ZeroFill, Replicas: p.collapse,
	}
	for _, s := range p.Signals {
		if p.queries[s].text != "" {
			out.Queries[s] = p.query(s, rate)
		}
	}
	out.Sides[0], out.Sides[1] = p.sides()
	return out
}

// Expressions are what the source asks, one for each system, with the range of
// the rates. They may be asked for from any goroutine, once there was a reading.
func (s *Source) Expressions() ([]collector.Expressions, time.Duration, error) {
	v := s.probed.Load()
	if v == nil || len(v.systems) == 0 {
		return nil, 0, errNotYet
	}
	var out []collector.Expressions
	for _, sys := range v.systems {
		out = append(out, sys.plan.express(v.rate))
	}
	return out, v.rate, nil
}

// Express looks what a server has, as a Source would at its start, and says what
// would be asked. An error is a *Refused, or that of the context.
func (c *Client) Express(ctx context.Context) ([]collector.Expressions, time.Duration, error) {
	return c.s.Express(ctx)
}

// Express is the same of a source, in the goroutine of its Next: behind Through
// it is of the systems that were read there.
func (s *Source) Express(ctx context.Context) ([]collector.Expressions, time.Duration, error) {
	if fail := s.prepare(ctx, &collector.Reading{}); fail != nil {
		return nil, 0, s.refusal(ctx, fail)
	}
	var out []collector.Expressions
	for _, sys := range s.systems {
		if sys.plan.Edge() && s.edgeless {
			continue
		}
		out = append(out, sys.plan.express(s.rate()))
	}
	return out, s.rate(), nil
}

// Express is what would be asked of the profiles, the signals and the edge pair
// that a configuration names, without asking any server: what a server alone can
// tell is not in it: labels of replicas count once where they are named.
func Express(cfg Config) ([]collector.Expressions, time.Duration, error) {
	rate := cfg.Rate
	if rate == 0 {
		rate = pace.AssumedRange
	}
	var plans []*plan
	var owner *profile.Profile
	add := func(p *plan, err error) error {
		if p != nil && err == nil {
			plans = append(plans, p)
		}
		return err
	}
	if len(cfg.Profiles) == 0 && len(cfg.Signals) > 0 {
		if err := add(signalsPlan(cfg, nil)); err != nil {
			return nil, 0, err
		}
	}
	for i := range cfg.Profiles {
		if err := add(signalsPlan(cfg, &cfg.Profiles[i])); err != nil {
			return nil, 0, err
		}
		if owner == nil && cfg.Profiles[i].Edge != nil {
			owner = &cfg.Profiles[i]
		}
	}
	if err := add(edgePlan(cfg, owner)); err != nil {
		return nil, 0, err
	}
	if len(plans) == 0 {
		return nil, 0, errors.New("no system is named: add --profile=NAME (stormtop profiles lists them), --signal, or --prom=URL to look for one")
	}
	var out []collector.Expressions
	for _, p := range plans {
		if len(cfg.ReplicaLabels) > 0 { // named, so that they are there
			p = p.collapsing(cfg.ReplicaLabels)
		}
		out = append(out, p.express(rate))
	}
	return out, rate, nil
}

package scrape

import (
	"fmt"
	"slices"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// TestAnEdgePairIsJudgedAsFarAsItIsKnown: 20 attempts for 5 requests of the
// users are 4x, and with a fan-out of 2 that is healthy, 2x.
func TestAnEdgePairIsJudgedAsFarAsItIsKnown(t *testing.T) {
	fanOut := map[string]float64{"edge": 2}
	for name, c := range map[string]struct {
		trust  collector.Trust
		known  map[string]float64
		front  string // the metric with the requests of the users
		total  float64
		kind   collector.RatioKind
		target bool
	}{
		"trusted":                          {collector.Approx, nil, "front_total", 4, collector.Edge, true},
		"trusted, with a baseline":         {collector.Approx, fanOut, "front_total", 2, collector.Edge, true},
		"fan-out in it":                    {collector.Heuristic, nil, "front_total", 4, collector.Edge, false},
		"fan-out in it, with a baseline":   {collector.Heuristic, fanOut, "front_total", 2, collector.Edge, true},
		"a side that nobody exports":       {collector.Approx, nil, "other_total", 2, collector.Hop, false},
		"the same, though it has a number": {collector.Approx, fanOut, "other_total", 2, collector.Hop, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := expose(t)
			p := named("shop", collector.Exact, func(p *profile.Profile) {
				p.Edge = &profile.Edge{Ingress: "sum(rate(front_total[$window]))", Downstream: "sum(rate(shop_attempts_total[$window]))", Trust: c.trust, CannotSee: "x"}
			})
			s := open(t, newClock(), func(cfg *Config) {
				cfg.Known = []profile.Profile{p}
				cfg.Baselines.Of = c.known
			}, e)
			var r *collector.Reading
			for i := range 4 {
				e.text(pairs(float64(100+i), map[string]float64{"shop": 2}, fmt.Sprintf("%s %d", c.front, 100+5*i))...)
				r = next(t, s)
			}
			if got := r.Total; got.Target.Kind != c.kind || got.Target.ID != collector.TotalID || !near(got.Values[collector.Amplification].V, c.total) {
				t.Errorf("total %+v", got)
			}
			isEdge := func(row collector.Row) bool { return row.Target.Kind == collector.Edge }
			if got := slices.ContainsFunc(r.Targets, isEdge); got != c.target {
				t.Errorf("a target of its own: %v, want %v", got, c.target)
			}
			described := slices.ContainsFunc(r.Origin.Systems, func(sys collector.System) bool { return sys.Kind == collector.Edge })
			if described != (c.kind == collector.Edge) || r.Origin.Profile != "shop" {
				t.Errorf("%+v", r.Origin)
			}
			e.Close()
			if r = next(t, s); !r.Blind() || slices.ContainsFunc(r.Targets, isEdge) != c.target && c.kind == collector.Edge {
				t.Errorf("blind: %+v", r.Targets)
			}
		})
	}
}

func TestAnEdgePairGoesWithTheGroupingByService(t *testing.T) {
	e := expose(t)
	p := named("shop", collector.Exact, func(p *profile.Profile) {
		p.Edge = &profile.Edge{Ingress: "sum(rate(front_total[$window]))", Downstream: "sum(rate(shop_attempts_total[$window]))", Trust: collector.Approx, CannotSee: "x"}
	})
	s := open(t, newClock(), known(p), e)
	read := func(n int) *collector.Reading {
		e.text(pairs(float64(n), map[string]float64{"shop": 2}, fmt.Sprintf("front_total %d", 5*n))...)
		return next(t, s)
	}
	for n := range 3 {
		read(100 + n)
	}
	s.Steer(collector.Wish{Grouping: collector.ByInstance})
	for n := range 3 {
		read(103 + n)
	}
	if r := read(106); r.Total.Target.Kind != collector.Hop || len(r.Targets) != 1 {
		t.Errorf("%+v", r.Total.Target)
	}
}

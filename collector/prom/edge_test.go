package prom

import (
	"math"
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

func withEdge(trust collector.Trust) profile.Profile {
	return hop("proxy", collector.Approx, func(p *profile.Profile) {
		p.Edge = &profile.Edge{Ingress: "sum(rate(front[$window]))", Downstream: "sum(rate(back[$window]))", Trust: trust, CannotSee: "sees what its own users ask"}
	})
}

func edgeScript() script {
	return script{
		"rate(proxy_in[": {`service="a"`: 100, `service="b"`: 200}, "rate(proxy_out[": {`service="a"`: 100, `service="b"`: 200},
		"sum(rate(front[": {"": 50}, "sum(rate(back[": {"": 150},
	}
}

func TestTheEdgePairIsTheTotalAndATargetOfItsOwn(t *testing.T) {
	s, _ := openKnown(t, edgeScript(), []profile.Profile{withEdge(collector.Approx)}, []string{"proxy"}, nil)
	r := next(t, s)
	edge := targetOf(t, r, "proxy", "edge")
	if edge.Target.Kind != collector.Edge || edge.Values[collector.Amplification].V != 3 || len(r.Targets) != 3 {
		t.Errorf("%+v of %v", edge, names(r))
	}
	total := r.Total
	if total.Target.Kind != collector.Edge || total.Values[collector.Ingress].V != 50 || total.Values[collector.Amplification].V != 3 {
		t.Errorf("%+v", total)
	}
	if sys := r.Origin.Of(edge.Target); sys.CannotSee != "sees what its own users ask" || !strings.Contains(sys.Explain[collector.Ingress], "front[") {
		t.Errorf("%+v", sys)
	}
	if sys := r.Origin.Of(targetOf(t, r, "proxy", "a").Target); sys.CannotSee != "sees proxy only" || r.Origin.Several() {
		t.Errorf("%+v", sys)
	}
}

// TestAnEdgeWithFanOutIsJudgedByABaselineOnly: three services behind a gateway
// are three attempts for a request when all is well.
func TestAnEdgeWithFanOutIsJudgedByABaselineOnly(t *testing.T) {
	known := []profile.Profile{withEdge(collector.Heuristic)}
	s, _ := openKnown(t, edgeScript(), known, []string{"proxy"}, nil)
	r := next(t, s)
	if len(r.Targets) != 2 || r.Total.Values[collector.Amplification].V != 3 || r.Total.Values[collector.Amplification].Trust != collector.Heuristic {
		t.Errorf("%v %+v", names(r), r.Total.Values[collector.Amplification])
	}
	s, _ = openKnown(t, edgeScript(), known, []string{"proxy"}, func(c *Config) { c.Baselines.Of = map[string]float64{"edge": 2.5} })
	r = next(t, s)
	if v := targetOf(t, r, "proxy", "edge").Values[collector.Amplification]; math.Abs(v.V-1.2) > 1e-9 {
		t.Errorf("%+v", v)
	}
}

func TestANamedPairIsTheEdge(t *testing.T) {
	pair := EdgePair{Ingress: "sum(rate(front[$window]))", Downstream: "sum(rate(back[$window]))"}
	s, _ := openKnown(t, edgeScript(), []profile.Profile{hop("proxy", collector.Approx, nil)}, nil, func(c *Config) { c.Edge = pair })
	r := next(t, s) // no known system has data
	if r.Blind() || len(r.Targets) != 1 || r.Targets[0].Target.Kind != collector.Edge || r.Total.Values[collector.Amplification].V != 3 {
		t.Fatalf("%v %+v", names(r), r.Failures)
	}
	s, _ = openKnown(t, edgeScript(), []profile.Profile{withEdge(collector.Approx)}, []string{"proxy"},
		func(c *Config) { c.Edge = EdgePair{Ingress: "sum(rate(proxy_in[$window]))"} })
	if r = next(t, s); targetOf(t, r, "proxy", "edge").Values[collector.Downstream].V != 150 {
		t.Errorf("the side that was not named is that of the profile: %+v", r.Total)
	}
}

func TestAWrongEdgeIsRefusedAtOnce(t *testing.T) {
	f := newFake(t)
	for flag, pair := range map[string]EdgePair{
		"--ingress: malformed PromQL":    {Ingress: "sum(", Downstream: "b"},
		"--downstream: malformed PromQL": {Ingress: "a", Downstream: "sum("},
	} {
		cfg := f.config()
		cfg.Edge = pair
		if _, _, err := Open(cfg); err == nil || !strings.HasPrefix(err.Error(), flag) {
			t.Errorf("%v, want %s", err, flag)
		}
	}
}

package prom

import (
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

func TestSeveralSystemsStandSideBySide(t *testing.T) {
	proxy, library, guess := hop("proxy", collector.Approx, nil), hop("library", collector.Exact, nil), hop("guess", collector.Heuristic, nil)
	pool := profile.Profile{Name: "pool", LooksFor: "pool_wait", Detect: "count(pool_wait)", By: []string{"db"}, Kind: collector.Hop, Trust: collector.Approx,
		CannotSee: "no retries", Signals: map[collector.Signal]string{collector.PoolWait: "sum by ($by) (pool_wait)"}}
	s, _ := openKnown(t, script{
		"rate(proxy_in[": {`service="pay"`: 100}, "rate(proxy_out[": {`service="pay"`: 100},
		"rate(library_in[": {`service="pay"`: 100}, "rate(library_out[": {`service="pay"`: 270},
		"sum by (db) (pool_wait)": {`db="orders"`: 0.25},
	}, []profile.Profile{guess, pool, proxy, library}, []string{"guess", "pool", "proxy", "library"}, nil)
	r := next(t, s)
	if r.Blind() || len(r.Targets) != 3 {
		t.Fatalf("%v %+v", names(r), r.Failures)
	}
	if a, b := targetOf(t, r, "proxy", "pay"), targetOf(t, r, "library", "pay"); a.Target.ID == b.Target.ID ||
		a.Values[collector.Amplification].V != 1 || b.Values[collector.Amplification].V != 2.7 {
		t.Errorf("%+v\n%+v", a, b)
	}
	if v := targetOf(t, r, "pool", "orders").Values; v[collector.PoolWait].V != 0.25 || v[collector.Amplification].State != collector.Missing {
		t.Errorf("%+v", v)
	}
	o := r.Origin
	if o.Profile != "library+proxy+pool" || strings.Join(o.Offered, " ") != "guess" || !o.Several() {
		t.Errorf("judged %s, offered %v", o.Profile, o.Offered)
	}
	if o.System("proxy").CannotSee != "sees proxy only" || o.System("library").Trust != collector.Exact {
		t.Errorf("%+v", o.Systems)
	}
	if r.Total.Target.System != "library" || r.Total.Values[collector.Amplification].V != 2.7 {
		t.Errorf("the total is that of the most trusted system: %+v", r.Total)
	}
	if len(r.Asked) != 5 {
		t.Errorf("%+v", r.Asked)
	}
}

func TestAHeuristicRatioLeadsOnlyWhereThereIsNoOther(t *testing.T) {
	guess := hop("guess", collector.Heuristic, nil)
	s, _ := openKnown(t, script{"rate(guess_in[": {`service="a"`: 10}, "rate(guess_out[": {`service="a"`: 36.3}},
		[]profile.Profile{guess}, []string{"guess"}, nil)
	r := next(t, s)
	if v := value(t, r, "a", collector.Amplification); v.V != 3.63 || v.Trust != collector.Heuristic {
		t.Errorf("%+v", v)
	}
}

func TestAFailureOfOneSystemLeavesTheOthersAlone(t *testing.T) {
	proxy, library := hop("proxy", collector.Approx, nil), hop("library", collector.Exact, nil)
	sc := script{
		"rate(proxy_in[": {`service="pay"`: 100}, "rate(proxy_out[": {`service="pay"`: 110},
		"rate(library_in[": {`service="pay"`: 100}, "rate(library_out[": {`service="pay"`: 270},
	}
	s, f := openKnown(t, sc, []profile.Profile{proxy, library}, []string{"proxy", "library"}, nil)
	next(t, s)
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "rate(library_in") {
			return &canned{code: 422, body: `{"status":"error","errorType":"execution","error":"too many samples"}`}
		}
		return sc.answer(q)
	})
	r := next(t, s)
	if len(r.Failures) != 1 || r.Failures[0].System != "library" || r.Failures[0].Signal != collector.Ingress {
		t.Fatalf("%+v", r.Failures)
	}
	if v := targetOf(t, r, "library", "pay").Values[collector.Amplification]; v.State != collector.Failed {
		t.Errorf("%+v", v)
	}
	if v := targetOf(t, r, "proxy", "pay").Values[collector.Amplification]; v.State != collector.Ok {
		t.Errorf("%+v", v)
	}
}

func TestAttemptsThatNeverGotAConnectionAreCounted(t *testing.T) {
	mesh := hop("mesh", collector.Approx, func(p *profile.Profile) {
		p.Sum = true
		p.ZeroFill = []collector.Signal{collector.Retries}
		delete(p.Signals, collector.Downstream)
		p.Signals[collector.Retries] = "sum by ($by) (rate(mesh_retry[$window]))"
		p.Signals[collector.Arrived] = "sum by ($by) (rate(mesh_arrived[$window]))"
	})
	s, _ := openKnown(t, script{
		"rate(mesh_in[":      {`service="a"`: 100, `service="b"`: 50},
		"rate(mesh_retry[":   {`service="a"`: 150},
		"rate(mesh_arrived[": {`service="a"`: 120, `service="b"`: 50},
	}, []profile.Profile{mesh}, []string{"mesh"}, nil)
	r := next(t, s)
	a := targetOf(t, r, "mesh", "a").Values
	if a[collector.Downstream].V != 250 || a[collector.Amplification].V != 2.5 || a[collector.Arrived].V != 120 || a[collector.RetryRate].V != 0.6 {
		t.Errorf("%+v", a)
	}
	if b := targetOf(t, r, "mesh", "b").Values; b[collector.Amplification].V != 1 || b[collector.RetryRate].V != 0 {
		t.Errorf("a counter that never moved is no reason not to know: %+v", b)
	}
}

// TestACounterThatNeverMovesIsNotBelieved is case E9: retry metrics that are
// exported and not enabled read a constant 0.
func TestACounterThatNeverMovesIsNotBelieved(t *testing.T) {
	mesh := hop("mesh", collector.Approx, func(p *profile.Profile) {
		p.Signals[collector.Retries] = "sum by ($by) (rate(mesh_retry[$window]))"
	})
	for name, c := range map[string]struct {
		retries, attempts float64
		rate              float64
		warned            bool
	}{
		"not enabled":       {0, 250, 0.6, true},
		"nothing to retry":  {0, 100, 0, false},
		"a little off":      {0, 104, 0, false},
		"enabled, counting": {150, 250, 0.6, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openKnown(t, script{
				"rate(mesh_in[": {`service="a"`: 100}, "rate(mesh_out[": {`service="a"`: c.attempts}, "rate(mesh_retry[": {`service="a"`: c.retries},
			}, []profile.Profile{mesh}, []string{"mesh"}, nil)
			r := next(t, s)
			if v := value(t, r, "a", collector.RetryRate); v.State != collector.Ok || v.V != c.rate {
				t.Errorf("%+v, want %v", v, c.rate)
			}
			if warned(r, "probably not enabled") != c.warned {
				t.Errorf("%v", r.Warnings)
			}
		})
	}
}

// TestASystemThatComesLaterIsFound: of a server that was started a moment ago not
// everything is there at once.
func TestASystemThatComesLaterIsFound(t *testing.T) {
	sc := script{
		"rate(proxy_in[": {`service="pay"`: 100}, "rate(proxy_out[": {`service="pay"`: 100},
		"rate(library_in[": {`service="pay"`: 100}, "rate(library_out[": {`service="pay"`: 270},
	}
	s, f := openKnown(t, sc, []profile.Profile{hop("proxy", collector.Approx, nil), hop("library", collector.Exact, nil)}, []string{"proxy"}, nil)
	r := next(t, s)
	if r.Origin.Profile != "proxy" {
		t.Fatal(r.Origin.Profile)
	}
	begun := r.At
	f.on(sc.found("library"))
	for r.Origin.Profile == "proxy" && r.At.Sub(begun) < 2*observeEvery {
		r = next(t, s)
	}
	if r.Origin.Profile != "library+proxy" || !r.Begins {
		t.Errorf("%s after %v, begins %v", r.Origin.Profile, r.At.Sub(begun), r.Begins)
	}
	if targetOf(t, r, "library", "pay").Values[collector.Amplification].V != 2.7 {
		t.Errorf("%+v", r.Targets)
	}
	for r.At.Sub(begun) < 4*observeEvery { // nothing new: it goes on
		if r = next(t, s); r.Begins {
			t.Fatal("it begins anew without a reason")
		}
	}
}

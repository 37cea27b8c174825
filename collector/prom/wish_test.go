package prom

import (
	"slices"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

func steered(t *testing.T) (*Source, *fakeProm) {
	lib := hop("lib", collector.Exact, func(p *profile.Profile) { p.Callers = []string{"caller"} })
	sc := script{
		"sum by (service) (rate(lib_in[":                          {`service="pay"`: 100},
		"sum by (service) (rate(lib_out[":                         {`service="pay"`: 200},
		"sum by (service, caller) (rate(lib_in[":                  {`service="pay",caller="web"`: 60, `service="pay",caller="app"`: 40},
		"sum by (service, caller) (rate(lib_out[":                 {`service="pay",caller="web"`: 60, `service="pay",caller="app"`: 140},
		"sum by (service, instance) (rate(lib_in[":                {`service="pay",instance="i"`: 100},
		"sum by (service, instance) (rate(lib_out[":               {`service="pay",instance="i"`: 200},
		`sum by (service, caller) (rate(lib_in{service=~"pay"}[`:  {`service="pay",caller="web"`: 60, `service="pay",caller="app"`: 40},
		`sum by (service, caller) (rate(lib_out{service=~"pay"}[`: {`service="pay",caller="web"`: 60, `service="pay",caller="app"`: 140},
		"(rate(guess_in[":                                         {`service="pay"`: 10},
		"(rate(guess_out[":                                        {`service="pay"`: 30},
	}
	seen(sc, "in", map[string]float64{"series": 4, "single": 4, "jobs": 4, "values caller": 2})
	return openKnown(t, sc, []profile.Profile{lib, hop("guess", collector.Heuristic, nil)}, []string{"lib", "guess"}, func(c *Config) { c.Span = time.Minute })
}

// live skips the readings of the past.
func live(t *testing.T, s *Source) (r *collector.Reading, begun bool) {
	t.Helper()
	for {
		r = next(t, s)
		begun = begun || r.Begins
		if !r.Past {
			return r, begun
		}
	}
}

func TestAWishChangesTheGroupingAtOnceAndReadsThePastAgain(t *testing.T) {
	s, f := steered(t)
	r, begun := live(t, s)
	if begun || !slices.Equal(names(r), []string{"pay"}) || !slices.Equal(r.Origin.Groupings, []collector.Grouping{collector.ByService, collector.ByCaller, collector.ByInstance}) {
		t.Fatalf("%v %v", names(r), r.Origin.Groupings)
	}
	before := f.clock.Now()
	s.Steer(collector.Wish{Grouping: collector.ByCaller})
	first := next(t, s)
	if !first.Begins || !first.Past || len(first.Targets) != 2 {
		t.Errorf("%+v", first)
	}
	if waited := f.clock.Now().Sub(before); waited > 0 {
		t.Errorf("the answer to a wish waited %v for its slot", waited)
	}
	r, begun = live(t, s)
	if begun || !slices.Equal(names(r), []string{"app/pay", "web/pay"}) || r.Origin.Grouping != collector.ByCaller {
		t.Errorf("begun %v: %v %v", begun, names(r), r.Origin.Grouping)
	}
	if v := value(t, r, "app/pay", collector.Amplification); v.V != 3.5 {
		t.Errorf("%+v", v)
	}
	s.Steer(collector.Wish{Grouping: collector.ByCaller})
	if _, begun = live(t, s); begun {
		t.Error("the same wish again begins anew")
	}
	s.Steer(collector.Wish{})
	if r, begun = live(t, s); !begun || !slices.Equal(names(r), []string{"pay"}) {
		t.Errorf("begun %v: %v", begun, names(r))
	}
}

func TestAWishChoosesAmongTheSystemsThatWereFound(t *testing.T) {
	s, _ := steered(t)
	if r, _ := live(t, s); r.Origin.Profile != "lib" || !slices.Equal(r.Origin.Offered, []string{"guess"}) {
		t.Fatalf("%+v", r.Origin)
	}
	s.Steer(collector.Wish{Systems: []string{"guess"}})
	r, begun := live(t, s)
	if !begun || r.Origin.Profile != "guess" || !slices.Equal(r.Origin.Offered, []string{"lib"}) || value(t, r, "pay", collector.Amplification).V != 3 {
		t.Errorf("%v %+v", begun, r.Origin)
	}
}

func TestBaselinesChangeWhileItRuns(t *testing.T) {
	s, _ := steered(t)
	r, _ := live(t, s)
	id := targetOf(t, r, "lib", "pay").Target.ID
	s.SetBaselines(collector.Baselines{Learned: map[string]float64{id: 2}, From: "median of 1h"})
	r, begun := live(t, s)
	if row := targetOf(t, r, "lib", "pay"); begun || row.Values[collector.Amplification].V != 1 || row.Baseline != 2 || r.Origin.Baselines.From != "median of 1h" {
		t.Errorf("%v %+v", begun, row)
	}
}

// TestOtherBaselinesOfTheSameTargetsAreDescribed: as many, from a span of the
// same length, and other numbers.
func TestOtherBaselinesOfTheSameTargetsAreDescribed(t *testing.T) {
	s, _ := steered(t)
	r, _ := live(t, s)
	id := targetOf(t, r, "lib", "pay").Target.ID
	for _, n := range []float64{2, 4} {
		s.SetBaselines(collector.Baselines{Learned: map[string]float64{id: n}, From: "median of 1h"})
		r, _ = live(t, s)
		if got := r.Origin.Baselines.Learned[id]; got != n {
			t.Errorf("the origin says %v, divided by %v", got, n)
		}
	}
}

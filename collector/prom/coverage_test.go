package prom

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// reporting is a script for two services of one system, of which each side of
// pay has so many reporters.
func reporting(attempts float64, ingress, downstream float64) script {
	counts := func(n float64) vector { return vector{`service="pay"`: n, `service="calm"`: 4} }
	whole := func(n float64) vector { return vector{"": n} }
	return script{
		`count(count by (instance) (lib_in`: whole(ingress), `count(count by (instance) (lib_out`: whole(downstream),
		`quantile_over_time(0.5, (count(count by (instance) (lib_in`: whole(40), `quantile_over_time(0.5, (count(count by (instance) (lib_out`: whole(40),
		"rate(lib_in[":  {`service="pay"`: 100, `service="calm"`: 50},
		"rate(lib_out[": {`service="pay"`: attempts, `service="calm"`: 50},
		`count by (service) (count by (service, instance) (lib_in`:                           counts(ingress),
		`count by (service) (count by (service, instance) (lib_out`:                          counts(downstream),
		`quantile_over_time(0.5, (count by (service) (count by (service, instance) (lib_in`:  {`service="pay"`: 40, `service="calm"`: 4},
		`quantile_over_time(0.5, (count by (service) (count by (service, instance) (lib_out`: {`service="pay"`: 40, `service="calm"`: 4},
	}
}

func openReporting(t *testing.T) (*Source, *fakeProm) {
	return openKnown(t, reporting(250, 40, 40), []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
}

func TestHalfOfOneSidesReportersGoneIsPartialAtOnce(t *testing.T) {
	s, f := openReporting(t)
	for range 4 { // looks come from time to time only
		next(t, s)
	}
	f.on(reporting(125, 40, 20).found("lib"))
	r := next(t, s)
	pay := targetOf(t, r, "lib", "pay").Values
	if pay[collector.Downstream].State != collector.Partial || pay[collector.Amplification].State != collector.Partial || pay[collector.Ingress].State != collector.Ok {
		t.Errorf("%+v", pay)
	}
	if calm := targetOf(t, r, "lib", "calm").Values; calm[collector.Amplification].State != collector.Ok {
		t.Errorf("a target that lacks nobody is %+v", calm[collector.Amplification])
	}
	want := collector.Reporters{System: "lib", Target: targetOf(t, r, "lib", "pay").Target.ID, Side: collector.Downstream, Now: 20, Usual: 40}
	whole := collector.Reporters{System: "lib", Side: collector.Downstream, Now: 20, Usual: 40}
	if !slices.Contains(r.Reporters, want) || !slices.Contains(r.Reporters, whole) {
		t.Errorf("%+v", r.Reporters)
	}
	f.on(reporting(250, 40, 40).found("lib"))
	if v := value(t, next(t, s), "pay", collector.Amplification); v.State != collector.Ok {
		t.Errorf("they are back, and it is %+v", v)
	}
}

func TestThoseWhoWereAwayBeforeTheStartAreMissed(t *testing.T) {
	s, _ := openKnown(t, reporting(125, 40, 20), []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
	if v := value(t, next(t, s), "pay", collector.Amplification); v.State != collector.Partial {
		t.Errorf("%+v", v)
	}
}

func TestFewerReportersAreTheUsualOnesInTheEnd(t *testing.T) {
	s, f := openReporting(t)
	next(t, s)
	f.on(reporting(125, 20, 20).found("lib"))
	r := next(t, s)
	for begun := r.At; r.At.Sub(begun) < acceptAfter+2*time.Minute; {
		r = next(t, s)
	}
	if v := value(t, r, "pay", collector.Amplification); v.State != collector.Ok {
		t.Errorf("after %v without the others it is still %+v", acceptAfter, v)
	}
}

func TestOneOfFortyIsAwayAllTheTime(t *testing.T) {
	s, f := openReporting(t)
	next(t, s)
	f.on(reporting(245, 40, 39).found("lib"))
	for range 12 {
		if v := value(t, next(t, s), "pay", collector.Amplification); v.State != collector.Ok {
			t.Fatalf("%+v", v)
		}
	}
}

// TestWhoReportsIsAskedSeldom: four queries each tenth poll while all is well.
func TestWhoReportsIsAskedSeldom(t *testing.T) {
	s, f := openReporting(t)
	next(t, s)
	f.asked()
	for range 30 {
		next(t, s)
	}
	n := 0
	for _, q := range f.asked() {
		if strings.Contains(q.query, "instance)") {
			n++
		}
	}
	if n != 12 {
		t.Errorf("%d queries in 30 polls, want 12", n)
	}
}

func TestReportersAreNotKnownWhereNothingCountsThem(t *testing.T) {
	sc := reporting(125, 40, 20)
	maps.DeleteFunc(sc, func(piece string, _ vector) bool { return strings.Contains(piece, "instance") })
	s, _ := openKnown(t, sc, []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
	r := next(t, s)
	if len(r.Reporters) != 0 || value(t, r, "pay", collector.Amplification).State != collector.Ok {
		t.Errorf("%+v", r.Reporters)
	}
}

// TestASystemThatIsYoungIsLookedAtAgain: the first poll may come before there is
// a rate; who goes away right after it is missed all the same.
func TestASystemThatIsYoungIsLookedAtAgain(t *testing.T) {
	young := reporting(250, 40, 40)
	for piece := range young {
		if !strings.Contains(piece, "rate(") {
			delete(young, piece)
		}
	}
	young["rate(lib_in["], young["rate(lib_out["] = vector{}, vector{}
	s, f := openKnown(t, young, []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
	next(t, s)
	f.on(reporting(250, 40, 40).found("lib"))
	next(t, s)
	f.on(reporting(125, 40, 20).found("lib"))
	for range lookAgainAt {
		next(t, s)
	}
	if v := value(t, next(t, s), "pay", collector.Amplification); v.State != collector.Partial {
		t.Errorf("%+v", v)
	}
}

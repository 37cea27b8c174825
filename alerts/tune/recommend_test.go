package tune_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/alerts/alertstest"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

// storms is a history of an hour with storms that begin at so many seconds, rise
// to 3x within a minute and last five, and with short noise up to 1.3x.
func storms(t testing.TB, seed uint64, begin ...int) *tune.History {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 7))
	var down strings.Builder
	for s := 0; s < 3600; s += 5 {
		ratio := 1.02 + 0.03*rnd.Float64()
		if rnd.IntN(40) == 0 {
			ratio = 1.1 + 0.2*rnd.Float64()
		}
		for _, b := range begin {
			if since := s - b; since >= 0 && since < 300 {
				ratio = max(ratio, 1+2*min(float64(since)/60, 1))
			}
		}
		fmt.Fprintf(&down, " %.4g", 100*ratio)
	}
	h := build(t, alertstest.Input{Step: 5 * time.Second, RateRange: 20 * time.Second}, "a ingress 100x720\na downstream"+down.String(), amplification())
	for _, b := range begin {
		h.Incidents = append(h.Incidents, incident(b, b+300))
	}
	return h
}

func mapOf(list []*tune.History, spec collector.RuleSpec) *tune.Map {
	return tune.NewMap(list, spec, tune.Thresholds(list, spec, 60), tune.Fors(list, 40, spec.For))
}

// TestTheRecommendationIsNoWorseOnWhatItHasNotSeen tunes on half of the seeds
// and judges on the others.
func TestTheRecommendationIsNoWorseOnWhatItHasNotSeen(t *testing.T) {
	var known, unknown []*tune.History
	for seed := range uint64(20) {
		h := storms(t, seed, 600+int(seed)*37, 2400)
		if seed < 10 {
			known = append(known, h)
		} else {
			unknown = append(unknown, h)
		}
	}
	spec := amplification()
	a := tune.Recommend(mapOf(known, spec), spec)
	tuned := spec
	tuned.Threshold, tuned.For = a.Threshold, a.For
	was, is := tune.BacktestAll(unknown, spec).All, tune.BacktestAll(unknown, tuned).All
	if is.False > was.False || is.Missed() > was.Missed() || is.Median > was.Median {
		t.Errorf("recommended %v for %s: %+v, documented: %+v", a.Threshold, a.For, is, was)
	}
	if is.Median >= was.Median {
		t.Errorf("the median lead stays at %s: nothing was won", is.Median)
	}
	if a.Weak != "" || a.Least > a.Threshold || a.Most < a.Threshold || a.Shortest > a.For || a.Longest < a.For {
		t.Errorf("%+v", a)
	}
	if a.Threshold < 1.3 && a.For == 0 {
		t.Errorf("%v for 0s is within the noise", a.Threshold)
	}
}

func TestTheMarginIsWhereTheFiguresTurnWorse(t *testing.T) {
	h := storms(t, 1, 600, 2400)
	spec := amplification()
	m := mapOf([]*tune.History{h}, spec)
	a := tune.Recommend(m, spec)
	if a.Cell.Missed != 0 || a.Cell.False != 0 {
		t.Fatalf("%+v", a)
	}
	for x, threshold := range m.Thresholds {
		inside := threshold >= a.Least && threshold <= a.Most
		if inside != a.Region[a.Y*len(m.Thresholds)+x] && inside {
			t.Errorf("%v is between %v and %v and not as good", threshold, a.Least, a.Most)
		}
	}
	if x, _ := m.Place(collector.RuleSpec{Threshold: a.Least, For: a.For}); x > 0 && a.Region[a.Y*len(m.Thresholds)+x-1] {
		t.Errorf("the margin ends at %v, below which it is as good", a.Least)
	}
}

func TestOneIncidentIsWeakEvidence(t *testing.T) {
	spec := amplification()
	for _, tt := range []struct {
		h    *tune.History
		want string
	}{
		{storms(t, 3, 900), "weak evidence"},
		{storms(t, 3), "no incident is known"},
	} {
		if a := tune.Recommend(mapOf([]*tune.History{tt.h}, spec), spec); !strings.Contains(a.Weak, tt.want) {
			t.Errorf("%q, want %q", a.Weak, tt.want)
		}
	}
}

func TestTheAxesHoldWhatTheRuleHas(t *testing.T) {
	h := []*tune.History{storms(t, 5, 600)}
	for _, threshold := range []float64{1.5, 1e-5, 500} {
		spec := amplification(func(r *collector.RuleSpec) { r.Threshold, r.For = threshold, 77*time.Second })
		x, y := tune.Thresholds(h, spec, 60), tune.Fors(h, 40, spec.For)
		if !slices.Contains(x, threshold) || !slices.Contains(y, 77*time.Second) || !slices.Contains(y, 0) {
			t.Errorf("%v and %v", x, y)
		}
		if len(x) > 60 || len(y) > 40 || len(x) < 20 || !slices.IsSorted(x) || !slices.IsSorted(y) {
			t.Errorf("%d thresholds %v, %d times", len(x), x, len(y))
		}
	}
}

func TestNothingIsRecommendedOfNothing(t *testing.T) {
	a := tune.Recommend(tune.NewMap(nil, amplification(), nil, nil), amplification())
	if a.Threshold != 0 || len(a.Region) != 0 {
		t.Errorf("%+v", a)
	}
	empty := tune.Backtest(&tune.History{}, amplification())
	if empty.Firings != 0 || empty.Incidents != 0 {
		t.Errorf("%+v", empty)
	}
}

// TestRoomIsWorthMoreThanALittleTime: of points that are as good, one with room
// around it is chosen before an earlier one at the edge of false alarm.
func TestRoomIsWorthMoreThanALittleTime(t *testing.T) {
	m := &tune.Map{Incidents: 2}
	for i := range 7 {
		m.Thresholds = append(m.Thresholds, 1+float64(i)/10)
	}
	m.Fors = []time.Duration{0, time.Minute, 2 * time.Minute}
	for y := range m.Fors {
		for x := range m.Thresholds {
			c := tune.Cell{Lead: time.Duration(10*x+y) * time.Second, Median: time.Duration(10*x+y) * time.Second}
			if x == 0 {
				c.False = time.Hour
			}
			m.Cells = append(m.Cells, c)
		}
	}
	spec := amplification(func(r *collector.RuleSpec) { r.Threshold, r.For = 1.6, 2*time.Minute })
	// At 1.1 the false alarm is one step away, at 1.2 two, at 1.3 three.
	a := tune.Recommend(m, spec)
	if a.Threshold != 1.3 || a.For != 0 || a.Clear < 2 || a.Least != 1.1 || a.Most != 1.6 {
		t.Errorf("%v for %s with %d clear, as good from %v to %v", a.Threshold, a.For, a.Clear, a.Least, a.Most)
	}
}

package tune_test

import (
	"fmt"
	"math"
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
		{storms(t, 3), "no incident to judge by"},
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

// TestTheRecommendationIsInNothingWorse: whatever the map, it misses no more,
// has no more false alarm and warns no later than the rule as it is; what costs
// one of these is offered beside it.
func TestTheRecommendationIsInNothingWorse(t *testing.T) {
	better, quieter, more := 0, 0, 0
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		m := &tune.Map{Incidents: rnd.IntN(4), Thresholds: []float64{1, 1.1, 1.2, 1.5, 2}, Fors: []time.Duration{0, 10 * time.Second, time.Minute}}
		for range len(m.Thresholds) * len(m.Fors) {
			c := tune.Cell{Missed: rnd.IntN(m.Incidents + 1), False: time.Duration(rnd.IntN(3)) * time.Minute}
			if c.Found(m.Incidents) {
				c.Median = time.Duration(rnd.IntN(4)) * time.Second
				c.Lead = c.Median + time.Duration(rnd.IntN(3))*time.Second
			}
			m.Cells = append(m.Cells, c)
		}
		spec := amplification()
		a := tune.Recommend(m, spec)
		is := m.At(m.Place(spec))
		if a.Cell.Missed > is.Missed || a.Cell.False > is.False || is.Found(m.Incidents) && a.Cell.Median > is.Median {
			t.Fatalf("seed %d: %+v is recommended, as it is it has %+v", seed, a.Cell, *is)
		}
		if a.Cell != *is {
			better++
		}
		if q := a.Quieter; q != nil {
			quieter++
			if later := q.Cell.Median > is.Median || q.Cell.Lead > is.Lead; q.Cell.False >= a.Cell.False || q.Cell.Missed > a.Cell.Missed || !later {
				t.Errorf("seed %d: quieter than %+v is said to be %+v", seed, a.Cell, q.Cell)
			}
		}
		if c := a.More; c != nil {
			more++
			if c.Cell.Missed >= a.Cell.Missed || c.Cell.False <= is.False && c.Cell.Median <= is.Median {
				t.Errorf("seed %d: more than %+v is said to find %+v", seed, a.Cell, c.Cell)
			}
		}
	}
	if better < 100 || quieter < 20 || more < 20 {
		t.Errorf("%d better, %d quieter, %d that find more: this proves too little", better, quieter, more)
	}
}

// TestWhatIsHadAtAPriceIsOfferedAndNotRecommended: a rule that begins early
// within the noise is not made later, and one that finds nothing is not made to
// cry wolf.
func TestWhatIsHadAtAPriceIsOfferedAndNotRecommended(t *testing.T) {
	list := []*tune.History{storms(t, 8, 600, 2400)}
	early := amplification(func(r *collector.RuleSpec) { r.Threshold, r.For = 1.1, 0 })
	a := tune.Recommend(mapOf(list, early), early)
	if is := tune.BacktestAll(list, early).All; is.False == 0 || a.Cell.Median > is.Median || a.Cell.Lead > is.Lead || a.Quieter == nil || a.Quieter.Cell.False >= a.Cell.False {
		t.Errorf("%v for %s: %+v, quieter %+v, as it is %+v", a.Threshold, a.For, a.Cell, a.Quieter, is)
	}
	calm := storms(t, 8, 600)
	calm.Incidents = []tune.Incident{incident(2000, 2100)} // in which the signal was as always
	high := amplification(func(r *collector.RuleSpec) { r.Threshold, r.For = 3.5, 0 })
	a = tune.Recommend(mapOf([]*tune.History{calm}, high), high)
	if a.Cell.False > 0 || a.Cell.Missed != 1 || a.More == nil || a.More.Cell.False == 0 || a.Weak != "no incident is found without more false alarm" {
		t.Errorf("%v for %s: %+v, %q, more %+v", a.Threshold, a.For, a.Cell, a.Weak, a.More)
	}
}

// TestWithoutAnIncidentTheNearestQuietPointIsRecommended: there is no reason to go
// farther from what somebody chose.
func TestWithoutAnIncidentTheNearestQuietPointIsRecommended(t *testing.T) {
	list := []*tune.History{storms(t, 5)}
	tight := amplification(func(r *collector.RuleSpec) { r.Threshold, r.For = 1.301, 0 })
	if a := tune.Recommend(mapOf(list, tight), tight); a.Threshold != 1.301 || a.For != 0 {
		t.Errorf("instead of %v, which is just quiet, %v for %s", tight.Threshold, a.Threshold, a.For)
	}
	quiet, noisy := amplification(), amplification(func(r *collector.RuleSpec) { r.Threshold, r.For = 1.1, 0 })
	if a := tune.Recommend(mapOf(list, quiet), quiet); a.Threshold != quiet.Threshold || a.For != quiet.For {
		t.Errorf("instead of %v for %s, which is quiet, %v for %s", quiet.Threshold, quiet.For, a.Threshold, a.For)
	}
	if a := tune.Recommend(mapOf(list, noisy), noisy); a.Cell.False > 0 || a.Threshold > 1.5 || a.For > 30*time.Second {
		t.Errorf("%v for %s, with %s of false alarm", a.Threshold, a.For, a.Cell.False)
	}
}

// TestAThresholdOfAnotherUnitIsTunedToo: far beyond all values it does not hide
// where they are.
func TestAThresholdOfAnotherUnitIsTunedToo(t *testing.T) {
	list := []*tune.History{storms(t, 4, 600, 2400)}
	for _, threshold := range []float64{50, 500, 1e6} {
		spec := amplification(func(r *collector.RuleSpec) { r.Threshold = threshold })
		if a := tune.Recommend(mapOf(list, spec), spec); a.Cell.Missed > 0 || a.Cell.False > 0 || a.Threshold > 3 {
			t.Errorf("%v: %v for %s, %+v", threshold, a.Threshold, a.For, a.Cell)
		}
	}
}

// TestTheThresholdsOfAnExpressionAreWhereItsValuesAre: also below nothing, and
// close to one.
func TestTheThresholdsOfAnExpressionAreWhereItsValuesAre(t *testing.T) {
	for _, tt := range []struct {
		name           string
		rule           collector.OwnRule
		values         []float64
		least, between float64 // at least six of the thresholds lie between
	}{
		{"availability", collector.OwnRule{Compare: collector.Below, Threshold: 0.9}, []float64{0.9999, 0.9995, 0.999, 0.99, 0.97}, 0.965, 0.99995},
		{"below nothing", collector.OwnRule{Compare: collector.AtMost, Threshold: -3}, []float64{-1, -2, -8, -5}, -9, -0.5},
		{"on both sides", collector.OwnRule{Compare: collector.Above, Threshold: -2}, []float64{-1, 0, 4, -5}, -6, 0},
		{"numbers of bytes", collector.OwnRule{Compare: collector.Above, Threshold: 2e9}, []float64{1e9, 1.5e9, 1.2e9}, 1e9, 1.6e9},
	} {
		tt.rule.Name, tt.rule.Tunable = "Own", true
		var at []time.Time
		v := tune.Values{}
		for i := range 40 {
			at = append(at, alertstest.Start.Add(time.Duration(i)*time.Second))
			k := tt.values[i%len(tt.values)]
			v.Values, v.Has = append(v.Values, k+math.Abs(k)*float64(i)*1e-7), append(v.Has, true)
		}
		h := []*tune.History{tune.Own(&tt.rule, at, []tune.Values{v})}
		list := tune.Thresholds(h, tt.rule.Spec(), 60)
		inside := 0
		for _, x := range list {
			if x >= tt.least && x <= tt.between {
				inside++
			}
		}
		if inside < 6 || len(list) > 60 || len(list) < 20 || !slices.IsSorted(list) || !slices.Contains(list, tt.rule.Threshold) {
			t.Errorf("%s: %d thresholds, %d where the values are: %v", tt.name, len(list), inside, list)
		}
	}
}

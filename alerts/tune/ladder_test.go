package tune_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

func TestAStepLeadsToANumberThatSomebodyWouldWrite(t *testing.T) {
	below := collector.RuleSpec{Signal: collector.Delivered, Compare: collector.Below, Threshold: 0.9}
	above := func(threshold float64) collector.RuleSpec { return collector.RuleSpec{Threshold: threshold} }
	for _, test := range []struct {
		name     string
		rule     collector.RuleSpec
		unit     collector.Unit
		down, up float64
		stops    []float64
	}{
		{"a ratio", above(1.5), collector.Ratio, 1.4, 1.6, nil},
		{"a ratio near 1", above(1.05), collector.Ratio, 1.04, 1.06, nil},
		{"the least ratio", above(1.01), collector.Ratio, 1.01, 1.02, nil},
		{"a ratio below 1", above(0.5), collector.Ratio, 0.5, 1.01, nil},
		{"a ratio between two rungs", above(1.37), collector.Ratio, 1.3, 1.4, nil},
		{"a number of one's own is a rung", above(1.4), collector.Ratio, 1.37, 1.5, []float64{1.37}},
		{"a share", above(0.1), collector.Fraction, 0.08, 0.12, nil},
		{"the largest share", above(1), collector.Fraction, 0.8, 1, nil},
		{"no requests at their limit", above(0), collector.PerSecond, 0, 0.1, nil},
		{"a tiny share", above(1e-5), collector.Fraction, 0, 0.001, nil},
		{"a rate", above(500), collector.PerSecond, 400, 600, nil},
		{"seconds", above(0.1), collector.Seconds, 0.08, 0.12, nil},
		{"a count", above(10), collector.Count, 8, 12, nil},
		{"a share that must not fall", below, collector.Fraction, 0.88, 0.92, nil},
		{"beyond the ladder", above(1e12), collector.PerSecond, 1e9, 1e12, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := tune.NextThreshold(test.rule, test.unit, false, test.stops...); got != test.down {
				t.Errorf("down to %v, want %v", got, test.down)
			}
			if got := tune.NextThreshold(test.rule, test.unit, true, test.stops...); got != test.up {
				t.Errorf("up to %v, want %v", got, test.up)
			}
		})
	}
	if down, up := tune.NextFor(time.Minute, false), tune.NextFor(time.Minute, true); down != 45*time.Second || up != 75*time.Second {
		t.Errorf("for: %s, %s", down, up)
	}
	if got := tune.NextFor(0, false); got != 0 {
		t.Errorf("less than nothing: %s", got)
	}
	if down, up := tune.NextFloor(1, false), tune.NextFloor(1, true); down != 0.8 || up != 1.2 {
		t.Errorf("floor: %v, %v", down, up)
	}
}

func TestAStepBackUndoesAStep(t *testing.T) {
	units := []collector.Unit{collector.Ratio, collector.Fraction, collector.PerSecond, collector.Seconds, collector.Count}
	rapid.Check(t, func(t *rapid.T) {
		r := collector.RuleSpec{Compare: collector.Comparison(rapid.IntRange(0, 3).Draw(t, "compare"))}
		unit := rapid.SampledFrom(units).Draw(t, "unit")
		r.Threshold = rapid.Float64Range(0, 1e6).Draw(t, "threshold")
		r.Threshold = tune.NextThreshold(r, unit, rapid.Bool().Draw(t, "first up")) // onto the ladder, where there is one
		is, up := r.Threshold, rapid.Bool().Draw(t, "up")
		r.Threshold = tune.NextThreshold(r, unit, up)
		switch {
		case math.IsNaN(r.Threshold) || math.IsInf(r.Threshold, 0):
			t.Fatalf("%v leads to %v", is, r.Threshold)
		case r.Threshold == is:
			return // the end
		case up != (r.Threshold > is):
			t.Fatalf("up is %v from %v to %v", up, is, r.Threshold)
		}
		if back := tune.NextThreshold(r, unit, !up, is); back != is {
			t.Fatalf("%v to %v and back to %v", is, r.Threshold, back)
		}
	})
}

func TestTheColumnsOfAMapPassOverAllValues(t *testing.T) {
	at, samples := make([]time.Time, 4), make([]alerts.Sample, 4)
	for i, v := range []float64{1.1, math.NaN(), 2.2, math.Inf(1)} {
		at[i], samples[i] = alertstest.Start.Add(time.Duration(i)*time.Second), alerts.Sample{Value: v}
	}
	h := &tune.History{Courses: []tune.Course{tune.NewCourse(alertstest.Target("a"), at, samples)}}
	got := tune.Columns(h, amplification(), collector.Ratio, 1.37, 3)
	want := []float64{1.1, 1.12, 1.15, 1.2, 1.25, 1.3, 1.37, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 3, 3.5}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNumbersInNoUnitHaveFineSteps: what people compare may be small or large,
// or below zero.
func TestNumbersInNoUnitHaveFineSteps(t *testing.T) {
	step := func(is float64, up bool) float64 {
		return tune.NextThreshold(collector.RuleSpec{Threshold: is}, collector.NoUnit, up)
	}
	for _, tt := range []struct{ is, down, up float64 }{
		{1.5, 1.4, 1.6}, {0.05, 0.045, 0.055}, {0.95, 0.9, 1}, {500, 450, 550}, {1e-6, 0, 1.1e-6}, {0, -1e-6, 1e-6}, {-3, -3.5, -2.8}, {7.3, 7, 8}, {0.999, 0.95, 1},
	} {
		if down, up := step(tt.is, false), step(tt.is, true); down != tt.down || up != tt.up {
			t.Errorf("from %g: %g and %g, want %g and %g", tt.is, down, up, tt.down, tt.up)
		}
	}
}

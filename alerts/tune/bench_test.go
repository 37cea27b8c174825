package tune_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/tune"
)

// day is 24 hours at 5 s of one target: calm, noise around the threshold and
// storms.
func day() *tune.History {
	const n = 17280
	rnd := rand.New(rand.NewPCG(24, 5))
	at, samples := make([]time.Time, n), make([]alerts.Sample, n)
	for i := range samples {
		at[i] = alertstest.Start.Add(time.Duration(i) * 5 * time.Second)
		v := 1.05 + 0.02*rnd.NormFloat64()
		switch {
		case i%4000 > 3700:
			v = 2.5 + 0.5*rnd.NormFloat64()
		case i%2000 > 1700:
			v = 1.5 + 0.2*rnd.NormFloat64()
		}
		samples[i] = alerts.Sample{Value: v, Traffic: 100}
		if i%911 == 0 {
			samples[i] = alerts.Sample{Value: math.NaN(), Traffic: 100, Why: alerts.WhyNoData}
		}
	}
	h := &tune.History{Courses: []tune.Course{tune.NewCourse(alertstest.Target("a"), at, samples)}, RateRange: time.Minute}
	for i := 3701; i < n; i += 4000 {
		h.Incidents = append(h.Incidents, tune.Incident{From: at[i], To: at[min(i+299, n-1)]})
	}
	return h
}

// BenchmarkBacktest is one rule over 24 hours at 5 s: 300 us at most.
func BenchmarkBacktest(b *testing.B) {
	h, spec := day(), amplification()
	b.ReportAllocs()
	for b.Loop() {
		tune.Backtest(h, spec)
	}
}

// BenchmarkMap is a map of 60 thresholds and 40 times over the same: 300 ms at
// most.
func BenchmarkMap(b *testing.B) {
	h, spec := []*tune.History{day()}, amplification()
	var thresholds []float64
	var fors []time.Duration
	for i := range 60 {
		thresholds = append(thresholds, 1.01+0.03*float64(i))
	}
	for i := range 40 {
		fors = append(fors, time.Duration(i*i)*time.Second)
	}
	b.ReportAllocs()
	for b.Loop() {
		tune.NewMap(h, spec, thresholds, fors)
	}
}

// BenchmarkMapOfNoise is the same over a course that crosses every threshold
// all the time, and so is nothing but short runs.
func BenchmarkMapOfNoise(b *testing.B) {
	const n = 17280
	rnd := rand.New(rand.NewPCG(24, 5))
	at, samples := make([]time.Time, n), make([]alerts.Sample, n)
	for i := range samples {
		at[i] = alertstest.Start.Add(time.Duration(i) * 5 * time.Second)
		samples[i] = alerts.Sample{Value: 1 + 2*rnd.Float64(), Traffic: 100}
	}
	h := []*tune.History{{Courses: []tune.Course{tune.NewCourse(alertstest.Target("a"), at, samples)}, RateRange: time.Minute}}
	var thresholds []float64
	var fors []time.Duration
	for i := range 60 {
		thresholds = append(thresholds, 1.01+0.03*float64(i))
	}
	for i := range 40 {
		fors = append(fors, time.Duration(i)*time.Second)
	}
	b.ReportAllocs()
	for b.Loop() {
		tune.NewMap(h, amplification(), thresholds, fors)
	}
}

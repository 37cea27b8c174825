package chart_test

import (
	"math"
	"time"

	"stormtop/collector"
	"stormtop/views/chart"
)

var start = time.Date(2026, 3, 14, 11, 49, 31, 0, time.UTC)

// course makes n readings, spacing apart; f gets the share of the time that has
// passed, 0 to 1.
func course(n int, spacing time.Duration, u collector.Unit, f func(x float64) collector.Value) (collector.Series, time.Time) {
	at, values := make([]time.Time, n), make([]collector.Value, n)
	for i := range n {
		at[i] = start.Add(time.Duration(i) * spacing)
		values[i] = f(float64(i) / float64(max(n, 1)))
	}
	now := start
	if n > 0 {
		now = at[n-1]
	}
	return collector.NewSeries(at, values), now
}

// storm is an amplification that rises from calm to about 2.5.
func storm(x float64) float64 {
	wave := 0.02*math.Sin(131*x) + 0.02*math.Sin(57*x)
	if x < 0.72 {
		return 1.04 + wave
	}
	return 1.04 + wave*3 + 1.45*(1-math.Exp(-(x-0.72)/0.07))
}

func ratio(f float64) collector.Value { return collector.Num(f, collector.Ratio, collector.Exact) }

func rate(f float64) collector.Value { return collector.Num(f, collector.PerSecond, collector.Exact) }

// full is a chart of a quarter of an hour with everything on.
func full(now time.Time, spacing time.Duration, u collector.Unit, curves ...chart.Curve) *chart.Spec {
	return &chart.Spec{
		Timing:     chart.Timing{Now: now, Span: 15 * time.Minute, Spacing: spacing},
		Unit:       u,
		Curves:     curves,
		Thresholds: []chart.Threshold{{At: 1.5}},
		TimeAxis:   true,
		StateBand:  true,
	}
}

func ofRatio(n int, spacing time.Duration, f func(x float64) collector.Value) *chart.Spec {
	s, now := course(n, spacing, collector.Ratio, f)
	return full(now, spacing, collector.Ratio, chart.Curve{Series: s})
}

// stormBand is what the alert did meanwhile.
func stormBand() []chart.Band {
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	return []chart.Band{{Text: "1m", Intervals: []chart.Interval{
		{From: at(0), To: at(297), State: chart.OK},
		{From: at(297), To: at(340), State: chart.Blind},
		{From: at(340), To: at(680), State: chart.OK},
		{From: at(680), To: at(740), State: chart.Pending},
		{From: at(740), To: at(860), State: chart.Firing},
		{From: at(860), State: chart.Held},
	}}}
}

// scenes are the pictures that are kept as golden files.
var scenes = []struct {
	name string
	make func() *chart.Spec
}{
	{"storm with a gap", func() *chart.Spec {
		spec := ofRatio(180, 5*time.Second, func(x float64) collector.Value {
			if x > 0.33 && x < 0.38 {
				return ratio(0).With(collector.Missing)
			}
			return ratio(storm(x))
		})
		spec.Bands = stormBand()
		return spec
	}},
	{"calm", func() *chart.Spec {
		return ofRatio(180, 5*time.Second, func(x float64) collector.Value { return ratio(1.03 + 0.02*math.Sin(99*x)) })
	}},
	{"every state", func() *chart.Spec {
		return ofRatio(180, 5*time.Second, func(x float64) collector.Value {
			v := ratio(storm(x))
			switch {
			case x < 0.15:
				return v
			case x < 0.25:
				return v.With(collector.Idle)
			case x < 0.35:
				return v.With(collector.Failed)
			case x < 0.42:
				return v.With(collector.Infinite)
			case x < 0.5:
				return v.With(collector.Partial)
			case x < 0.55:
				return v.With(collector.Stale)
			case x > 0.85 && x < 0.9:
				return v.With(collector.Missing)
			}
			return v
		})
	}},
	{"below one", func() *chart.Spec {
		return ofRatio(180, 5*time.Second, func(x float64) collector.Value {
			return ratio(1 - 0.5*math.Max(0, math.Sin(9*x)) + 0.2*math.Sin(23*x))
		})
	}},
	{"one spike", func() *chart.Spec {
		return ofRatio(900, time.Second, func(x float64) collector.Value {
			if x == 0.5 {
				return ratio(9)
			}
			return ratio(1.02)
		})
	}},
	{"empty history", func() *chart.Spec { return full(start, 5*time.Second, collector.Ratio) }},
	{"single reading", func() *chart.Spec {
		return ofRatio(1, 5*time.Second, func(float64) collector.Value { return ratio(2.48) })
	}},
	{"all missing", func() *chart.Spec {
		return ofRatio(180, 5*time.Second, func(float64) collector.Value { return collector.Value{} })
	}},
	{"constant one without threshold", func() *chart.Spec {
		spec := ofRatio(180, 5*time.Second, func(float64) collector.Value { return ratio(1) })
		spec.Thresholds = nil
		return spec
	}},
	{"sparse readings hold", func() *chart.Spec {
		return ofRatio(15, time.Minute, func(x float64) collector.Value { return ratio(storm(x)) })
	}},
	{"zero rate", func() *chart.Spec {
		s, now := course(180, 5*time.Second, collector.PerSecond, func(float64) collector.Value { return rate(0) })
		spec := full(now, 5*time.Second, collector.PerSecond, chart.Curve{Series: s})
		spec.Thresholds = []chart.Threshold{{At: 0}}
		return spec
	}},
	{"huge values", func() *chart.Spec {
		s, now := course(180, 5*time.Second, collector.PerSecond, func(x float64) collector.Value { return rate(math.Exp(700 * x)) })
		spec := full(now, 5*time.Second, collector.PerSecond, chart.Curve{Series: s})
		spec.Thresholds = nil
		return spec
	}},
	{"ingress and attempts", func() *chart.Spec {
		in := func(x float64) float64 { return 1998 * (1 + 0.03*math.Sin(40*x)) }
		ingress, _ := course(180, 5*time.Second, collector.PerSecond, func(x float64) collector.Value { return rate(in(x)) })
		attempts, now := course(180, 5*time.Second, collector.PerSecond, func(x float64) collector.Value {
			if x > 0.4 && x < 0.5 {
				return rate(in(x) / 2)
			}
			return rate(in(x) * storm(x))
		})
		spec := full(now, 5*time.Second, collector.PerSecond,
			chart.Curve{Series: ingress, Name: "ingress"}, chart.Curve{Series: attempts, Name: "attempts"})
		spec.Thresholds = nil
		return spec
	}},
	{"delivered below a threshold", func() *chart.Spec {
		s, now := course(180, 5*time.Second, collector.Fraction, func(x float64) collector.Value {
			return collector.Num(math.Min(1, 1.1/storm(x)), collector.Fraction, collector.Exact)
		})
		spec := full(now, 5*time.Second, collector.Fraction, chart.Curve{Series: s})
		spec.Thresholds = []chart.Threshold{{At: 0.9, Compare: collector.Below}}
		return spec
	}},
	{"two thresholds in another zone", func() *chart.Spec {
		spec := ofRatio(180, 5*time.Second, func(x float64) collector.Value { return ratio(storm(x)) })
		spec.Thresholds = append(spec.Thresholds, chart.Threshold{At: 1.11, Text: "retries 10%"})
		spec.Timing.Zone = time.FixedZone("IST", 5*3600+1800)
		return spec
	}},
}

package watch_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// dayStart is where the day of the benchmark begins.
var dayStart = time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)

// dayOf is 24 hours at 5 s of n targets, each with eight inputs and what follows
// from them. Readings are made as they are asked for: a day of them is larger
// than what a watch keeps of it.
func dayOf(n int) func(i int) *collector.Reading {
	origin := &collector.Origin{Source: "test", Interval: 5 * time.Second, RateRange: 20 * time.Second}
	var rounds [16][]collector.Row
	for i := range rounds {
		for k := range n {
			row := collector.Row{Target: collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: fmt.Sprintf("svc-%02d", k)}), Baseline: 1}
			for j, s := range collector.Inputs() {
				row.Values[s] = collector.Num(1000/7.0*(1.5+math.Sin(float64(i*31+k*7+j))), s.Unit(), collector.Exact)
			}
			row.Values.Derive(1)
			rounds[i] = append(rounds[i], row)
		}
	}
	return func(i int) *collector.Reading {
		rows := rounds[i%len(rounds)]
		return &collector.Reading{At: dayStart.Add(time.Duration(i) * 5 * time.Second), Origin: origin, Targets: rows, Total: rows[0]}
	}
}

// BenchmarkADayOfAWatch takes 24 hours at 5 s of 50 targets, rules judged and
// every reading kept, and tells what is held then.
func BenchmarkADayOfAWatch(b *testing.B) {
	reading := dayOf(50)
	b.ReportAllocs()
	var w *watch.Watch
	for b.Loop() {
		w = watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
		for i := range 17_280 {
			w.Add(reading(i))
		}
	}
	b.StopTimer()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MiB-held")
	runtime.KeepAlive(w)
}

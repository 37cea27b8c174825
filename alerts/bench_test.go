package alerts_test

import (
	"fmt"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/collector"
)

// crowd is a reading of n targets of which every hundredth burns when storm is set.
func crowd(n int, storm bool) *collector.Reading {
	r := &collector.Reading{Origin: &collector.Origin{}}
	for i := range n {
		row := collector.Row{Target: alertstest.Target(fmt.Sprintf("service-%05d", i))}
		set := func(sig collector.Signal, v float64) { row.Values[sig] = collector.Num(v, sig.Unit(), collector.Exact) }
		set(collector.Ingress, 100+float64(i%7))
		set(collector.Downstream, 103+float64(i%7))
		set(collector.Retries, 3)
		set(collector.AtLimit, 0)
		if storm && i%100 == 0 {
			set(collector.Downstream, 400)
			set(collector.Retries, 300)
			set(collector.AtLimit, 20)
		}
		row.Values.Derive(1)
		r.Targets = append(r.Targets, row)
	}
	return r
}

// BenchmarkEval judges 10,000 targets by the four documented rules.
func BenchmarkEval(b *testing.B) {
	for _, storm := range []bool{false, true} {
		b.Run(fmt.Sprintf("targets=10000/storm=%v", storm), func(b *testing.B) {
			r, e := crowd(10_000, storm), alerts.New(alerts.Documented())
			at := alertstest.Start
			b.ReportAllocs()
			for b.Loop() {
				at = at.Add(5 * time.Second)
				r.At = at
				e.Eval(r)
			}
		})
	}
}

// BenchmarkStatuses takes the picture that a screen needs, a hundred alerts in it.
func BenchmarkStatuses(b *testing.B) {
	r, e := crowd(10_000, true), alerts.New(alerts.Documented())
	r.At = alertstest.Start
	e.Eval(r)
	b.ReportAllocs()
	for b.Loop() {
		e.Statuses()
	}
}

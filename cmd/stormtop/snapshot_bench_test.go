package main

import (
	"io"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/views"
)

// BenchmarkASnapshotOfADay writes 24 hours at 5 s of 50 targets.
func BenchmarkASnapshotOfADay(b *testing.B) {
	w := watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
	for _, r := range (watchtest.Storm{Targets: 50}).Readings(0, 24*time.Hour) {
		w.Add(r)
	}
	s := w.Snapshot()
	shot := views.Shot{Snapshot: s, From: s.History.Time(0), To: s.Last.At, At: s.Last.At}
	b.ReportAllocs()
	for b.Loop() {
		if err := writeShot(io.Discard, shot, noon); err != nil {
			b.Fatal(err)
		}
	}
}

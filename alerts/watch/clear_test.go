package watch_test

import (
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

func TestCalmIsNotClaimedForABlindStretch(t *testing.T) {
	calm := watchtest.Storm{Targets: 3, Calm: true}
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	for _, r := range calm.Readings(0, 5*time.Minute) {
		w.Add(r)
	}
	if got := w.Snapshot().ClearSince; !got.Equal(watchtest.Start) {
		t.Fatalf("clear since %v, want the start", got)
	}
	for at := 5*time.Minute + watchtest.Step; at <= 6*time.Minute; at += watchtest.Step {
		w.Add(watchtest.Blind(at, collector.Failure{Kind: collector.TimedOut, Text: "no answer"}))
	}
	back := calm.Readings(6*time.Minute+watchtest.Step, 7*time.Minute)
	for _, r := range back {
		w.Add(r)
	}
	if got := w.Snapshot().ClearSince; !got.Equal(back[0].At) {
		t.Errorf("clear since %v, want the end of the blindness, %v", got, back[0].At)
	}
}

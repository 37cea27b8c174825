package watch_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

func TestTheLogTellsHowLongAndHowBad(t *testing.T) {
	storm := watchtest.Storm{Targets: 1}
	lost := collector.Failure{Kind: collector.TimedOut, Text: "no answer"}
	rs := slices.Concat(storm.Readings(0, watchtest.Plateau),
		[]*collector.Reading{watchtest.Blind(watchtest.Plateau+5*time.Second, lost), watchtest.Blind(watchtest.Plateau+10*time.Second, lost)},
		storm.Readings(watchtest.Plateau+15*time.Second, watchtest.Subsides+time.Minute))
	w := watch.New(alerts.Documented()[:1], time.Hour, 8)
	for _, r := range rs {
		w.Add(r)
	}
	var got []string
	for _, e := range w.Snapshot().Log() {
		got = append(got, fmt.Sprintf("%s %s %v open %v peak %s", e.At.Format("15:04:05"), e.Kind, e.Lasts, e.Open, e.Peak))
	}
	want := []string{
		"12:35:00 inactive 0s open false peak –",
		"12:04:35 blind 10s open false peak –",
		"12:01:20 firing 33m40s open false peak 2.61x",
		"12:00:20 pending 1m0s open false peak –",
		"11:49:30 start 0s open false peak –",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatLastsStillIsOpen(t *testing.T) {
	s := watchtest.Play(alerts.Documented()[:1], watchtest.Storm{Targets: 1}.Readings(0, watchtest.Plateau)...)
	e := s.Log()[0]
	if e.Kind != collector.EventFiring || !e.Open || e.Lasts != 3*time.Minute+10*time.Second || e.Peak.String() != "2.48x" {
		t.Errorf("%s %v open %v peak %v", e.Kind, e.Lasts, e.Open, e.Peak)
	}
	if start := s.Log()[2]; start.Text != "envoy, 1 target, scraped every 15s, rate 1m, poll 5s" {
		t.Errorf("start: %q", start.Text)
	}
}

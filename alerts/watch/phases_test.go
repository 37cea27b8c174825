package watch_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

func TestPhasesFollowTheRuleOnATarget(t *testing.T) {
	const step = watchtest.Step
	rs := watchtest.Storm{Targets: 3}.Readings(0, watchtest.Plateau)
	timedOut := collector.Failure{Kind: collector.TimedOut}
	rs = append(rs, watchtest.Blind(watchtest.Plateau+step, timedOut), watchtest.Blind(watchtest.Plateau+2*step, timedOut))
	rs = append(rs, watchtest.Storm{Targets: 3}.Readings(watchtest.Plateau+3*step, watchtest.Subsides)...)
	s := watchtest.Play(alerts.Documented(), rs...)
	at := func(d time.Duration) time.Time { return watchtest.Start.Add(d) }
	want := []watch.Phase{
		{From: at(0), To: at(watchtest.Breach), State: alerts.Inactive},
		{From: at(watchtest.Breach), To: at(watchtest.Fires), State: alerts.Pending},
		{From: at(watchtest.Fires), To: at(watchtest.Plateau + step), State: alerts.Firing},
		{From: at(watchtest.Plateau + step), To: at(watchtest.Plateau + 3*step), State: alerts.Unknown},
		{From: at(watchtest.Plateau + 3*step), To: at(watchtest.Subsides), State: alerts.Firing},
		{From: at(watchtest.Subsides), State: alerts.Inactive},
	}
	if diff := cmp.Diff(want, s.Phases(alerts.RetryAmplificationHigh, watchtest.Service(watchtest.Payments).ID)); diff != "" {
		t.Error(diff)
	}
	calm := []watch.Phase{want[0], want[3], want[5]}
	calm[0].To, calm[2].From = want[3].From, want[3].To
	if diff := cmp.Diff(calm, s.Phases(alerts.RetryAmplificationHigh, watchtest.Service(watchtest.Orders).ID)); diff != "" {
		t.Error(diff)
	}
}

func TestPhasesShowWhatIsHeld(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	rs := storm.Readings(0, watchtest.Plateau)
	held := watchtest.EditAll(storm.Readings(watchtest.Plateau+watchtest.Step, watchtest.Plateau+time.Minute), func(row *collector.Row) {
		row.Values[collector.Ingress].State = collector.Partial
	})
	s := watchtest.Play(alerts.Documented(), append(rs, held...)...)
	got := s.Phases(alerts.RetryAmplificationHigh, watchtest.Service(watchtest.Payments).ID)
	want := watch.Phase{From: watchtest.Start.Add(watchtest.Plateau + watchtest.Step), State: alerts.Firing, Held: true}
	if len(got) != 4 || got[3] != want {
		t.Errorf("phases %+v, want %+v last", got, want)
	}
}

func TestPhasesOfAForgottenStartAreUnknown(t *testing.T) {
	at := watchtest.Start
	s := watch.Snapshot{Events: []collector.Event{
		{At: at, Kind: collector.EventMark, Text: "somebody did something"},
		{At: at.Add(time.Minute), Kind: collector.EventInactive, Rule: "R", Target: "t"},
	}}
	want := []watch.Phase{{From: at, To: at.Add(time.Minute), State: alerts.Unknown}, {From: at.Add(time.Minute), State: alerts.Inactive}}
	if diff := cmp.Diff(want, s.Phases("R", "t")); diff != "" {
		t.Error(diff)
	}
}

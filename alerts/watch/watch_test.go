package watch_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

func kinds(events []collector.Event) []collector.EventKind {
	var out []collector.EventKind
	for _, e := range events {
		out = append(out, e.Kind)
	}
	return out
}

// transcript tells events as lines of offset, kind and rule.
func transcript(events []collector.Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%s %s %s\n", e.At.Sub(watchtest.Start), e.Kind, e.Rule)
	}
	return b.String()
}

func TestTheZeroSnapshotIsOfASourceThatHasNotAnswered(t *testing.T) {
	s := watch.New(alerts.Documented(), time.Minute, 8).Snapshot()
	if s.Last != nil || s.Good != nil || s.History.Len() != 0 || len(s.Events) != 0 || s.Firing() != 0 {
		t.Errorf("%+v", s)
	}
	if got := s.Phases(alerts.RetryAmplificationHigh, "x"); len(got) != 0 {
		t.Errorf("phases %v", got)
	}
}

func TestTheStormIsToldAsEvents(t *testing.T) {
	s := watchtest.Play(alerts.Documented(), watchtest.Storm{Targets: 3}.Readings(0, watchtest.Subsides+time.Minute)...)
	want := `0s start 
10m40s firing RetryRateHigh
10m50s pending RetryAmplificationHigh
10m50s firing AttemptLimitReached
11m50s firing RetryAmplificationHigh
11m50s firing RetryStorm
45m30s inactive RetryAmplificationHigh
45m30s inactive AttemptLimitReached
45m30s inactive RetryStorm
45m45s inactive RetryRateHigh
`
	if diff := cmp.Diff(want, transcript(s.Events)); diff != "" {
		t.Error(diff)
	}
	if len(s.Episodes) != 4 || s.ClearSince.IsZero() {
		t.Errorf("%d episodes, clear since %v", len(s.Episodes), s.ClearSince)
	}
}

func TestAReadingThatIsNotLaterIsIgnored(t *testing.T) {
	w := watch.New(alerts.Documented(), time.Minute, 8)
	storm := watchtest.Storm{Targets: 3}
	w.Add(storm.Reading(watchtest.Plateau))
	before := w.Snapshot()
	for _, at := range []time.Duration{watchtest.Plateau, 0} {
		if events := w.Add(storm.Reading(at)); events != nil {
			t.Errorf("a reading at %v caused %v", at, kinds(events))
		}
	}
	if after := w.Snapshot(); after.Last != before.Last || after.History.Len() != 1 {
		t.Error("an ignored reading is shown")
	}
}

func TestBlindnessKeepsTheLastGoodPicture(t *testing.T) {
	w := watch.New(alerts.Documented(), 15*time.Minute, 8)
	storm := watchtest.Storm{Targets: 3}
	for _, r := range storm.Readings(0, watchtest.Plateau) {
		w.Add(r)
	}
	cause := w.Snapshot().Cause
	lost := watchtest.Blind(watchtest.Plateau+watchtest.Step, collector.Failure{Kind: collector.TimedOut, Text: "no answer within 5s"})
	events := w.Add(lost)
	if len(events) == 0 || events[0].Kind != collector.EventBlind || events[0].Text != "no answer within 5s" {
		t.Errorf("events %v", events)
	}
	s := w.Snapshot()
	if s.Last != lost || !s.Good.At.Equal(watchtest.Start.Add(watchtest.Plateau)) || !s.BlindSince.Equal(lost.At) {
		t.Errorf("last %v, good %v, blind since %v", s.Last.At, s.Good.At, s.BlindSince)
	}
	if s.Worst.Target.Name != watchtest.Payments || s.Firing() != 1 || s.Cause != cause || cause.Cause != alerts.CauseRetries {
		t.Errorf("worst %s, %d firing, cause %q", s.Worst.Target.Name, s.Firing(), s.Cause.Text)
	}
	more := w.Add(watchtest.Blind(watchtest.Plateau+2*watchtest.Step, collector.Failure{Kind: collector.TimedOut}))
	if slices.Contains(kinds(more), collector.EventBlind) {
		t.Errorf("blind twice: %v", kinds(more))
	}
	back := w.Add(storm.Reading(watchtest.Plateau + 3*watchtest.Step))
	if len(back) == 0 || back[0].Kind != collector.EventSighted || back[0].Text != "readings are back after 10s" {
		t.Errorf("events %v", back)
	}
	if s = w.Snapshot(); s.Last != s.Good || !s.BlindSince.IsZero() || s.Firing() != 1 {
		t.Errorf("after the blind time: %v firing, blind since %v", s.Firing(), s.BlindSince)
	}
}

func TestBlindFromTheStartShowsTheNewestReading(t *testing.T) {
	w := watch.New(alerts.Documented(), time.Minute, 8)
	for i := range 3 {
		w.Add(watchtest.Blind(time.Duration(i)*watchtest.Step, collector.Failure{Kind: collector.Unreachable}))
	}
	if s := w.Snapshot(); s.Good != s.Last || !s.BlindSince.Equal(watchtest.Start) {
		t.Errorf("good %v, last %v, blind since %v", s.Good.At, s.Last.At, s.BlindSince)
	}
	w.Add(watchtest.Storm{Targets: 3}.Reading(time.Minute))
	if s := w.Snapshot(); s.Good != s.Last || !s.BlindSince.IsZero() {
		t.Error("the first good reading is not shown")
	}
}

func TestMissedSlotsAreCountedAndToldOnceForAStretch(t *testing.T) {
	down := collector.Failure{Kind: collector.Unreachable}
	w := watch.New(alerts.Documented(), time.Minute, 8)
	var told []string
	for i, missed := range []int{0, 2, 0, 3, 1, 4, 0, -1, 5, 0, 1200} {
		at := time.Duration(i) * time.Minute
		r := *watchtest.Storm{Targets: 1, Calm: true}.Reading(at)
		if missed < 0 {
			r = *watchtest.Blind(at, down)
			missed = 0
		}
		r.Missed = missed
		for _, e := range w.Add(&r) {
			if e.Kind == collector.EventGap {
				told = append(told, fmt.Sprintf("%s %s", e.At.Sub(watchtest.Start), e.Text))
			}
		}
	}
	if got := w.Snapshot().Missed; got != 1215 {
		t.Errorf("%d missed, want 1215", got)
	}
	want := []string{
		"1m0s readings missed since 11:49:30Z: 2", "3m0s readings missed since 11:51:30Z: 3", // not again for what directly follows
		"10m0s readings missed since 11:58:30Z: 1,200", // not for what was waited while blind
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

func TestARuleOnTheTotalMakesTheTotalTheSubject(t *testing.T) {
	rule := collector.RuleSpec{
		Name: "TotalAttempts", Signal: collector.Downstream, Threshold: 10, Scope: collector.ScopeTotal, Severity: collector.Warning,
	}
	s := watchtest.Play([]collector.RuleSpec{rule}, watchtest.Storm{Targets: 3, Calm: true}.Readings(0, watchtest.Step)...)
	if s.Firing() != 1 || s.Worst.Target.ID != collector.TotalID {
		t.Errorf("%d firing, the subject is %q", s.Firing(), s.Worst.Target.Name)
	}
}

func TestATargetThatLeftWhileItFiresStaysTheSubject(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	rs := storm.Readings(0, watchtest.Plateau)
	for _, r := range storm.Readings(watchtest.Plateau+watchtest.Step, watchtest.Plateau+3*watchtest.Step) {
		none := *r
		none.Targets, none.Total = nil, collector.Total(nil)
		rs = append(rs, &none)
	}
	s := watchtest.Play(alerts.Documented(), rs...)
	if s.Worst.Target.Name != watchtest.Payments || s.Worst.Values[collector.Amplification].State != collector.Missing || !s.Statuses[0].Held {
		t.Errorf("the subject is %q, %v, held %v", s.Worst.Target.Name, s.Worst.Values[collector.Amplification], s.Statuses[0].Held)
	}
	if s.Cause.Cause != alerts.CauseUnclear {
		t.Errorf("cause %q", s.Cause.Text)
	}
}

// TestSnapshotsNeverChange also runs under the race detector: old snapshots are
// read while the watch goes on and forgets events.
func TestSnapshotsNeverChange(t *testing.T) {
	w := watch.New(alerts.Documented(), time.Minute, 4)
	storm := watchtest.Storm{Targets: 3}
	hot, calm := storm.Reading(watchtest.Plateau), storm.Reading(0)
	var readers sync.WaitGroup
	for i := range 2500 {
		r := *calm
		if i%2 == 0 {
			r = *hot
		}
		r.At = watchtest.Start.Add(time.Duration(i) * time.Minute)
		w.Add(&r)
		if i%100 != 0 {
			continue
		}
		s := w.Snapshot()
		before := transcript(s.Events)
		readers.Go(func() {
			for range 3 {
				if transcript(s.Events) != before || s.Last.At != r.At {
					t.Errorf("the snapshot of reading %d changed", i)
				}
				_ = s.Phases(alerts.RetryAmplificationHigh, s.Worst.Target.ID)
			}
		})
	}
	readers.Wait()
	if n := len(w.Snapshot().Events); n < 2000 || n > 4100 {
		t.Errorf("%d events are remembered", n)
	}
}

func BenchmarkAddOf10000Targets(b *testing.B) {
	w, r := crowd()
	at := r.At
	b.ReportAllocs()
	for b.Loop() {
		next := *r
		at = at.Add(watchtest.Step)
		next.At = at
		w.Add(&next)
	}
}

func BenchmarkSnapshotOf10000Targets(b *testing.B) {
	w, _ := crowd()
	b.ReportAllocs()
	for b.Loop() {
		_ = w.Snapshot()
	}
}

func crowd() (*watch.Watch, *collector.Reading) {
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	r := watchtest.Storm{Targets: 10000}.Reading(watchtest.Plateau)
	w.Add(r)
	return w, r
}

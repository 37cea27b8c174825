package watch_test

import (
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// replayed are readings as a replay hands them out: those before the last ones
// as Past where it was sent somewhere.
func replayed(rs []*collector.Reading, sent bool, live int) []*collector.Reading {
	o := *watchtest.Origin()
	o.Replay = true
	out := watchtest.EditAll(rs, func(*collector.Row) {})
	for i, r := range out {
		r.Origin, r.Begins, r.Past = &o, sent && i == 0, sent && i < len(out)-live
	}
	return out
}

// TestAReplayThatIsSentBackTellsNothingTwiceAndNothingOfLater plays a storm to
// its plateau, with a mark in the calm and one in the storm, and goes back.
func TestAReplayThatIsSentBackTellsNothingTwiceAndNothingOfLater(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	all := storm.Readings(0, watchtest.Plateau+time.Minute)
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	play := func(rs []*collector.Reading) watch.Snapshot {
		for _, r := range rs {
			w.Add(r)
		}
		return w.Snapshot()
	}
	first := play(replayed(all, false, 0))
	mark := func(at time.Time, text string) {
		w.Note(collector.Event{At: at, Kind: collector.EventMark, Text: text})
	}
	mark(all[2].At, "calm")
	mark(first.Last.At, "storm")
	whole := w.Snapshot()
	if len(whole.Marks) != 2 {
		t.Fatalf("marks %v", whole.Marks)
	}

	back := play(replayed(all[:8], true, 1))
	if len(back.Marks) != 1 || back.Marks[0].Text != "calm" {
		t.Errorf("marks of later are told: %v", back.Marks)
	}
	for _, e := range back.Events {
		if e.At.After(back.Last.At) || strings.Contains(e.Text, "anew") {
			t.Errorf("told: %s %s %q", e.At, e.Kind, e.Text)
		}
	}
	if len(back.Statuses) > 0 && back.Statuses[0].Active() || len(back.Episodes) > 0 {
		t.Errorf("a calm of before is %v", back.Statuses[0])
	}
	for range 3 {
		if again := play(replayed(all, true, len(all))); told(again) != told(whole) {
			t.Errorf("played again:\n%s, want\n%s", told(again), told(whole))
		}
	}
	if again := w.Snapshot(); len(again.Marks) != 2 {
		t.Errorf("marks %v", again.Marks)
	}
}

// TestWhatWasBeforeAMarkIsRememberedLongerThanTheHistory: the strip says the same
// before as long as the mark stands.
func TestWhatWasBeforeAMarkIsRememberedLongerThanTheHistory(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	w := watch.New(alerts.Documented(), 5*time.Minute, watch.DefaultTargets)
	for _, r := range storm.Readings(0, watchtest.Plateau) {
		w.Add(r)
	}
	m := collector.Mark{At: w.Snapshot().Last.At, Text: "fix"}
	w.Note(collector.Event{At: m.At, Kind: collector.EventMark, Text: m.Text})
	id := watchtest.Service(watchtest.Payments).ID
	want := watch.Compare(w.Snapshot(), id, m)
	if !want.Known() || want.Before[collector.Amplification].V < 2 {
		t.Fatalf("before %+v", want)
	}
	for _, r := range storm.Readings(watchtest.Plateau+watchtest.Step, watchtest.Plateau+time.Hour) {
		w.Add(r)
		s := w.Snapshot()
		if c := watch.Compare(s, id, m); c.Before != want.Before || c.Counted != want.Counted || c.LeftOut != want.LeftOut {
			t.Fatalf("%v later: %s of %d readings, want %s of %d", s.Last.At.Sub(m.At), c.Before[collector.Amplification], c.Counted, want.Before[collector.Amplification], want.Counted)
		}
	}
}

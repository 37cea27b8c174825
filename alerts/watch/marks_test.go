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

func mark(at time.Duration, text string) collector.Event {
	return collector.Event{At: watchtest.Start.Add(at), Kind: collector.EventMark, Text: text}
}

func TestTwoMarksBoundAnIncident(t *testing.T) {
	w := watch.New(alerts.Documented(), time.Hour, 8)
	for _, r := range (watchtest.Storm{Targets: 1}).Readings(0, watchtest.Plateau) {
		w.Add(r)
	}
	w.Note(mark(12*time.Minute, "over\x1b[2J"))
	before := w.Snapshot()
	w.Note(mark(10*time.Minute, "it begins")) // set with the cursor in the past
	w.Note(mark(14*time.Minute, "again"))
	s := w.Snapshot()
	at := func(d time.Duration) time.Time { return watchtest.Start.Add(d) }
	want := []watch.Incident{{From: collector.Mark{At: at(10 * time.Minute), Text: "it begins"}, To: collector.Mark{At: at(12 * time.Minute), Text: collector.Clean("over\x1b[2J")}}}
	if diff := cmp.Diff(want, s.Incidents()); diff != "" {
		t.Error(diff)
	}
	if len(before.Marks) != 1 || len(before.Incidents()) != 0 || len(s.Marks) != 3 {
		t.Errorf("%d marks, then %d", len(before.Marks), len(s.Marks))
	}
	then, _ := s.At(at(11 * time.Minute))
	if len(then.Marks) != 1 || then.Marks[0].Text != "it begins" {
		t.Errorf("at 11 minutes there are the marks %v", then.Marks)
	}
}

func TestMarksAreBoundedByWholeIncidents(t *testing.T) {
	w := watch.New(nil, time.Hour, 8)
	for i := range 1005 {
		w.Note(mark(time.Duration(i)*time.Second, "x"))
	}
	s := w.Snapshot()
	if first := s.Marks[0].At.Sub(watchtest.Start) / time.Second; len(s.Marks) > 1000 || first%2 != 0 {
		t.Errorf("%d marks from %d on", len(s.Marks), first)
	}
}

func TestFailedQueriesAreEventsOnce(t *testing.T) {
	storm := watchtest.Storm{Targets: 1, Calm: true}
	w := watch.New(alerts.Documented(), time.Hour, 8)
	for i, r := range storm.Readings(0, time.Minute) {
		if i >= 3 && i < 7 {
			r.Failures = []collector.Failure{{Signal: collector.PoolWait, Text: "no answer within 5s"}}
		}
		w.Add(r)
	}
	var got []string
	for _, e := range w.Snapshot().Events {
		if e.Kind == collector.EventGap {
			got = append(got, e.At.Format("15:04:05 ")+e.Text)
		}
	}
	want := []string{"11:49:45 pool_wait cannot be read: no answer within 5s", "11:50:05 pool_wait is read again after 20s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

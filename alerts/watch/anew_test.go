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

// regrouped are readings as a source hands them out that was asked to group by
// caller: the past anew, the first of it with Begins set, then what is live.
func regrouped(rs []*collector.Reading, live int) []*collector.Reading {
	o := *watchtest.Origin()
	o.Grouping = collector.ByCaller
	out := watchtest.EditAll(rs, func(row *collector.Row) {
		labels := append([]collector.Label{{Name: "caller", Value: "checkout"}}, row.Target.Labels...)
		row.Target = collector.NewTarget(collector.Hop, labels...)
	})
	for i, r := range out {
		r.Origin, r.Begins, r.Past = &o, i == 0, i < len(out)-live
	}
	return out
}

func told(s watch.Snapshot) string {
	var words []string
	for _, e := range s.Events {
		words = append(words, e.Kind.String()+" "+e.Name)
	}
	return strings.Join(words, ", ")
}

// TestAReadingThatBeginsStartsAfresh: another grouping is another set of
// targets, with a past of its own; what happened stays told.
func TestAReadingThatBeginsStartsAfresh(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	for _, r := range storm.Readings(0, watchtest.Plateau) {
		w.Add(r)
	}
	before := w.Snapshot()
	for _, r := range regrouped(storm.Readings(watchtest.Step, watchtest.Plateau+watchtest.Step), 1) {
		w.Add(r)
	}
	s := w.Snapshot()
	caller := "checkout/" + watchtest.Payments
	if s.Worst.Target.Name != caller || s.Statuses[0].Target.Name != caller || s.Statuses[0].Shown != alerts.Firing {
		t.Errorf("worst %q, %s is %s", s.Worst.Target.Name, s.Statuses[0].Target.Name, s.Statuses[0].Shown)
	}
	if s.History.Has(watchtest.Service(watchtest.Payments).ID) || s.History.Len() != 181 {
		t.Errorf("the history holds %d points and the old targets: %v", s.History.Len(), s.History.Has(watchtest.Service(watchtest.Payments).ID))
	}
	for _, st := range s.Statuses {
		if !strings.HasPrefix(st.Target.Name, "checkout/") {
			t.Errorf("%s is judged on %s", st.Rule.Name, st.Target.Name)
		}
	}
	changes := 0
	for i, e := range s.Events {
		if e.Kind == collector.EventChange {
			changes++
			if e.Text != "grouped by caller (before: service)" || !e.At.Equal(before.Last.At) {
				t.Errorf("%s at %v", e.Text, e.At)
			}
		}
		if i > 0 && e.At.Before(s.Events[i-1].At) {
			t.Errorf("event %d is out of order", i)
		}
	}
	for _, e := range before.Events {
		if !strings.Contains(told(s), e.Kind.String()+" "+e.Name) {
			t.Errorf("%s of %s is not told any more", e.Kind, e.Name)
		}
	}
	if changes != 1 {
		t.Errorf("%d changes in %s", changes, told(s))
	}
	phases := s.Phases(alerts.RetryAmplificationHigh, s.Worst.Target.ID)
	if n := len(phases); n != 3 || phases[2].State != alerts.Firing || !phases[2].To.IsZero() {
		t.Errorf("phases %+v", phases)
	}
	if n := before.History.Len(); n != 181 {
		t.Errorf("a snapshot from before has %d points now", n)
	}
}

// TestWhatIsReadAnewIsNotToldTwice: with the same targets the events of the past
// that is read anew were told before, and the states over time follow what was
// read anew.
func TestWhatIsReadAnewIsNotToldTwice(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	before := watchtest.Play(alerts.Documented(), storm.Readings(0, watchtest.Plateau)...)
	again := past(storm.Readings(watchtest.Step, watchtest.Plateau))
	again[0].Begins = true
	rs := append(storm.Readings(0, watchtest.Plateau), again...)
	s := watchtest.Play(alerts.Documented(), append(rs, storm.Reading(watchtest.Plateau+watchtest.Step))...)
	if len(s.Events) != len(before.Events)+1 || s.Events[len(s.Events)-1].Text != "read anew" {
		t.Errorf("told before: %s\nnow: %s", told(before), told(s))
	}
	id := watchtest.Service(watchtest.Payments).ID
	a, b := before.Phases(alerts.RetryAmplificationHigh, id), s.Phases(alerts.RetryAmplificationHigh, id)
	if len(a) != len(b) || len(b) != 3 || !a[2].From.Equal(b[2].From) || b[2].State != alerts.Firing {
		t.Errorf("phases %+v, before %+v", b, a)
	}
}

// TestAReadingThatBeginsWithoutAPast: a source that cannot look back starts with
// what is now.
func TestAReadingThatBeginsWithoutAPast(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	calm := watchtest.Storm{Targets: 3, Calm: true}
	rs := storm.Readings(0, watchtest.Plateau)
	next := calm.Readings(watchtest.Plateau+watchtest.Step, watchtest.Plateau+4*watchtest.Step)
	next[0].Begins = true
	s := watchtest.Play(alerts.Documented(), append(rs, next...)...)
	phases := s.Phases(alerts.RetryAmplificationHigh, watchtest.Service(watchtest.Payments).ID)
	if last := phases[len(phases)-1]; s.Firing() != 0 || s.History.Len() != 4 || last.State != alerts.Inactive || !last.From.Equal(next[0].At) {
		t.Errorf("%d firing, %d points, phases %+v", s.Firing(), s.History.Len(), phases)
	}
	if len(s.Episodes) != 0 || s.ClearSince.IsZero() {
		t.Errorf("%d episodes, clear since %v", len(s.Episodes), s.ClearSince)
	}
}

// TestASourceThatIsDownWhenItBegins: the past comes behind readings that are empty.
func TestASourceThatIsDownWhenItBegins(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	down := watchtest.Blind(watchtest.Plateau+watchtest.Step, collector.Failure{Kind: collector.Unreachable, Text: "down"})
	down.Begins = true
	rs := append(storm.Readings(0, watchtest.Plateau), down)
	rs = append(rs, past(storm.Readings(2*watchtest.Step, watchtest.Plateau))...)
	s := watchtest.Play(alerts.Documented(), append(rs, storm.Reading(watchtest.Plateau+2*watchtest.Step))...)
	if s.Firing() != 1 || s.History.Len() != 180 || !s.BlindSince.IsZero() {
		t.Errorf("%d firing, %d points, blind since %v: %s", s.Firing(), s.History.Len(), s.BlindSince, told(s))
	}
	starts := strings.Count(told(s), "start ")
	if starts != 1 || strings.Count(told(s), "change ") != 1 {
		t.Errorf("told: %s", told(s))
	}
}

// TestWhatAPersonDidIsAnEvent, in its place among the others.
func TestWhatAPersonDidIsAnEvent(t *testing.T) {
	w := watch.New(alerts.Documented(), 15*time.Minute, 8)
	for _, r := range (watchtest.Storm{Targets: 1}).Readings(0, watchtest.Plateau) {
		w.Add(r)
	}
	w.Note(collector.Event{At: watchtest.Start.Add(time.Minute), Kind: collector.EventMark, Text: "retries off\n"})
	w.Note(collector.Event{At: watchtest.Start.Add(watchtest.Plateau), Kind: collector.EventChange, Text: "baseline 3.63 at payments"})
	s := w.Snapshot()
	if last := s.Events[len(s.Events)-1]; s.Events[1].Kind != collector.EventMark || strings.Contains(s.Events[1].Text, "\n") || last.Kind != collector.EventChange {
		t.Errorf("told: %s", told(s))
	}
}

func TestTheFirstReadingMayBegin(t *testing.T) {
	r := watchtest.Storm{Targets: 3}.Reading(0)
	r.Begins = true
	if s := watchtest.Play(alerts.Documented(), r); told(s) != "start " {
		t.Errorf("told: %s", told(s))
	}
}

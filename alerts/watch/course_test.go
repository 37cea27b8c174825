package watch_test

import (
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// TestTheCourseOfOneTargetIsFilledInWhenItIsOpened: of many targets the history
// keeps the worst; the one that is looked at comes beside them.
func TestTheCourseOfOneTargetIsFilledInWhenItIsOpened(t *testing.T) {
	storm := watchtest.Storm{Targets: 50}
	w := watch.New(alerts.Documented(), 15*time.Minute, 2)
	rs := storm.Readings(watchtest.Rise, watchtest.Plateau)
	for _, r := range rs {
		w.Add(r)
	}
	id := watchtest.Service("refund").ID
	before := w.Snapshot()
	if before.History.Has(id) {
		t.Fatal("refund is kept already: it proves nothing")
	}
	var course []*collector.Reading
	for _, r := range rs {
		row, _ := r.Row(id)
		course = append(course, &collector.Reading{At: r.At, Origin: r.Origin, Past: true, Targets: []collector.Row{row}})
	}
	if !w.Course(id, course) {
		t.Fatal("nothing was filled in")
	}
	next := storm.Reading(watchtest.Plateau + watchtest.Step)
	w.Add(next)
	series := w.Snapshot().History.Series(id, collector.Amplification)
	for i := range series.Len() {
		if series.State(i) != collector.Ok {
			t.Fatalf("point %d of %d is %v", i, series.Len(), series.State(i))
		}
	}
	if before.History.Has(id) {
		t.Error("a snapshot from before has the target now")
	}
	if !w.Snapshot().History.Has(watchtest.Service(watchtest.Payments).ID) {
		t.Error("the worst target lost its place")
	}
	w.Pin(watchtest.Service("cart").ID)
	w.Add(storm.Reading(watchtest.Plateau + 2*watchtest.Step))
	if h := w.Snapshot().History; h.Has(id) || !h.Has(watchtest.Service("cart").ID) {
		t.Errorf("after another was pinned: the first is kept %v, the second %v", h.Has(id), h.Has(watchtest.Service("cart").ID))
	}
}

// TestACourseOfAnotherGroupingFitsNothing: it was asked for before the source began anew.
func TestACourseOfAnotherGroupingFitsNothing(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	w := watch.New(alerts.Documented(), 15*time.Minute, 8)
	if w.Course("x", nil) {
		t.Error("filled in before the first reading")
	}
	w.Add(storm.Reading(0))
	o := *watchtest.Origin()
	o.Grouping = collector.ByInstance
	late := *storm.Reading(0)
	late.Origin = &o
	if w.Course(watchtest.Service("other").ID, []*collector.Reading{&late}) {
		t.Error("it was taken")
	}
}

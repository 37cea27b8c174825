package watch_test

import (
	"slices"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// TestAHistoryIsTunedAsItWasSeen: back-tests over the readings of a snapshot come
// to the states that the engine had when they were seen.
func TestAHistoryIsTunedAsItWasSeen(t *testing.T) {
	for name, film := range films(t) {
		t.Run(name, func(t *testing.T) {
			rules := alerts.Documented()
			w, e := watch.New(rules, time.Hour, 64), alerts.New(rules)
			states := map[string][]alerts.State{} // by rule and target
			var ids []string
			for i, r := range film {
				w.Add(r)
				e.Eval(r)
				for _, row := range r.Targets {
					if !slices.Contains(ids, row.Target.ID) {
						ids = append(ids, row.Target.ID)
					}
				}
				for _, id := range ids {
					for _, s := range e.For(id) {
						key := s.Rule.Name + "/" + id
						for len(states[key]) < i {
							states[key] = append(states[key], alerts.Inactive)
						}
						states[key] = append(states[key], max(s.State, alerts.Inactive))
					}
				}
			}
			b := tune.NewBuilder(rules)
			n := 0
			for r := range w.Snapshot().Readings() {
				b.Add(r)
				n++
			}
			if n != len(film) {
				t.Fatalf("%d readings, %d were seen", n, len(film))
			}
			compared := 0
			for i, spec := range rules[:3] {
				h := b.History(i)
				for k := range h.Courses {
					c := &h.Courses[k]
					if c.Target.ID == collector.TotalID {
						continue
					}
					compared++
					if got, want := tune.States(c, spec), states[spec.Name+"/"+c.Target.ID]; !slices.Equal(got, want) {
						t.Errorf("%s on %s:\n%v, seen\n%v", spec.Name, c.Target.Name, got, want)
					}
				}
			}
			if compared == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

package main

import (
	"testing"

	"stormtop/alerts/learn"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

func TestTheWorstRefusalIsToldFirst(t *testing.T) {
	target := func(id string) collector.Target { return collector.Target{ID: id, Name: id} }
	s := watch.Snapshot{
		Good:  &collector.Reading{Targets: []collector.Row{{Target: target("calm")}, {Target: target("storm")}}},
		Order: []int{1, 0},
	}
	refused := []learn.Refusal{{Target: target("calm")}, {Target: target("storm")}}
	worstFirst(refused, s)
	if refused[0].Target.ID != "storm" {
		t.Errorf("%v", refused)
	}
}

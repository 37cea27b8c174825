package collector_test

import (
	"slices"
	"testing"
	"time"

	"stormtop/collector"
)

func TestAViewListsTheTargetsThatItHoldsByName(t *testing.T) {
	h := collector.NewHistory(time.Minute, 2)
	r := &collector.Reading{At: time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)}
	if got := h.View().Targets(); len(got) != 0 {
		t.Errorf("before the first reading: %v", got)
	}
	for name, ratio := range map[string]float64{"c": 3, "a": 2, "b": 1} {
		row := collector.Row{Target: collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: name})}
		row.Values[collector.Amplification] = collector.Num(ratio, collector.Ratio, collector.Exact)
		r.Targets = append(r.Targets, row)
	}
	h.Add(r)
	var names []string
	for _, target := range h.View().Targets() {
		names = append(names, target.Name)
	}
	if want := []string{"a", "c"}; !slices.Equal(names, want) {
		t.Errorf("the targets are %q, want %q", names, want)
	}
}

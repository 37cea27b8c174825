package watch

import (
	"cmp"
	"slices"

	"stormtop/alerts"
	"stormtop/collector"
)

// place is what a target is ranked by.
type place struct {
	index    int
	severity collector.Severity // of the worst rule that is active on it
	state    alerts.State       // of that rule
	ratio    collector.Value
}

// order ranks targets: severity of the worst rule that is active on it, then
// that rule's state, then amplification, then name, by which they come sorted.
// A ratio of too little traffic counts as one that is not known: of two requests
// with one retry it would lead every calm night.
func order(targets []collector.Row, statuses []alerts.Status, rules []collector.RuleSpec) []int {
	least, _ := alerts.LeastTraffic(rules)
	active := map[string]place{}
	for _, st := range statuses {
		if !st.Active() {
			continue
		}
		p, old := place{severity: st.Rule.Severity, state: st.Shown}, active[st.Target.ID]
		if p.severity > old.severity || p.severity == old.severity && p.state > old.state {
			active[st.Target.ID] = p
		}
	}
	places := make([]place, len(targets))
	for i := range targets {
		if len(active) > 0 {
			places[i] = active[targets[i].Target.ID]
		}
		places[i].index = i
		if v := &targets[i].Values; !below(least, v[collector.Ingress]) || !below(least, v[collector.Downstream]) {
			places[i].ratio = v[collector.Amplification]
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(-cmp.Compare(a.severity, b.severity), -cmp.Compare(a.state, b.state), compareRatios(a.ratio, b.ratio))
	})
	out := make([]int, len(places))
	for i, p := range places {
		out[i] = p.index
	}
	return out
}

func compareRatios(a, b collector.Value) int {
	switch {
	case collector.Worse(a, b):
		return -1
	case collector.Worse(b, a):
		return 1
	}
	return 0
}

// below reports whether a rate is known to be below a floor.
func below(least float64, v collector.Value) bool {
	n, ok := v.Number()
	return ok && n < least
}

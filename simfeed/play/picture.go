package play

import (
	"math"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/chain/policy"
)

// path is that of the watched class to the watched service.
func (f *Feed) path() []string {
	class, service := f.scenario.Watched()
	path := pathOf(&f.scenario, class)
	return path[:slices.Index(path, service)+1]
}

// picture is the simulation at the end of a second, without what keys change
// (panel.overlay).
func picture(f *Feed, w *chain.Window, now *chain.Scenario) *collector.Rig {
	class, _ := now.Watched()
	path := f.path()
	state := f.engine.State()
	rig := &collector.Rig{
		Scenario: f.scenario.FullName(), Title: f.scenario.Title, Look: f.scenario.Look,
		At: w.End, Length: f.scenario.Length, Layers: path[:len(path)-1],
	}
	if f.scenario.Loop {
		rig.Length = 0
	}
	actions := slices.Clone(f.scenario.Actions)
	slices.SortStableFunc(actions, func(a, b chain.Action) int { return int(a.At - b.At) })
	for _, a := range actions {
		rig.Repairs = append(rig.Repairs, collector.Repair{Name: a.Name, Title: a.Title, Wrong: a.Wrong})
	}
	for layer := range len(path) - 1 {
		rig.Hops = append(rig.Hops, hop(&state, now, class, path[layer], path[layer+1]))
	}
	f.panel.flows.add(w)
	f.panel.flows.put(rig, now)
	rig.Room = room(rig, now, w.End)
	for _, name := range path {
		rig.Services = append(rig.Services, serviceOf(w, name))
	}
	for _, c := range w.Classes {
		rig.Classes = append(rig.Classes, f.panel.flows.class(c.Class, int(c.Pending)))
	}
	return rig
}

// hop is a caller and a callee of the watched class, without what flows (flows.put).
func hop(state *chain.State, s *chain.Scenario, class, from, to string) collector.RigHop {
	out := collector.RigHop{From: from, To: to, FanOut: calls(s, from, to), Permitted: 1, Bound: 1, Budget: math.NaN(), Passing: 1}
	if _, p := policyAt(s, class, from, to); p != nil {
		out.Permitted, out.Policy = p.Permitted(), p.Describe()
		if p.Budget.Kind != policy.NoBudget {
			out.Formula = formula(&p.Budget)
		}
	}
	for i := range state.Hops {
		if h := &state.Hops[i]; h.Class == class && h.From == from && h.To == to {
			if out.Formula != "" {
				out.Budget = h.Budget
			}
			out.Breaker, out.Passing = breaker(h.Breaker), h.Passing
			out.InFlight = int(h.InFlight)
			out.PoolUsed, out.PoolSize, out.PoolQueue = int(h.PoolInUse), max(h.PoolSize, 0), int(h.PoolQueue)
		}
	}
	return out
}

// breaker is the word for a state on the screen; "" without one.
func breaker(s chain.BreakerState) string {
	switch s {
	case policy.NoBreaker:
		return ""
	case policy.HalfOpen:
		return "half-open"
	}
	return s.String()
}

func serviceOf(w *chain.Window, name string) collector.RigService {
	out := collector.RigService{Name: name}
	v := w.Service(name)
	if v == nil {
		return out
	}
	out.Slots, out.Busy, out.Queued = max(v.Slots, 0), int(v.Busy), int(v.Queued)
	if v.Latency.Count > 0 {
		out.P99 = collector.Num(v.Latency.P99.Seconds(), collector.Seconds, collector.Exact)
	}
	switch {
	case v.Down:
		out.State = "down"
	case v.Cold:
		out.State = "cold"
	}
	return out
}

// formula is the rule of a budget with its share in numbers.
func formula(b *policy.Budget) string {
	rule, _, _ := strings.Cut(b.Kind.Formula(), ", gain at most")
	return strings.ReplaceAll(rule, "share", collector.FormatThreshold(b.Share, collector.Fraction))
}

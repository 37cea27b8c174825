package play

import (
	"math"
	"slices"

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
	class, service := now.Watched()
	path := f.path()
	state := f.engine.State()
	rig := &collector.Rig{
		Scenario: f.scenario.FullName(), Title: f.scenario.Title, Look: f.scenario.Look,
		At: w.End, Length: f.scenario.Length, Layers: path[:len(path)-1],
		Measured: math.NaN(), Worst: 1, Wasted: math.NaN(),
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
		rig.Hops = append(rig.Hops, hop(w, &state, now, class, path[layer], path[layer+1]))
		rig.Worst *= float64(rig.Hops[layer].Permitted) * calls(&f.scenario, path[layer], path[layer+1])
	}
	f.panel.flows.add(w, class, service, path)
	f.panel.flows.put(rig)
	for _, name := range path {
		rig.Services = append(rig.Services, serviceOf(w, name))
	}
	if n := w.Node(class, service); n != nil && n.Completed > 0 {
		rig.Wasted = float64(n.Wasted) / float64(n.Completed)
	}
	for _, c := range w.Classes {
		delivered := math.NaN()
		if n := c.Delivered + c.Failed; n > 0 {
			delivered = float64(c.Delivered) / float64(n)
		}
		rig.Classes = append(rig.Classes, collector.RigClass{
			Name: c.Class, Ingress: float64(c.Requests) / w.Seconds(), Delivered: delivered, Pending: int(c.Pending),
		})
	}
	return rig
}

// hop is a caller and a callee of the watched class, without its gain.
func hop(w *chain.Window, state *chain.State, s *chain.Scenario, class, from, to string) collector.RigHop {
	out := collector.RigHop{From: from, To: to, Permitted: 1, Gain: math.NaN(), Budget: math.NaN(), Passing: 1}
	_, p := policyAt(s, class, from, to)
	if p != nil {
		out.Permitted, out.Policy = p.Permitted(), p.Describe()
		if p.Budget.Kind != policy.NoBudget {
			out.Formula = p.Budget.Kind.Formula()
		}
	}
	if h := w.Hop(class, from, to); h != nil {
		out.Requests, out.Attempts = float64(h.Requests)/w.Seconds(), float64(h.Attempts)/w.Seconds()
		for _, n := range h.ByAttempt {
			out.ByAttempt = append(out.ByAttempt, float64(n)/w.Seconds())
		}
		refused := int64(0)
		for _, n := range h.Rejected {
			refused += n
		}
		out.Refused = float64(refused) / w.Seconds()
		if hasPool(p) {
			if wait, known := poolWait(h, p.Pool.Timeout.Seconds()); known {
				out.PoolWait = collector.Num(wait, collector.Seconds, collector.Exact)
			}
		}
	}
	for i := range state.Hops {
		if h := &state.Hops[i]; h.Class == class && h.From == from && h.To == to {
			if out.Formula != "" {
				out.Budget = h.Budget
			}
			out.Breaker, out.Passing = breaker(h.Breaker), h.Passing
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

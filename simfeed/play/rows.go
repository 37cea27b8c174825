package play

import (
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/chain/policy"
	"stormtop/simfeed/scenario"
)

// profile is the name of the system that a simulated chain is.
const profile = "chain"

// subject is one target: a class at one hop, or from its users to the last
// service of its path.
type subject struct {
	target   collector.Target
	class    string
	from, to string  // the hop; from is "" where the path is one service
	edge     bool    // per request of a user, not per call at the hop
	baseline float64 // its healthy fan-out
	watched  bool    // the scenario's headline
}

// subjects are the targets of a scenario: for each class the last service of
// its path, and each hop where there are several. Sorted by name.
func subjects(s *scenario.Scenario) []subject {
	class, service := s.Watched()
	var out []subject
	for i := range s.Classes {
		c := &s.Classes[i]
		last := c.Path[len(c.Path)-1]
		head := subject{class: c.Name, to: last, edge: true, baseline: 1}
		if len(c.Path) > 1 {
			head.from = c.Path[len(c.Path)-2]
		}
		head.watched = c.Name == class && last == service
		if head.watched {
			head.baseline = s.Baseline
		}
		kind := collector.Edge
		if len(c.Path) == 2 && calls(&s.Scenario, head.from, last) == 1 {
			kind = collector.Hop // both ratios are the same
		}
		head.target = named(kind, s, c.Name, last, collector.Label{Name: "service", Value: last})
		out = append(out, head)
		for j := 1; j < len(c.Path) && len(c.Path) > 2; j++ {
			from, to := c.Path[j-1], c.Path[j]
			hop := subject{class: c.Name, from: from, to: to, baseline: 1}
			hop.target = named(collector.Hop, s, c.Name, from+">"+to,
				collector.Label{Name: "caller", Value: from}, collector.Label{Name: "service", Value: to})
			out = append(out, hop)
		}
	}
	slices.SortFunc(out, func(a, b subject) int {
		if c := strings.Compare(a.target.Name, b.target.Name); c != 0 {
			return c
		}
		return strings.Compare(a.target.ID, b.target.ID)
	})
	return out
}

// named is a target with the class in front of its name where more than one
// class comes there.
func named(kind collector.RatioKind, s *scenario.Scenario, class, name string, labels ...collector.Label) collector.Target {
	shared := 0
	for i := range s.Classes {
		if slices.Contains(s.Classes[i].Path, labels[len(labels)-1].Value) {
			shared++
		}
	}
	if shared > 1 {
		name = class + " " + name
		labels = append([]collector.Label{{Name: "class", Value: class}}, labels...)
	}
	t := collector.NewTarget(kind, labels...)
	t.Name = name
	return t
}

// calls is how often a caller calls a callee for a request.
func calls(s *chain.Scenario, from, to string) float64 {
	for i := range s.Edges {
		if e := &s.Edges[i]; e.From == from && e.To == to {
			return e.Calls
		}
	}
	return 1
}

// values are the measured signals of a subject in a window.
func (t *subject) values(w *chain.Window, policies policyOf) collector.Values {
	var v collector.Values
	seconds := w.Seconds()
	set := func(s collector.Signal, n int64) {
		f := float64(n)
		if s.Unit() == collector.PerSecond {
			f /= seconds
		}
		v[s] = collector.Num(f, s.Unit(), collector.Exact)
	}
	set(collector.QueueDepth, queued(w, t))
	s, ok := w.Signals(t.class, t.to)
	hop := w.Hop(t.class, t.from, t.to)
	switch {
	case !ok:
		return collector.Values{}
	case hop == nil: // a path of one service
		set(collector.Ingress, s.Ingress)
		set(collector.Downstream, s.Downstream)
		set(collector.Retries, 0)
		set(collector.Successes, s.Successes)
		set(collector.AtLimit, 0)
		return v
	case t.edge:
		set(collector.Ingress, s.Ingress)
		set(collector.Successes, s.Successes)
	default:
		set(collector.Ingress, hop.Requests)
		set(collector.Successes, hop.Successes)
	}
	set(collector.Downstream, s.Downstream)
	set(collector.AtLimit, s.AtLimit)
	if t.target.Kind == collector.Hop {
		set(collector.Retries, s.Retries)
		set(collector.Rescued, s.Rescued)
	}
	p := policies(t.class, t.from, t.to)
	if hasPool(p) {
		if wait, known := poolWait(hop, p.Pool.Timeout.Seconds()); known {
			v[collector.PoolWait] = collector.Num(wait, collector.Seconds, collector.Exact)
		}
	}
	if p != nil && (p.Budget.Kind != policy.NoBudget || p.Breaker.On) {
		set(collector.Overflow, hop.Rejected[chain.BudgetSpent]+hop.Rejected[chain.BreakerOpen])
	}
	return v
}

// queued is what waits for a slot of the callee, of the class alone.
func queued(w *chain.Window, t *subject) int64 {
	if n := w.Node(t.class, t.to); n != nil {
		return n.Queued
	}
	return 0
}

// poolWait is the mean wait for a connection in seconds, of those that got one
// and of those that waited in vain for as long as they may. It is not known
// where nobody's wait ended.
func poolWait(h *chain.HopWindow, timeout float64) (mean float64, known bool) {
	lost := h.Rejected[chain.PoolTimeout]
	n := int64(h.PoolWait.Count) + lost
	if n == 0 {
		return 0, h.PoolQueue == 0
	}
	return poolSeconds(h, timeout) / float64(n), true
}

// poolSeconds is all the time that was waited for connections.
func poolSeconds(h *chain.HopWindow, timeout float64) float64 {
	return h.PoolWait.Mean.Seconds()*float64(h.PoolWait.Count) + timeout*float64(h.Rejected[chain.PoolTimeout])
}

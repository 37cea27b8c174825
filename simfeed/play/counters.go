package play

import (
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/chain/policy"
	"stormtop/simfeed/scenario"
)

// policyOf finds the policy of a class at a hop; nil where there is no such hop.
type policyOf func(class, from, to string) *policy.Policy

// Tally adds windows up to the raw counters that the hops of a chain would have
// in production: every hop of every class is a service of its own.
type Tally struct {
	hops     []subject
	counters []collector.ServiceCounters
}

// NewTally is a tally at 0.
func NewTally(s *scenario.Scenario) *Tally {
	t := &Tally{}
	for _, sub := range subjects(s) {
		if sub.edge && len(pathOf(s, sub.class)) > 2 {
			continue // its last hop is there by itself
		}
		attempts, p := 1, policiesOf(&s.Scenario)(sub.class, sub.from, sub.to)
		if p != nil {
			attempts = min(p.Permitted(), chain.MaxByAttempt)
		}
		t.hops = append(t.hops, sub)
		t.counters = append(t.counters, collector.ServiceCounters{
			Service: sub.target.Name, Attempts: make([]uint64, attempts), Successes: make([]uint64, attempts),
			HasPool:    hasPool(p),
			QueueDepth: collector.Num(0, collector.Count, collector.Exact),
		})
	}
	return t
}

func pathOf(s *scenario.Scenario, class string) []string {
	for i := range s.Classes {
		if s.Classes[i].Name == class {
			return s.Classes[i].Path
		}
	}
	return nil
}

// policiesOf finds policies in a scenario.
func policiesOf(s *chain.Scenario) policyOf {
	return func(class, from, to string) *policy.Policy {
		for i := range s.Edges {
			if e := &s.Edges[i]; e.From == from && e.To == to {
				return e.PolicyOf(class)
			}
		}
		return nil
	}
}

func hasPool(p *policy.Policy) bool { return p != nil && p.Pool.Size != chain.Unlimited }

// Add counts a window, of the scenario as it then was. A past window only sets
// the gauges.
func (t *Tally) Add(s *chain.Scenario, w *chain.Window, past bool) {
	policies := policiesOf(s)
	for i := range t.hops {
		sub, c := &t.hops[i], &t.counters[i]
		c.QueueDepth = collector.Num(float64(queued(w, sub)), collector.Count, collector.Exact)
		if past {
			continue
		}
		hop := w.Hop(sub.class, sub.from, sub.to)
		if hop == nil {
			if users := w.Class(sub.class); users != nil {
				c.Requests += uint64(users.Requests)
				c.Attempts[0] += uint64(users.Requests)
				c.Successes[0] += uint64(users.Delivered)
			}
			continue
		}
		c.Requests += uint64(hop.Requests)
		c.AtLimit += uint64(hop.AtLimit)
		c.Attempts = add(c.Attempts, hop.ByAttempt)
		c.Successes = add(c.Successes, hop.SuccessBy)
		if p := policies(sub.class, sub.from, sub.to); hasPool(p) {
			c.HasPool = true
			c.PoolWaitSeconds += poolSeconds(hop, p.Pool.Timeout.Seconds())
			c.PoolWaits += uint64(hop.PoolWait.Count) + uint64(hop.Rejected[chain.PoolTimeout])
		}
	}
}

// add adds counts by attempt number. Numbers that were never there before
// appear when there is something to count.
func add(to []uint64, counts []int64) []uint64 {
	for i, n := range counts {
		if i == len(to) {
			if !slices.ContainsFunc(counts[i:], func(n int64) bool { return n > 0 }) {
				break
			}
			to = append(to, 0)
		}
		to[i] += uint64(n)
	}
	return to
}

// Counters are a copy, sorted by service.
func (t *Tally) Counters() []collector.ServiceCounters {
	out := slices.Clone(t.counters)
	for i := range out {
		out[i].Attempts = slices.Clone(out[i].Attempts)
		out[i].Successes = slices.Clone(out[i].Successes)
	}
	slices.SortFunc(out, func(a, b collector.ServiceCounters) int { return strings.Compare(a.Service, b.Service) })
	return out
}

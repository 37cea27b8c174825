package chain

import "time"

// State is what a screen shows of a run between two windows: a copy, which the
// engine does not touch any more.
type State struct {
	At       time.Duration // since the start of the run
	Ended    bool
	Levers   []Knob // every field with its value now
	Hops     []HopState
	Services []ServiceState
	Changes  []Applied // all so far
}

// HopState is a class at an edge.
type HopState struct {
	Class, From, To string
	Own             bool   // the class has a policy of its own here
	Describe        string // attempts with the foreign number: "2 attempts (Envoy num_retries 1)"
	Permitted       int    // attempts a call
	InFlight        int64
	Asleep          int64 // waiting for the next attempt
	PoolInUse       int64
	PoolSize        int // Unlimited where there is none
	PoolQueue       int64
	Budget          float64 // share that is left, 0 to 1; 1 without one
	Formula         string  // of the budget
	Breaker         BreakerState
	Passing         float64 // share that the breaker lets pass
}

// ServiceState is a service.
type ServiceState struct {
	Service    string
	Slots      int // working ones; Unlimited where there is no limit
	Busy       int64
	Queued     int64
	Down, Cold bool
	Own        []PoolState // bulkheads
}

// PoolState is a pool of a class inside a service.
type PoolState struct {
	Class  string
	Slots  int
	Busy   int64
	Queued int64
}

// State is the state of the run now.
func (e *Engine) State() State {
	out := State{At: e.Now(), Ended: e.from >= e.horizon, Levers: e.scenario.Fields(), Changes: e.Changes()}
	s := &e.scenario
	for i := range e.nodes {
		n := &e.nodes[i]
		if n.edge < 0 {
			continue
		}
		l := &e.lanes[n.lane]
		edge := &s.Edges[n.edge]
		breaker, passing := l.breaker.Status(e.now)
		out.Hops = append(out.Hops, HopState{
			Class: s.Classes[n.class].Name, From: edge.From, To: edge.To, Own: l.class >= 0,
			Describe: l.policy.Describe(), Permitted: l.allowed, InFlight: n.inFlight, Asleep: n.asleep,
			PoolInUse: l.inUse.n, PoolSize: l.policy.Pool.Size, PoolQueue: l.waiting.n,
			Budget: l.budget.Level(e.now, l.active+l.waiting.n), Formula: l.policy.Budget.Kind.Formula(),
			Breaker: breaker, Passing: passing,
		})
	}
	for i := range e.services {
		v := &e.services[i]
		state := ServiceState{
			Service: v.config.Name, Slots: e.slots(i),
			Down: v.config.Down || e.now < v.downUntil, Cold: e.now >= v.downUntil && e.now < v.coldUntil,
		}
		for _, k := range v.pools {
			p := &e.pools[k]
			state.Busy += p.busy.n
			state.Queued += p.queued.n
			if p.class >= 0 && e.used(k) {
				own := s.Services[i].own(s.Classes[p.class].Name)
				state.Own = append(state.Own, PoolState{s.Classes[p.class].Name, own.Workers, p.busy.n, p.queued.n})
			}
		}
		out.Services = append(out.Services, state)
	}
	return out
}

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

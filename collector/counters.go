package collector

// ServiceCounters are the raw counters that one service would have in
// production, as a simulation knows them. Counters only ever grow.
type ServiceCounters struct {
	Service   string   // its name, cleaned
	Requests  uint64   // requests, each once however often it is tried
	Attempts  []uint64 // attempts that arrived, by attempt number: [0] the first ones
	Successes []uint64 // requests answered, by the attempt number that did it
	AtLimit   uint64   // requests that used their last permitted attempt

	HasPool         bool    // whether there is a pool to wait for
	PoolWaitSeconds float64 // time spent waiting for it, summed
	PoolWaits       uint64  // how often it was waited for

	QueueDepth Value // requests waiting now; Missing where there is no queue
}

// What the raw counters mean, for whoever publishes them.
const (
	HelpRequests   = "Requests, each counted once however often it is tried: of users at the first hop of a path, calls that the caller began at the hops behind it."
	HelpAttempts   = "Attempts that arrived, by attempt number at this hop; 1 is the first one. Those with number 1 may be retries of a hop before it."
	HelpSuccesses  = "Requests answered with success, by the number of the attempt that did it."
	HelpAtLimit    = "Requests that used their last permitted attempt; 0 where only one is permitted."
	HelpPoolWait   = "Time that requests waited for a connection of the caller's pool; waits that ended in vain are among them."
	HelpQueueDepth = "What waits now: attempts for a slot of the service; in the outage lab, which has no queue, requests for their next attempt."
)

// Simulation is what decides a simulation, so that it can be told from others.
type Simulation struct {
	Scenario string // its name, cleaned, with the variant behind a colon
	Seed     int64  // of the run that plays now; each lap after the first has one derived from it
}

// Counting is a simulation that has raw counters. Both methods may be called
// from any goroutine while Next runs.
type Counting interface {
	// Counters are a copy, sorted by Service, in which every service and attempt
	// number exists from the start, at 0.
	Counters() []ServiceCounters
	Simulation() Simulation
}

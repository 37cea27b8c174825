package collector

// ServiceCounters are the raw counters that one service would have in
// production, as a simulation knows them. Counters only ever grow.
type ServiceCounters struct {
	Service   string   // its name, cleaned
	Requests  uint64   // original requests
	Attempts  []uint64 // attempts that arrived, by attempt number: [0] the first ones
	Successes []uint64 // requests answered, by the attempt number that did it
	AtLimit   uint64   // requests that used their last permitted attempt

	HasPool         bool    // whether there is a pool to wait for
	PoolWaitSeconds float64 // time spent waiting for it, summed
	PoolWaits       uint64  // how often it was waited for

	QueueDepth Value // requests waiting now; Missing where there is no queue
}

// Counting is a source that has raw counters. Counters may be called from any
// goroutine while Next runs; the answer is a copy, sorted by Service, in which
// every service and attempt number exists from the start, at 0.
type Counting interface{ Counters() []ServiceCounters }

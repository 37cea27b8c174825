package chain

import (
	"stormtop/simfeed/chain/agenda"
	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/hist"
	"stormtop/simfeed/chain/policy"
)

// node is a class at a service, with the edge that leads there.
type node struct {
	class, hop, service int
	last                bool // of the path
	edge                int  // that leads there; -1 at the first service
	lane                int  // the policy in force on that edge
	pool                int  // of the service
	safe                bool // a retry does no harm
	network             int64

	time      draw.Sampler
	errorRate float64
	calls     float64 // to the next service
	parallel  bool

	works, faults, fanOut, jitter, admit draw.Stream

	done agenda.Lane // work of constant time
	to   agenda.Lane // the network to the service
	back [policy.NumOutcomes]agenda.Lane

	tally policy.Tally

	// Now.
	here     place // at the service, queued ones included
	queued   int64 // of them
	inFlight int64
	asleep   int64
	pooling  int64
	sent     counts
	served   served
	atNode   hist.Hist
	atHop    hist.Hist
	poolWait *hist.Hist // nil while there is no pool
}

// counts are what the caller saw in the window.
type counts struct {
	requests, attempts, successes, atLimit int64
	byAttempt, successBy                   [MaxByAttempt]int64
	outcomes                               [policy.NumOutcomes]int64
	rejected                               [NumReasons]int64
}

// served are what the service saw in the window.
type served struct {
	arrivals, completed, wasted, duplicates, cancelled int64
	rejected                                           [NumReasons]int64
}

// lane is a policy in force: that of an edge, or of a class there.
type lane struct {
	edge    int
	class   int // -1 for that of the edge
	policy  policy.Policy
	allowed int // attempts a call
	instant bool

	budget   policy.BudgetMeter
	outside  bool // the breaker stands outside of the retry loop
	breaks   bool // there is a breaker
	breaker  policy.BreakerMeter
	throttle policy.ThrottleMeter
	admits   bool // there is a throttle

	active   int64 // attempts waited for
	bulkhead int64
	inUse    place // connections
	waiting  place // for one
	line     line  // of those that wait
	granting bool  // an event will give connections away

	timeouts agenda.Lane
	wakes    agenda.Lane
	patience agenda.Lane // of the wait for a connection
}

// pool is slots with a queue: those of a service, or those of a class inside.
type pool struct {
	service  int
	class    int // -1 for that of the service
	slots    int64
	room     int64 // in the queue
	busy     place
	queued   place
	oldest   int32
	youngest int32
	patience agenda.Lane
}

// service is what the pools of a service share.
type service struct {
	config    *Service
	pools     []int // [0] is its own, then one for each class, used or not
	factor    float64
	downUntil int64
	coldUntil int64
	restarts  uint32
	second    int64 // of the rate limit
	let       float64
	places    [maxPlan]places // reserved ones below the limit, by second
	queueWait hist.Hist
	latency   hist.Hist // scratch: merged when a window ends
}

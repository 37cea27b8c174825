package chain

import (
	"fmt"
	"time"

	"stormtop/simfeed/chain/policy"
)

// Reason is why an attempt or a retry was refused.
type Reason uint8

// The reasons. Those from QueueFull on are the callee's, at a Node; the others
// are the caller's own, at a Hop.
const (
	PoolTimeout   Reason = iota // no connection in time
	PoolFull                    // too many waited for a connection already
	BulkheadFull                // too many calls at once at this edge
	BreakerOpen                 // the breaker let nothing pass
	BudgetSpent                 // the budget had no retry left
	DeadlinePast                // there was no time left for another attempt
	Throttled                   // the client's adaptive throttle
	QueueFull                   // no slot and no room in the queue
	QueueTimeout                // waited too long for a slot
	Expired                     // dropped at arrival or when it left the queue: nobody waits for it
	LimitExceeded               // beyond the callee's rate limit
	ServiceDown                 // refused or reset: the callee is down
	NumReasons
)

// String is the name in machine formats.
func (r Reason) String() string {
	names := [NumReasons]string{
		"pool_timeout", "pool_full", "bulkhead", "breaker", "budget", "deadline", "throttle",
		"queue_full", "queue_timeout", "expired", "rate_limit", "down",
	}
	if r < NumReasons {
		return names[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Window is what happened in one stretch of virtual time. It belongs to its
// receiver: the engine keeps nothing of it.
type Window struct {
	Index      int           // 0 is the first
	Start, End time.Duration // since the start of the run
	Classes    []ClassWindow // in the order of the scenario
	Hops       []HopWindow   // by class, each in the order of its path
	Nodes      []NodeWindow  // by class, each in the order of its path
	Services   []ServiceWindow
	Changes    []Applied // made in it, by the timeline or from outside
}

// ClassWindow is a class of users, end to end.
type ClassWindow struct {
	Class     string
	Requests  int64 // ingress: user requests that arrived
	Delivered int64 // answered with success
	Failed    int64 // answered with a failure
	// Attempts are those that were sent to the last service of the path; with
	// a path of one service they are the requests.
	Attempts int64
	Latency  Quantiles // of all answers, from the request's arrival
	Pending  int64     // at the end, server side: running or queued, over all services of the path
	Waiting  int64     // at the end, caller side: user requests without an answer yet
}

// Amplification is the attempts at the last service for each request, and false
// when there was no request.
func (c *ClassWindow) Amplification() (ratio float64, ok bool) {
	if c.Requests == 0 {
		return 0, false
	}
	return float64(c.Attempts) / float64(c.Requests), true
}

// HopWindow is a class at an edge, as the caller sees it.
type HopWindow struct {
	Class, From, To string
	Requests        int64   // calls begun
	Attempts        int64   // sent, of all numbers
	ByAttempt       []int64 // sent, by attempt number: [0] the first ones; the last of MaxByAttempt holds the rest
	Successes       int64   // calls answered with success
	SuccessBy       []int64 // by the attempt number that did it, as ByAttempt
	AtLimit         int64   // calls that used their last permitted attempt; 0 where only one is
	Outcomes        [policy.NumOutcomes]int64
	Rejected        [NumReasons]int64
	InFlight        int64     // at the end: attempts that are waited for
	Asleep          int64     // at the end: calls that wait for their next attempt
	PoolQueue       int64     // at the end: calls that wait for a connection
	PoolWait        Quantiles // of those that got a connection in the window
	Latency         Quantiles // of attempts that were answered, whatever the answer
	Breaker         BreakerState
	Passing         float64 // share that the breaker lets pass at the end
	Budget          float64 // share of the budget that is left at the end, 0 to 1; 1 without one
	Permitted       int     // attempts a call, at the end
}

// MaxByAttempt is how many attempt numbers are told apart.
const MaxByAttempt = 16

// Name is "caller>callee".
func (h *HopWindow) Name() string { return h.From + ">" + h.To }

// Retries are the attempts that were not first ones.
func (h *HopWindow) Retries() int64 {
	if len(h.ByAttempt) == 0 {
		return 0
	}
	return h.Attempts - h.ByAttempt[0]
}

// Rescued are the successes that needed more than one attempt.
func (h *HopWindow) Rescued() int64 {
	if len(h.SuccessBy) == 0 {
		return 0
	}
	return h.Successes - h.SuccessBy[0]
}

// Timeouts are the attempts that the caller gave up.
func (h *HopWindow) Timeouts() int64 { return h.Outcomes[policy.Timeout] }

// Gain is the attempts for each call, and false when there was no call.
func (h *HopWindow) Gain() (ratio float64, ok bool) {
	if h.Requests == 0 {
		return 0, false
	}
	return float64(h.Attempts) / float64(h.Requests), true
}

// NodeWindow is a class at a service, as the service sees it.
type NodeWindow struct {
	Class, Service string
	Arrivals       int64 // attempts that came, those refused included
	Completed      int64 // work that ended, with whatever result
	Wasted         int64 // of those, work for which nobody waited any more
	Duplicates     int64 // executions of a request that already had its effect, not idempotent and without a key
	Cancelled      int64 // stopped because nobody waited any more
	Rejected       [NumReasons]int64
	Running        int64     // at the end: at work, or waiting for its own calls
	Queued         int64     // at the end
	Latency        Quantiles // from arrival to completion, failures included
}

// ServiceWindow is a service, all classes together.
type ServiceWindow struct {
	Service    string
	Slots      int       // working ones, own pools included; Unlimited where one is
	Busy       int64     // slots in use, at the end
	Queued     int64     // at the end
	MeanBusy   float64   // over the window
	MeanQueued float64   // over the window
	Latency    Quantiles // from arrival to completion, failures included
	QueueWait  Quantiles // of work that left the queue for a slot
	Down, Cold bool      // at the end
}

// Quantiles describe times. All are 0 where Count is.
type Quantiles struct {
	Count         int64
	Mean          time.Duration
	P50, P95, P99 time.Duration // within 0.8 %, nearest rank
}

// BreakerState is the state of a circuit breaker.
type BreakerState = policy.State

// Applied is a change that was made.
type Applied struct {
	At     time.Duration
	Field  string
	From   string // the value before; "" of a restart
	To     string
	Note   string
	Ended  bool // the change went back to what was there before it
	Manual bool // from outside while it ran, not from the timeline
}

// Hop is a class at an edge, or nil when the class does not pass it.
func (w *Window) Hop(class, from, to string) *HopWindow {
	for i := range w.Hops {
		if h := &w.Hops[i]; h.Class == class && h.From == from && h.To == to {
			return h
		}
	}
	return nil
}

// Node is a class at a service, or nil when the class does not pass it.
func (w *Window) Node(class, service string) *NodeWindow {
	for i := range w.Nodes {
		if n := &w.Nodes[i]; n.Class == class && n.Service == service {
			return n
		}
	}
	return nil
}

// Class is a class end to end, or nil when there is none of that name.
func (w *Window) Class(name string) *ClassWindow {
	for i := range w.Classes {
		if w.Classes[i].Class == name {
			return &w.Classes[i]
		}
	}
	return nil
}

// Service is a service, or nil when there is none of that name.
func (w *Window) Service(name string) *ServiceWindow {
	for i := range w.Services {
		if w.Services[i].Service == name {
			return &w.Services[i]
		}
	}
	return nil
}

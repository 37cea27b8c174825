package chain

import (
	"time"

	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/field"
	"stormtop/simfeed/chain/policy"
)

// The bounds of a scenario.
const (
	MaxLength   = 24 * time.Hour
	MaxServices = 32
	MaxClasses  = 32
	MaxHops     = 8         // services in a path
	MaxWorkers  = 1_000_000 // of a service
	MaxQueue    = 5_000_000
	MaxClients  = 100_000 // of a closed loop
	MaxChanges  = 10_000
	MaxFanOut   = 100
	MaxWindows  = 100_000 // of a run
	// MaxWorstRate bounds the attempts a second if every attempt failed.
	MaxWorstRate = 1e9
)

// Unlimited is a limit that is none.
const Unlimited = field.NoLimit

// Scenario is a system, its load and what happens to it. Make one with
// NewScenario, which fills in the defaults.
type Scenario struct {
	Name  string
	Title string // one line: the story
	Look  string // what to look for
	From  string // the source of the story and its numbers
	// Fitted are the paths of the fields that were fitted by trial, and not
	// given by the source.
	Fitted []string

	Length time.Duration // of the run, 1 s to MaxLength
	Every  time.Duration // length of an output window, 100 ms to 1 h
	Watch  Watch

	Classes  []Class
	Services []Service
	Edges    []Edge

	// Timeline is what happens in any case. Actions are what an operator may
	// do; Play puts them on the timeline.
	Timeline []Change
	Actions  []Action
	Judge    Judge
}

// Watch names what the headline of a run is about: the attempts of a class at
// a service. Empty names mean the first class, and the last service of its
// path.
type Watch struct{ Class, Service string }

// Class is one kind of user requests.
type Class struct {
	Name string   // without > [ ] . and white space
	Path []string // the services from the edge of the system to the last dependency

	Rate   Rate    // open loop
	Factor float64 // multiplies the rate; 1 by default, 0 to 1000
	Even   bool    // evenly spaced, else Poisson

	Clients int       // closed loop: so many clients, instead of a rate
	Think   draw.Dist // between an answer and the next request of a client, at least 1 ms on average

	Idempotent bool // executing it twice does no harm
	Key        bool // it carries an idempotency key: executed twice, it has one effect
}

// Discipline is the order in which a queue is served.
type Discipline uint8

// The disciplines.
const (
	FIFO Discipline = iota // first in, first out
	LIFO                   // last in, first out
)

// String is the name in scenario files.
func (d Discipline) String() string {
	if d == LIFO {
		return "lifo"
	}
	return "fifo"
}

// Service is one layer, or one branch, of the system.
type Service struct {
	Name string

	Workers      int           // slots, 1 to MaxWorkers, or Unlimited; held while it waits for its own calls
	Async        bool          // slots are held for its own work only
	Queue        int           // how many may wait for a slot; Unlimited up to MaxQueue
	QueueTimeout time.Duration // of the wait for a slot; 0 is none
	Discipline   Discipline
	DropExpired  bool // what nobody waits for any more is dropped when it leaves the queue

	Time       draw.Dist // its own work for a request
	TimeFactor float64   // multiplies the time of work that begins; 0 to 10,000
	// With a Contention above 0, work that begins while more than
	// ContentionFrom are at work takes 1 + Contention x (busy - from) / from
	// times as long.
	Contention     float64
	ContentionFrom int
	ErrorRate      float64       // share of own work that ends in an error
	HangRate       float64       // share of own work that takes HangTime instead
	HangTime       time.Duration // how long that is
	Network        time.Duration // to it, and again back
	Down           bool          // refuses connections

	Limit      float64       // attempts a second it lets in, counted by whole seconds; 0 is none
	RetryAfter time.Duration // what it says to those beyond the limit
	// Reserve keeps room below Limit for retries that are planned: a call that
	// will come again in a later second has its place there from the moment it
	// plans to, before calls that come new (as in the outage lab).
	Reserve bool

	Restart Restart
	// Classes are classes whose work differs from the above.
	Classes []ClassWork
	// Own are bulkheads: classes with slots and a queue of their own.
	Own []ClassPool
}

// ClassWork is the own work of a class at a service, where it differs.
type ClassWork struct {
	Class     string
	Time      draw.Dist
	ErrorRate float64
}

// ClassPool is a bulkhead: a pool of a class inside a service, of which nothing
// is shared with the others, no slot and no queue. Its slots are taken from the
// workers of the service, of which at least one remains for the others.
type ClassPool struct {
	Class   string
	Workers int // in service at once
	Queue   int // waiting; beyond it refused at arrival
}

// Restart is what a restart of a service is like: work in progress is reset,
// connections are refused while it is down, then it is cold.
type Restart struct {
	Down        time.Duration
	Cold        time.Duration
	ColdFactor  float64 // multiplies the time of work while cold
	ColdWorkers float64 // share of the slots that work while cold, above 0
}

// Edge is a caller with a callee: how often it calls, and by which policy.
type Edge struct {
	From, To string
	Calls    float64 // a request; a fraction is made by chance
	Parallel bool    // the calls of a request are made at once, else one after the other
	Policy   policy.Policy
	// Classes are the classes with a policy of their own, which shares no
	// budget, breaker, pool or bulkhead with the others.
	Classes []ClassPolicy
}

// ClassPolicy is the policy of one class at an edge.
type ClassPolicy struct {
	Class  string
	Policy policy.Policy
}

// Name is "caller>callee".
func (e *Edge) Name() string { return e.From + ">" + e.To }

// Change sets a field to a value at a time. Faults and what an operator does
// are the same.
type Change struct {
	At    time.Duration // since the start of the run
	Field string        // a path as Fields lists it: "edges.order>payment.attempts"
	Value string        // as the field is written; "x5" multiplies a number
	For   time.Duration // then it goes back to what it was; 0 is for good
	Over  time.Duration // a number goes there in a straight line; 0 is at once
	// Standing changes belong to the day, not to the trigger: they happen in
	// the control run, too.
	Standing bool
	Operator bool   // somebody did it about the trigger, of which it is no part
	Note     string // what it is, in words
}

// Action is something an operator can do: some changes under a name. The times
// of its changes count from when it is done.
type Action struct {
	Name    string        // "cut"
	Title   string        // what it does, in words
	At      time.Duration // when Play does it
	Wrong   bool          // a repair that makes it worse; Play does it only by name
	Changes []Change
}

// Judge says how the verdict on a run is reached.
type Judge struct {
	Tolerance float64       // how far the delivered share may be below the baseline: 0.05
	Ratio     float64       // how far amplification may be above the baseline: 0.2, of it
	Settle    time.Duration // windows count as long after the trigger from then on
	Latency   float64       // how far the p99 end to end may be above the baseline, as a factor; 0 is not judged
}

// NewScenario is a scenario without services, with all defaults.
func NewScenario(name string) Scenario {
	return Scenario{
		Name: name, Length: time.Minute, Every: time.Second,
		Judge: Judge{Tolerance: 0.05, Ratio: 0.2, Settle: 20 * time.Second},
	}
}

// NewClass is a class without load.
func NewClass(name string, path ...string) Class {
	return Class{Name: name, Path: path, Factor: 1}
}

// NewService is a service that takes no time and has no limits.
func NewService(name string) Service {
	return Service{
		Name: name, Workers: Unlimited, Queue: Unlimited, TimeFactor: 1, ContentionFrom: 1, HangTime: 100 * time.Second,
		Restart: Restart{Down: 10 * time.Second, Cold: 20 * time.Second, ColdFactor: 2, ColdWorkers: 0.5},
	}
}

// NewEdge is an edge with one call a request and one attempt a call.
func NewEdge(from, to string) Edge {
	return Edge{From: from, To: to, Calls: 1, Policy: policy.New()}
}

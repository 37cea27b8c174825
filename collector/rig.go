package collector

import "time"

// Rigged is a simulation that can be steered while it runs. Its methods may be
// called from any goroutine and do not block.
type Rigged interface {
	// Rig is the newest picture of it; nil before the first reading. What was
	// asked for is in it at once: levers, faults, repairs, seed and speed.
	Rig() *Rig
	// Turn sets a field (Lever.Field, Fault.Field) to a value. The error, one
	// sentence, says why it cannot be; then nothing was changed.
	Turn(field, value string) error
	// Do does what an operator can do, by its name (Repair.Name).
	Do(name string) error
	// Restart begins the scenario anew with a seed; its first reading Begins.
	Restart(seed int64)
	// SetSpeed goes on at so many virtual seconds a second.
	SetSpeed(speed float64)
}

// Rig is a running simulation as a screen shows it, without knowing its engine:
// a picture of one moment, which belongs to nobody and never changes. Rates,
// ratios and waits are the means of the newest seconds (Mean), so that they can be
// compared: in one second the attempts are not those of the calls that began in
// it. What is in use, queued or pending, and the P99 of a service, is of now.
type Rig struct {
	Scenario string        // its name
	Title    string        // the story, in a line
	Look     string        // what to look for
	Seed     int64         //
	At       time.Duration // since the start of the run
	Length   time.Duration // of the run; 0: without end
	Speed    float64       // virtual seconds a second
	Over     bool          // it came to its end: only Restart does anything
	Outcome  string        // what became of it, at its end; "" before, or where that cannot be said

	Mean time.Duration // what rates, ratios and waits are the means of: 10 s, less at the start

	Layers   []string // columns of the levers: the callers, from the edge inwards
	Levers   []Lever  // by row, then by layer
	Faults   []Fault
	Repairs  []Repair // in the order in which they are done
	Hops     []RigHop // of the watched class, from the edge inwards
	Services []RigService
	Classes  []RigClass
	Ingress  float64  // requests at the edge a second, of the watched class
	Measured float64  // attempts at the last hop for each request at the edge; NaN without requests
	Worst    float64  // the most attempts at the last hop that the policies permit for a request, fan-out included
	Bound    float64  // what budgets and forced breakers leave of Worst, in the long run; Worst where they leave all
	Room     RigRoom  // what the last service has left for users
	Wasted   float64  // share of the last service's work for which nobody waited any more; NaN where none ended
	Effect   *Effect  // of the last change; nil: there was none
	Peers    []Course // the same arrivals under other policies, as far as they are computed
	PeerSeed int64    // the seed of these arrivals, which a restart with another seed leaves behind
}

// RigRoom is what the retries that are permitted leave of a service for the
// requests of users, in the words of the study of metastable failures (Huang et
// al., OSDI 2022). The zero value is of a service without a limit.
type RigRoom struct {
	Service  string  // the watched one; "" where nothing is known
	Organic  float64 // calls a second that the requests of users alone make
	System   float64 // attempts a second that arrive
	Capacity float64 // attempts a second that it can do
	Most     float64 // attempts for each call that policies and budgets permit
	Hidden   float64 // Capacity / Most: with more organic load a storm, once begun, can keep itself alive
}

// Margin is Hidden / Organic; below 1 a storm can keep itself alive.
func (r *RigRoom) Margin() float64 { return r.Hidden / r.Organic }

// Lever is a field of a policy at one layer.
type Lever struct {
	Row   string // "attempts", "backoff", "jitter", "budget", "deadline", "breaker", "bulkhead"
	Layer int    // in Rig.Layers
	Field string // its name for Turn
	Value string // as it is now, in words: "3", "none"
	Less  string // the next value below, for Turn; "" at the end
	More  string // the next value above, for Turn; "" at the end
	// LessWord and MoreWord are what Value will say of them; "": the same as Less and More.
	LessWord, MoreWord string
}

// Fault is something that breaks, or a load that grows, at the press of a key.
type Fault struct {
	Kind  FaultKind
	Title string // "channel answers 300ms later"
	Field string // for Turn
	On    string // the value that switches it on
	Off   string // and off
	Is    bool   // it is on
}

// FaultKind is a kind of fault that a key stands for.
type FaultKind uint8

// The kinds of fault.
const (
	Outage FaultKind = iota
	Delay            // of 300 ms
	Growth           // of the load
)

// Repair is something an operator can do.
type Repair struct {
	Name  string // for Do
	Title string // what it does: "retries off at gateway and order"
	Done  bool
	Wrong bool // it makes things worse
}

// RigHop is a caller and a callee.
type RigHop struct {
	From, To  string
	Policy    string  // attempts with the number in the system's own words: "2 attempts (Envoy num_retries 1)"
	FanOut    float64 // calls for each request that the caller handles; 1 is no fan-out
	Permitted int     // attempts a call
	Bound     float64 // what a budget and a forced breaker leave of Permitted, in the long run; Permitted where they leave all
	Requests  float64 // calls a second
	Attempts  float64 // a second
	ByAttempt []float64
	Gain      float64 // attempts for each call, without the fan-out; NaN without calls
	Saves     float64 // attempts a second at the last hop that there would be less with one attempt here
	First     bool    // it is the one to cut first, until another one saves clearly more
	Budget    float64 // share that is left, 0 to 1; NaN without one
	Formula   string  // of the budget; "" without one
	Breaker   string  // "closed", "open", "half-open"; "" without one
	Passing   float64 // share that the breaker lets pass
	PoolUsed  int
	PoolSize  int // 0: no pool
	PoolQueue int
	PoolWait  Value // of those whose wait ended
	InFlight  int   // attempts that are waited for
	Refused   float64
}

// RigService is a service of the path.
type RigService struct {
	Name   string
	Slots  int // 0: without limit
	Busy   int
	Queued int
	P99    Value // from arrival to completion, queue included
	State  string
}

// RigClass is a class of user requests.
type RigClass struct {
	Name      string
	Ingress   float64 // a second
	Delivered float64 // share of the requests that got an answer, above 1 while more is answered than comes; NaN without requests
	Pending   int     // running or queued in any service of its path
}

// Effect is what a change did.
type Effect struct {
	Text    string        // the change: "attempts at order>payment: 3 → 1"
	Ago     time.Duration // virtual
	Figures []EffectFigure
}

// EffectFigure is one number around a change.
type EffectFigure struct {
	Name   string
	Of     string // the class that it is of, "" where there is one alone
	Before Value  // mean of the 10 s before
	Now    Value  // the newest second
	Later  Value  // the mean of the 5 s around 10 s after; missing until then
}

// FullName is the name of a figure with what it is of: "delivered payments".
func (f *EffectFigure) FullName() string {
	if f.Of == "" {
		return f.Name
	}
	return f.Name + " " + f.Of
}

// Course is how the amplification ran under one policy.
type Course struct {
	Name   string
	Peak   float64   // the highest of the points, NaN where none is a number
	Points []float64 // a point for each stretch of the run: NaN without requests, infinite where retries go on without
}

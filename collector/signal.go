package collector

import "fmt"

// Signal names one of the quantities that stormtop watches for every target.
// The zero value names none.
type Signal uint8

// Inputs are measured by a source; the derived signals follow from them (see Derive).
const (
	NoSignal Signal = iota

	Ingress    // original user requests a second, counted before any retry
	Downstream // attempts a second that really arrive at the dependency, first ones included
	Retries    // attempts a second with an attempt number above 1
	Successes  // requests answered successfully a second
	Rescued    // successes a second that needed an attempt number above 1
	AtLimit    // requests a second that used their last permitted attempt
	PoolWait   // time (or waiters, or waiting events a second) in front of a connection or thread pool
	QueueDepth // requests waiting in front of a worker pool, or for their next attempt
	Arrived    // attempts a second that got a connection, where Downstream holds the others too
	Overflow   // retries a second that a retry budget or a circuit breaker did not permit

	Amplification // Downstream / Ingress / baseline
	RetryRate     // Retries / Downstream
	RescuedShare  // Rescued / Successes
	Delivered     // Successes / Ingress

	// NumSignals bounds arrays that are indexed by Signal.
	NumSignals
)

var signalNames = [NumSignals]string{
	NoSignal: "none", Ingress: "ingress", Downstream: "downstream", Retries: "retries",
	Successes: "successes", Rescued: "rescued", AtLimit: "at_limit", PoolWait: "pool_wait",
	QueueDepth: "queue_depth", Arrived: "arrived", Overflow: "overflow", Amplification: "amplification", RetryRate: "retry_rate",
	RescuedShare: "rescued_share", Delivered: "delivered",
}

var signalUnits = [NumSignals]Unit{
	Ingress: PerSecond, Downstream: PerSecond, Retries: PerSecond, Successes: PerSecond,
	Rescued: PerSecond, AtLimit: PerSecond, PoolWait: Seconds, QueueDepth: Count,
	Arrived: PerSecond, Overflow: PerSecond,
	Amplification: Ratio, RetryRate: Fraction, RescuedShare: Fraction, Delivered: Fraction,
}

// String is the name used in flags, profiles, recordings and JSON.
func (s Signal) String() string {
	if s < NumSignals {
		return signalNames[s]
	}
	return fmt.Sprintf("Signal(%d)", uint8(s))
}

// Unit is the unit a signal has unless its source says otherwise.
func (s Signal) Unit() Unit {
	if s < NumSignals {
		return signalUnits[s]
	}
	return NoUnit
}

// Derived reports whether the signal is computed from others.
func (s Signal) Derived() bool { return s >= Amplification && s < NumSignals }

// Inputs lists the measured signals in their fixed order.
func Inputs() []Signal {
	return []Signal{Ingress, Downstream, Retries, Successes, Rescued, AtLimit, PoolWait, QueueDepth, Arrived, Overflow}
}

// Signals lists every signal, inputs first.
func Signals() []Signal {
	return append(Inputs(), Amplification, RetryRate, RescuedShare, Delivered)
}

// ParseSignal finds a signal by its String name. The error lists the names that exist.
func ParseSignal(name string) (Signal, error) {
	for _, s := range Signals() {
		if signalNames[s] == name {
			return s, nil
		}
	}
	return NoSignal, fmt.Errorf("unknown signal %s: the signals are %s", Quote(name), joinSignals(Signals()))
}

func joinSignals(list []Signal) string {
	out := ""
	for i, s := range list {
		if i > 0 {
			out += ", "
		}
		out += s.String()
	}
	return out
}

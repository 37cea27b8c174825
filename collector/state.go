package collector

import "fmt"

// State says what is known about a Value. Only Ok, Stale and Partial carry a number.
type State uint8

// The states of a value. The zero value is Missing: nothing is known.
const (
	Missing  State = iota // no such series
	Ok                    // a finite number
	Idle                  // 0/0: nothing asked, nothing sent
	Infinite              // x/0: attempts with no ingress
	Stale                 // a number older than it should be
	Partial               // a number of which the server said that parts are absent
	Failed                // the query failed; nothing is known about this instant
)

var stateNames = [...]string{
	Missing: "missing", Ok: "ok", Idle: "idle", Infinite: "infinite",
	Stale: "stale", Partial: "partial", Failed: "failed",
}

// String is the name used in JSON and recordings.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// HasNumber reports whether a value in this state carries a finite number.
func (s State) HasNumber() bool { return s == Ok || s == Stale || s == Partial }

// ParseState finds a state by its String name.
func ParseState(name string) (State, error) {
	for i, n := range stateNames {
		if n == name {
			return State(i), nil
		}
	}
	return Missing, fmt.Errorf("unknown state %q", Clean(name))
}

// Unit is the unit of a Value.
type Unit uint8

// The units. A pool wait may be Seconds (time waited), Count (waiters) or
// PerSecond (waiting events), as the system exports it.
const (
	NoUnit    Unit = iota
	Ratio          // dimensionless, 1 is "as many as"
	Fraction       // 0 to 1, shown as a percentage
	PerSecond      // events a second
	Seconds        // a duration
	Count          // a number of things
)

var unitNames = [...]string{
	NoUnit: "none", Ratio: "ratio", Fraction: "fraction", PerSecond: "per_second",
	Seconds: "seconds", Count: "count",
}

// String is the name used in JSON and profiles.
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return fmt.Sprintf("Unit(%d)", uint8(u))
}

// ParseUnit finds a unit by its String name.
func ParseUnit(name string) (Unit, error) {
	for i, n := range unitNames {
		if n == name && Unit(i) != NoUnit {
			return Unit(i), nil
		}
	}
	return NoUnit, fmt.Errorf("unknown unit %q: the units are ratio, fraction, per_second, seconds, count", Clean(name))
}

// Trust says how far a number means what its signal says.
type Trust uint8

// The levels of trust, best first. The order matters: a value computed from
// others has the largest Trust of its parts.
const (
	NoTrust    Trust = iota
	Exact            // counted as defined
	Approx           // close, with known small differences
	LowerBound       // the truth is this or more
	Heuristic        // a hint that needs a baseline
)

var trustNames = [...]string{
	NoTrust: "unknown", Exact: "exact", Approx: "approx", LowerBound: "lower_bound", Heuristic: "heuristic",
}

// String is the name used in JSON and profiles.
func (t Trust) String() string {
	if int(t) < len(trustNames) {
		return trustNames[t]
	}
	return fmt.Sprintf("Trust(%d)", uint8(t))
}

// ParseTrust finds a level of trust by its String name.
func ParseTrust(name string) (Trust, error) {
	for i, n := range trustNames {
		if n == name && Trust(i) != NoTrust {
			return Trust(i), nil
		}
	}
	return NoTrust, fmt.Errorf("unknown trust %q: the levels are exact, approx, lower_bound, heuristic", Clean(name))
}

// Package alerts judges readings: readings in, states out. It has no clock and
// does no IO; the screen, the machine formats, tuning and the tests use the
// same engine.
package alerts

import (
	"fmt"
	"time"

	"stormtop/collector"
)

// State is the state of a rule on a target.
type State uint8

// The states, calmest first. The zero value is Unknown.
const (
	Unknown  State = iota // it cannot be judged: a signal is missing, or too little was seen yet
	Inactive              // the condition does not hold
	Pending               // it holds, but not yet for as long as the rule asks
	Firing                // it held long enough
)

var stateNames = [...]string{Unknown: "unknown", Inactive: "inactive", Pending: "pending", Firing: "firing"}

// String is the name used in JSON.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Why says what decided the last change of a state, or why there is none.
type Why uint8

// The reasons.
const (
	WhyNone        Why = iota
	WhyTrue            // the condition holds
	WhyFalse           // the condition does not hold
	WhyNoData          // the server answered, but with no sample for the target
	WhyNotExported     // no target has the signal at all
	WhyIdle            // 0/0: neither requests nor attempts
	WhyLowTraffic      // too little traffic: below the rule's floor
	WhyFailed          // the query failed, the state was left as it was
	WhyPartial         // a side of the ratio is partial
	WhySoon            // too little was seen since the start, or since a gap, to know
	WhyChanged         // the rule was changed and is judged anew
	WhyFanOut          // the ratio holds fan-out, and no baseline takes it out
)

var whyTexts = [...]string{
	WhyNone: "", WhyTrue: "condition true", WhyFalse: "condition false", WhyNoData: "no data",
	WhyNotExported: "not exported", WhyIdle: "idle", WhyLowTraffic: "too little traffic",
	WhyFailed: "query failed", WhyPartial: "partial data", WhySoon: "seen too briefly", WhyChanged: "rule changed",
	WhyFanOut: "needs a baseline, since fan-out is in it",
}

// String is the phrase used on the screen and in JSON.
func (w Why) String() string {
	if int(w) < len(whyTexts) {
		return whyTexts[w]
	}
	return fmt.Sprintf("Why(%d)", uint8(w))
}

// Status is what is known of one rule on one target after a reading.
type Status struct {
	Rule   collector.RuleSpec
	Target collector.Target
	Value  collector.Value // of the rule's signal
	// Amplification is the target's at the same instant; it ranks targets.
	Amplification collector.Value

	// State is exactly what Prometheus would hold for the same samples.
	State State
	// Shown is State, except while Held: then it is the last state that could
	// be judged.
	Shown     State
	Held      bool
	HeldSince time.Time
	HeldWhy   Why

	Why      Why       // what decided State at the last evaluation
	ActiveAt time.Time // since when the condition behind Shown holds without a break; zero when it does not
	FiredAt  time.Time // since when the shown state is Firing; zero when it is not
	// Since is when Shown began; zero when that was not seen.
	Since time.Time
	// AtLeast says that the condition already held at the first evaluation, so
	// that it began at ActiveAt or earlier.
	AtLeast bool
	// Peak is the largest value since the condition began to hold.
	Peak collector.Value
}

// Active reports whether the shown state is Pending or Firing.
func (s Status) Active() bool { return s.Shown >= Pending }

// Episode is one ended firing of a rule on a target.
type Episode struct {
	Rule    string
	Target  collector.Target
	Pending time.Time // when the condition began to hold
	Firing  time.Time
	Ended   time.Time
	Peak    collector.Value
	Why     Why // what ended it
}

// Cause says in a word why a target's attempts are what they are.
type Cause uint8

// The causes.
const (
	CauseNone    Cause = iota // nothing changed enough to ask
	CauseRetries              // attempts grew, ingress did not
	CauseTraffic              // ingress grew, the ratio did not
	CauseBoth                 // both grew
	CauseFanOut               // attempts grew without ingress and without retries
	CauseUnclear              // cannot tell
)

var causeNames = [...]string{
	CauseNone: "none", CauseRetries: "retries", CauseTraffic: "traffic", CauseBoth: "both",
	CauseFanOut: "fan-out changed", CauseUnclear: "cannot tell",
}

// String is the word used on the screen and in JSON.
func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return fmt.Sprintf("Cause(%d)", uint8(c))
}

// Diagnosis is the cause for one target, with the changes it follows from.
type Diagnosis struct {
	Cause    Cause
	Since    time.Time // the calm instant that is compared with
	Attempts float64   // relative change of attempts since then: +1.48 is +148 %
	Ingress  float64   // relative change of ingress since then
	Text     string    // one sentence: "it is retries: attempts +148%, ingress +1% since 12:00:04Z"
}

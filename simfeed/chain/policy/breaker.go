package policy

import (
	"fmt"
	"time"

	"stormtop/simfeed/chain/field"
)

// Force is what an operator made of a breaker.
type Force uint8

// The forces.
const (
	NotForced     Force = iota // it decides by itself
	ForceOpen                  // nothing passes
	ForceClosed                // everything passes
	ForceShare                 // the share "pass" passes
	ForceHalfOpen              // half-open now, then it decides by itself
)

var forces = []Force{NotForced, ForceOpen, ForceClosed, ForceShare, ForceHalfOpen}

// String is the name in scenario files.
func (f Force) String() string {
	names := [...]string{"none", "open", "closed", "share", "half_open"}
	if int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("Force(%d)", uint8(f))
}

// Breaker is a circuit breaker: closed, open after too many failures, half-open
// after the cool-down.
type Breaker struct {
	On       bool
	Inside   bool          // within the retry loop, so that every attempt counts; else every call
	Calls    int           // it looks at the last so many results; 0: at those of Window
	Window   time.Duration // 1 s to MaxWindow
	Minimum  int           // results it needs before it may open
	Failures float64       // share of failures at which it opens
	Cooldown time.Duration // how long it stays open
	Probes   int           // calls that pass while half-open, and results that decide
	Gap      time.Duration // mean time between probes, spread by half either way; 0 lets them pass at once
	Lenient  bool          // the share of failures among the probes decides; else one failure opens again
	Ramp     time.Duration // after the probes, the time in which the share that passes goes from 0 to 1
	Force    Force
	Pass     float64 // of ForceShare
}

var breakerFields = field.Table[Breaker]{
	field.SwitchOf("on", "a breaker stands at this edge", func(b *Breaker) *bool { return &b.On }),
	field.SwitchOf("inside", "within the retry loop: every attempt counts", func(b *Breaker) *bool { return &b.Inside }),
	field.CountOf("calls", "looks at the last so many results; 0: at those of the window", 0, 100_000, func(b *Breaker) *int { return &b.Calls }),
	field.DurationOf("window", "looks at the results of so long, 1s to 2m", MaxWindow, func(b *Breaker) *time.Duration { return &b.Window }),
	field.CountOf("minimum", "results needed before it may open", 1, 1_000_000, func(b *Breaker) *int { return &b.Minimum }),
	field.ShareOf("failures", "share of failures at which it opens: 50%", func(b *Breaker) *float64 { return &b.Failures }),
	field.DurationOf("cooldown", "how long it stays open", time.Hour, func(b *Breaker) *time.Duration { return &b.Cooldown }),
	field.CountOf("probes", "calls that pass while half-open", 1, 100_000, func(b *Breaker) *int { return &b.Probes }),
	field.DurationOf("probe_gap", "mean time between probes; 0s: at once", time.Minute, func(b *Breaker) *time.Duration { return &b.Gap }),
	field.SwitchOf("lenient", "the share of failures among the probes decides, else one failure opens again", func(b *Breaker) *bool { return &b.Lenient }),
	field.DurationOf("ramp", "after the probes, time until everything passes again", time.Hour, func(b *Breaker) *time.Duration { return &b.Ramp }),
	field.ChoiceOf("force", "what an operator made of it", forces, func(b *Breaker) *Force { return &b.Force }),
	field.ShareOf("pass", "share that passes when forced to share", func(b *Breaker) *float64 { return &b.Pass }),
}

// State is the state of a circuit breaker.
type State uint8

// The states.
const (
	NoBreaker State = iota // there is none
	Closed                 // everything passes
	HalfOpen               // a few probes pass
	Open                   // nothing passes
	Ramping                // a rising share passes
)

// String is the name in machine formats.
func (s State) String() string {
	names := [...]string{"none", "closed", "half_open", "open", "ramping"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

package policy

import (
	"fmt"
	"strings"

	"stormtop/collector"
)

// Outcome is how an attempt ended, as its caller sees it.
type Outcome uint8

// The outcomes. Refusals by the caller's own breaker, bulkhead, budget or
// throttle are none: they are never retried by the same edge, and the edge
// above sees an error.
const (
	OK          Outcome = iota
	Error               // an answer that says failure
	Timeout             // no answer within the time per try
	Overload            // refused or dropped by a queue of the callee, or no pooled connection in time
	RateLimited         // refused by the callee's rate limit, which says when to come again
	Connect             // nobody there: down, or reset by a restart
	NumOutcomes
)

var outcomeNames = [NumOutcomes]string{"ok", "error", "timeout", "overload", "rate_limited", "connect"}

// String is the name in scenario files.
func (o Outcome) String() string {
	if o < NumOutcomes {
		return outcomeNames[o]
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// Outcomes is a set of outcomes.
type Outcomes uint8

// The sets that are used most.
const (
	NoOutcome Outcomes = 0
	AnyFailed          = 1<<Error | 1<<Timeout | 1<<Overload | 1<<RateLimited | 1<<Connect
)

// Set makes a set.
func Set(list ...Outcome) Outcomes {
	var s Outcomes
	for _, o := range list {
		s |= 1 << o
	}
	return s
}

// Has reports whether an outcome is in the set.
func (s Outcomes) Has(o Outcome) bool { return s>>o&1 != 0 }

// String is the list that ParseOutcomes reads: "timeout, error", "any", "none".
func (s Outcomes) String() string {
	switch s {
	case NoOutcome:
		return "none"
	case AnyFailed:
		return "any"
	}
	var names []string
	for o := Error; o < NumOutcomes; o++ {
		if s.Has(o) {
			names = append(names, o.String())
		}
	}
	return strings.Join(names, ", ")
}

// ParseOutcomes reads a list of outcomes that failed, "any" or "none".
func ParseOutcomes(text string) (Outcomes, error) {
	switch text {
	case "none":
		return NoOutcome, nil
	case "any":
		return AnyFailed, nil
	}
	var s Outcomes
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		found := false
		for o := Error; o < NumOutcomes; o++ {
			if o.String() == word {
				s, found = s|1<<o, true
			}
		}
		if !found {
			return 0, fmt.Errorf("%s is no outcome that can be retried: give any, none, or a list of %s", collector.Quote(word), strings.Join(outcomeNames[Error:], ", "))
		}
	}
	if s == 0 {
		return 0, fmt.Errorf("%s names no outcome: write none for that, or any", collector.Quote(text))
	}
	return s, nil
}

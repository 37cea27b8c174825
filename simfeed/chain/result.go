package chain

import (
	"fmt"
	"time"
)

// Verdict is what became of a run.
type Verdict uint8

// The verdicts.
const (
	NotJudged       Verdict = iota // the run ended too soon after its trigger to say, or with the trigger still on
	NoTrigger                      // nothing happened to it, and it stayed as it was
	Recovered                      // three windows in a row were as before the trigger
	Metastable                     // ten windows in a row stayed outside, long after everything was undone
	UnstableWithout                // the control run, without the trigger, left its baseline, too
)

// String is the name in machine formats.
func (v Verdict) String() string {
	switch v {
	case NotJudged:
		return "not_judged"
	case NoTrigger:
		return "no_trigger"
	case Recovered:
		return "recovered"
	case Metastable:
		return "metastable"
	case UnstableWithout:
		return "unstable_without_trigger"
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// EngineVersion changes when the same scenario and seed give another course of
// events.
const EngineVersion = 1

// Result is a run from its start to its end, or to where it was stopped.
type Result struct {
	Scenario     Scenario
	Seed         int64
	ScenarioHash string // of everything that decides the run, but the seed
	Engine       int    // EngineVersion
	Events       uint64 // handled
	EventHash    uint64 // of the event log: the same for the same scenario, seed and engine
	Complete     bool   // it was not stopped before its end
	Verdict      Verdict
	Judged       Judged
	Windows      []Window
	Figures      []Figure
}

// Judged is what the verdict rests on.
type Judged struct {
	From, To      time.Duration // the trigger
	Delivered     float64       // share of the answers over the windows before the trigger
	Amplification float64       // over the same
	P99           time.Duration // worst class end to end, mean over the same
	RecoveredAt   time.Duration // start of the three windows that were inside; 0 if none
	OutsideFor    int           // windows in a row outside at the end
	// TriggerOn and OperatorOn are the fields in force at the end of a run that
	// was not judged and is outside: changed by its trigger and not undone, or
	// changed by an operator.
	TriggerOn, OperatorOn []string
	ControlFailed         time.Duration // when the control run left the baseline; 0 if it did not
}

// Figure is one number of a summary.
type Figure struct {
	Name  string // stable, for machine formats: "amplification"
	Unit  string // "ratio", "fraction", "per_second", "seconds", "count"
	Value float64
	Known bool // false where it does not exist, such as a ratio to nothing
	// System is true of a figure over all classes and services; others are of
	// what is watched.
	System bool
}

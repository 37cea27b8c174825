package collector

import (
	"fmt"
	"regexp"
	"time"
)

// RuleSpec is an alert rule as plain data. alerts.Engine judges it.
type RuleSpec struct {
	Name       string
	Signal     Signal
	Compare    Comparison
	Threshold  float64       // in the signal's unit; fractions are 0 to 1
	For        time.Duration // how long the condition must hold before the rule fires; 0 fires at once
	KeepFiring time.Duration // how long it keeps firing after the condition ended (keep_firing_for)
	Scope      Scope
	Select     map[string]*regexp.Regexp // labels that a target must have, anchored; nil selects all
	MinTraffic float64                   // below this rate a/s of ingress and of attempts there is no verdict
	Severity   Severity
	Off        bool
	// Both names two rules; when set, the rule fires on a target exactly while
	// both of them fire there, and Threshold and Signal are those of the first.
	Both [2]string
}

// Comparison is the operator between a value and a threshold.
type Comparison uint8

// The comparisons. The zero value is Above, as in PromQL's ">".
const (
	Above Comparison = iota
	AtLeast
	Below
	AtMost
)

var comparisonNames = [...]string{Above: ">", AtLeast: ">=", Below: "<", AtMost: "<="}

// String is PromQL's operator.
func (c Comparison) String() string {
	if int(c) < len(comparisonNames) {
		return comparisonNames[c]
	}
	return fmt.Sprintf("Comparison(%d)", uint8(c))
}

// Holds compares as PromQL does: every comparison with NaN is false.
func (c Comparison) Holds(v, threshold float64) bool {
	switch c {
	case Above:
		return v > threshold
	case AtLeast:
		return v >= threshold
	case Below:
		return v < threshold
	case AtMost:
		return v <= threshold
	}
	return false
}

// Scope says which rows a rule looks at.
type Scope uint8

// The scopes. The zero value is ScopeTarget.
const (
	ScopeTarget Scope = iota // every target
	ScopeEdge                // only targets whose ratio is of the edge
	ScopeTotal               // only the total
)

var scopeNames = [...]string{ScopeTarget: "target", ScopeEdge: "edge", ScopeTotal: "total"}

// String is the name used in configuration and JSON.
func (s Scope) String() string {
	if int(s) < len(scopeNames) {
		return scopeNames[s]
	}
	return fmt.Sprintf("Scope(%d)", uint8(s))
}

// ParseScope finds a scope by its String name.
func ParseScope(name string) (Scope, error) {
	for i, n := range scopeNames {
		if n == name {
			return Scope(i), nil
		}
	}
	return ScopeTarget, fmt.Errorf("unknown scope %q: the scopes are target, edge, total", Clean(name))
}

// Severity ranks rules. The order matters: a larger one leads.
type Severity uint8

// The severities.
const (
	NoSeverity Severity = iota
	Info
	Warning
	Critical
)

var severityNames = [...]string{NoSeverity: "none", Info: "info", Warning: "warning", Critical: "critical"}

// String is the value of the severity label.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

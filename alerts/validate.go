package alerts

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"stormtop/collector"
)

// Validate reports everything that is wrong with a set of rules, all at once,
// each with the rule's name and what to write instead. New accepts any rules,
// but treats what Validate refuses as if it were off or harmless.
func Validate(rules []collector.RuleSpec) error {
	var errs []error
	seen := map[string]int{}
	for i, r := range rules {
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("rule %q: %s", collector.Clean(r.Name), fmt.Sprintf(format, args...)))
		}
		switch first, again := seen[r.Name]; {
		case r.Name == "":
			errs = append(errs, fmt.Errorf("rule %d has no name: give it one, such as %s", i+1, RetryAmplificationHigh))
		case collector.Clean(r.Name) != r.Name:
			bad("the name holds control characters: use letters, digits and _")
		case again:
			bad("rule %d has the name of rule %d: rename one of them", i+1, first+1)
		default:
			seen[r.Name] = i
		}
		validateCondition(r, bad)
		if r.Both != ([2]string{}) {
			validateBoth(r, rules, bad)
		}
	}
	return errors.Join(errs...)
}

func validateCondition(r collector.RuleSpec, bad func(string, ...any)) {
	if r.Both == ([2]string{}) && (r.Signal == collector.NoSignal || r.Signal >= collector.NumSignals) {
		bad("it judges no known signal (%s)", r.Signal)
	}
	if r.Compare > collector.AtMost {
		bad("the comparison %s is none of >, >=, <, <=", r.Compare)
	}
	if math.IsNaN(r.Threshold) || math.IsInf(r.Threshold, 0) {
		bad("the threshold %v is not a number", r.Threshold)
	}
	if r.For < 0 {
		bad("for is %s: it must be 0 or more", r.For)
	}
	if r.KeepFiring < 0 {
		bad("keep_firing_for is %s: it must be 0 or more", r.KeepFiring)
	}
	if !(r.MinTraffic >= 0) || math.IsInf(r.MinTraffic, 0) {
		bad("the minimum traffic is %v: it must be 0 or more requests a second", r.MinTraffic)
	}
	if r.Severity > collector.Critical {
		bad("the severity %s is none of none, info, warning, critical", r.Severity)
	}
	if r.Scope > collector.ScopeTotal {
		bad("the scope %s is none of target, edge, total", r.Scope)
	}
	if r.Scope == collector.ScopeTotal && len(r.Select) > 0 {
		bad("it looks at the total, which has no labels to select by: use the scope target, or drop the selector")
	}
	for name, re := range r.Select {
		if re == nil {
			bad("the selector of label %q is empty", collector.Clean(name))
		}
	}
}

func validateBoth(r collector.RuleSpec, rules []collector.RuleSpec, bad func(string, ...any)) {
	if r.For != 0 || r.KeepFiring != 0 {
		bad("it fires exactly while both of its rules fire: set for and keep_firing_for on those instead")
	}
	if r.Both[0] == r.Both[1] {
		bad("it names the rule %q twice: name two different ones", collector.Clean(r.Both[0]))
	}
	for _, name := range r.Both {
		i := slices.IndexFunc(rules, func(o collector.RuleSpec) bool { return o.Name == name })
		switch {
		case i < 0:
			bad("it is made of the rule %q, which does not exist", collector.Clean(name))
		case rules[i].Both != ([2]string{}):
			bad("it is made of %q, which is itself made of two rules", collector.Clean(name))
		case rules[i].Scope != r.Scope:
			bad("its scope is %s, that of %q is %s: they never meet on one target", r.Scope, collector.Clean(name), rules[i].Scope)
		}
	}
}

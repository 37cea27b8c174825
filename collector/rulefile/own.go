package rulefile

import (
	"fmt"

	"stormtop/collector"
)

// Own are the alerts of groups as people's own rules; from names the file.
func Own(groups []Group, from string) []collector.OwnRule {
	var out []collector.OwnRule
	for i := range groups {
		g := &groups[i]
		for k := range g.Rules {
			r := &g.Rules[k]
			if r.Alert == "" {
				continue
			}
			place := from
			if r.Line > 0 {
				place = fmt.Sprintf("%s:%d", from, r.Line)
			}
			severity := Value(r.Labels, "severity")
			if severity == "" {
				severity = Value(g.Labels, "severity")
			}
			out = append(out, OwnRule(r.Alert, g.Name, r.Expr, place))
			own := &out[len(out)-1]
			own.For, own.Keep, own.Severity, own.Interval = r.For, r.Keep, severity, g.Interval
		}
	}
	return out
}

// OwnRule makes a person's own rule of an expression, and says whether it can be
// tuned.
func OwnRule(name, group, expr, from string) collector.OwnRule {
	out := collector.OwnRule{Name: name, Group: group, Expr: expr, From: from}
	if c, ok := ConditionOf(expr); ok {
		out.Tunable, out.Left, out.Compare, out.Threshold = true, c.Left, c.Compare, c.Threshold
	}
	return out
}

// Tuned is a person's own rule as a rule of a file, with another threshold, for
// and keep.
func Tuned(r *Rule, threshold float64, spec collector.RuleSpec) Rule {
	out := *r
	out.For, out.Keep = spec.For, spec.KeepFiring
	if c, ok := ConditionOf(r.Expr); ok {
		out.Expr = c.With(threshold)
	}
	return out
}

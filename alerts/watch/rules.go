package watch

import (
	"slices"

	"stormtop/collector"
)

// SetRules puts other rules in force and enters an event that says so. Those
// that judge as before keep their state; those that changed are judged anew from
// the next reading on, which tells the end of what they showed.
func (w *Watch) SetRules(rules []collector.RuleSpec, e collector.Event) collector.Event {
	w.Follow(rules)
	if w.last != nil && e.At.IsZero() {
		e.At = w.last.At
	}
	e.Kind = collector.EventChange
	e.Text = collector.Clean(e.Text)
	w.remember([]collector.Event{e})
	return e
}

// Follow puts the rules in force by which a replay was judged from its next
// reading on; what says so was recorded.
func (w *Watch) Follow(rules []collector.RuleSpec) {
	w.rules = paired(slices.Clone(rules))
	w.engine.SetRules(w.rules)
}

// paired gives rules made of two others the numbers of the first of them.
func paired(rules []collector.RuleSpec) []collector.RuleSpec {
	for i := range rules {
		for _, o := range rules {
			if r := &rules[i]; r.Both[0] != "" && o.Name == r.Both[0] {
				r.Signal, r.Compare, r.Threshold = o.Signal, o.Compare, o.Threshold
			}
		}
	}
	return rules
}

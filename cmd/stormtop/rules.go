package main

import (
	"stormtop/alerts"
	"stormtop/collector"
)

// ruleSet is the documented rules with the thresholds that were set.
func ruleSet(t thresholds) []collector.RuleSpec {
	rules := alerts.Documented()
	for i := range rules {
		r := &rules[i]
		if r.Both != ([2]string{}) {
			r.Threshold = t.amplification.above // shown beside the rules it is made of
			continue
		}
		switch r.Signal {
		case collector.Amplification:
			t.amplification.apply(r)
		case collector.RetryRate:
			t.retryRate.apply(r)
		case collector.AtLimit:
			t.atLimit.apply(r)
		}
		r.MinTraffic = t.minTraffic
	}
	return rules
}

func (t threshold) apply(r *collector.RuleSpec) { r.Threshold, r.For = t.above, t.hold }

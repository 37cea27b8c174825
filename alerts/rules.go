package alerts

import (
	"time"

	"stormtop/collector"
)

// The names of the documented rules.
const (
	RetryAmplificationHigh = "RetryAmplificationHigh"
	RetryRateHigh          = "RetryRateHigh"
	AttemptLimitReached    = "AttemptLimitReached"
	RetryStorm             = "RetryStorm"
)

// DefaultMinTraffic is the rate, in requests or attempts a second, below which
// the documented rules give no verdict. At less than one a second a single
// retried request moves the ratio past any useful threshold (two requests, one
// retried, is already 1.5x), while a target that hurts somebody is far above it.
const DefaultMinTraffic = 1.0

// Documented returns the three documented rules and the rule made of the first
// and the third, at their defaults. The slice is fresh: change it as you like.
func Documented() []collector.RuleSpec {
	return []collector.RuleSpec{
		{
			Name: RetryAmplificationHigh, Signal: collector.Amplification, Threshold: 1.5, For: time.Minute,
			MinTraffic: DefaultMinTraffic, Severity: collector.Warning,
		},
		{
			Name: RetryRateHigh, Signal: collector.RetryRate, Threshold: 0.10,
			MinTraffic: DefaultMinTraffic, Severity: collector.Warning,
		},
		{
			Name: AttemptLimitReached, Signal: collector.AtLimit, Threshold: 0,
			MinTraffic: DefaultMinTraffic, Severity: collector.Info,
		},
		{
			Name: RetryStorm, Signal: collector.Amplification, Threshold: 1.5, Severity: collector.Critical,
			Both: [2]string{RetryAmplificationHigh, AttemptLimitReached},
		},
	}
}

// LeastTraffic is the smallest floor of the rules that are on and look at the
// amplification, below which a ratio says nothing; ok is false where there is no
// such rule.
func LeastTraffic(rules []collector.RuleSpec) (least float64, ok bool) {
	for _, r := range rules {
		if r.Off || r.Signal != collector.Amplification || r.Both != ([2]string{}) {
			continue
		}
		if !ok || r.MinTraffic < least {
			least, ok = r.MinTraffic, true
		}
	}
	return least, ok
}

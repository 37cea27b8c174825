package learn_test

import (
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/learn"
	"stormtop/collector"
)

// fortnite is case D11: 124,000 client requests a second become 450,000 reads
// and writes, 3.63 for one, on a good day; in the outage the writes queue for 40
// seconds, at the same ratio.
const fortnite = `
store ingress     124000x20 124000x20
store downstream  450000x20 450000x20
store pool_wait   0.02x20 1.5x5 12x5 40x10
store queue_depth 40x20 9000x5 80000x5 310000x10
`

// TestD11AHighFactorWithoutRetries: without a baseline the fan-out fires all
// day; with the one that is learned from the calm it reads 1.0x, and pool wait
// and queue are what shows the outage.
func TestD11AHighFactorWithoutRetries(t *testing.T) {
	amp := alerts.Documented()[:1]
	wait := collector.RuleSpec{Name: "PoolWaitHigh", Signal: collector.PoolWait, Threshold: 1, For: time.Minute, MinTraffic: 1}
	queue := collector.RuleSpec{Name: "QueueDeep", Signal: collector.QueueDepth, Threshold: 5000, For: time.Minute, MinTraffic: 1}
	play := func(base float64) (values string, firing map[string]int) {
		e, firing := alerts.New(append([]collector.RuleSpec{wait, queue}, amp...)), map[string]int{}
		for _, r := range readings(t, alertstest.Input{Step: time.Minute, Baseline: base}, fortnite) {
			e.Eval(r)
			values = r.Targets[0].Values[collector.Amplification].String()
			for _, s := range e.Statuses() {
				if s.Shown == alerts.Firing {
					firing[s.Rule.Name]++
				}
			}
		}
		return values, firing
	}
	text, firing := play(1)
	if text != "3.63x" || firing[alerts.RetryAmplificationHigh] != 39 {
		t.Errorf("without a baseline: %s, firing in %d of 40 minutes", text, firing[alerts.RetryAmplificationHigh])
	}
	calm := readings(t, alertstest.Input{Step: time.Minute}, fortnite)[:20]
	b, refused, err := learn.Learn(calm, amp, "median of 20m")
	if err != nil || len(refused) > 0 {
		t.Fatalf("refused %v, error %v", whys(refused), err)
	}
	base := b.For(alertstest.Target("store"))
	if text := collector.Num(base, collector.Ratio, collector.Exact).String(); text != "3.63x" {
		t.Errorf("the baseline is %s", text)
	}
	text, firing = play(base)
	if text != "1.00x" || firing[alerts.RetryAmplificationHigh] != 0 || firing["PoolWaitHigh"] != 19 || firing["QueueDeep"] != 19 {
		t.Errorf("with the baseline: %s, firing %v", text, firing)
	}
}

package alerts_test

import (
	"testing"

	"stormtop/alerts"
	"stormtop/collector"
)

// TestEarlyWarningsComeSwitchedOff, and are valid beside the documented rules.
func TestEarlyWarningsComeSwitchedOff(t *testing.T) {
	early := alerts.Early()
	seen := map[collector.Signal]bool{}
	for _, r := range early {
		if !r.Off || r.Severity != collector.Info {
			t.Errorf("%+v", r)
		}
		seen[r.Signal] = true
	}
	for _, s := range []collector.Signal{collector.RescuedShare, collector.PoolWait, collector.QueueDepth} {
		if !seen[s] {
			t.Errorf("there is none on %s", s)
		}
	}
	if err := alerts.Validate(append(alerts.Documented(), early...)); err != nil {
		t.Error(err)
	}
}

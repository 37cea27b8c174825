package alerts

import (
	"time"

	"stormtop/collector"
)

// EarlyReason is why the early warnings come switched off.
const EarlyReason = "off: what is normal differs from house to house; tune it to your history first"

// Early returns rules on what moves minutes before errors do: successes that
// needed a retry, waits for a pool, queues. They come switched off, for what is
// healthy there no document can say (EarlyReason); their numbers are where
// tuning begins. The slice is fresh: change it as you like.
func Early() []collector.RuleSpec {
	rule := func(name string, s collector.Signal, threshold float64) collector.RuleSpec {
		return collector.RuleSpec{
			Name: name, Signal: s, Threshold: threshold, For: time.Minute, MinTraffic: DefaultMinTraffic,
			Severity: collector.Info, Off: true,
		}
	}
	return []collector.RuleSpec{
		rule("SuccessesRescued", collector.RescuedShare, 0.05),
		rule("PoolWaitHigh", collector.PoolWait, 0.1),
		rule("QueueDepthHigh", collector.QueueDepth, 10),
	}
}

package policy

import (
	"math"
	"time"

	"stormtop/simfeed/chain/draw"
)

// Polly v8's retry strategy: 3 retries from a base of 2 s, with its jittered
// exponential. Source: Polly documentation, retry strategy.
var pollyV8 = Preset{
	Name: "polly-v8", System: "Polly", Word: "MaxRetryAttempts", Extra: true,
	Source: "Polly documentation: retry resilience strategy",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts = "polly-v8", 4
		p.Backoff.Growth, p.Backoff.Base = Smooth, 2*time.Second
		return p
	},
}

// smooth is the n-th wait of Polly's jittered exponential: with s(t) = 2^t x
// tanh(sqrt(4 t)) it is (s(n-1+u) - s before) / 1.4 of the base, u uniform. The
// waits telescope, so s before is 1.4 x the sum of the waits before.
func smooth(base time.Duration, n int, waited time.Duration, u float64) time.Duration {
	t := float64(n-1) + u
	s := draw.Exp(float64(t*math.Ln2)) * draw.Tanh(math.Sqrt(4*t))
	v := float64(s/1.4*float64(base)) - float64(waited)
	if !(v < float64(MaxWait)) {
		return MaxWait
	}
	return max(time.Duration(v), 0)
}

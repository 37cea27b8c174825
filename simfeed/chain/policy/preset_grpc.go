package policy

import "time"

// gRPC's retry policy (gRFC A6): maxAttempts up to 5, waits min(initial x
// multiplier^(n-1), max) x uniform(0.8, 1.2), and the retry throttle with
// maxTokens 10 and tokenRatio 0.1, which permits 4 retries in an outage.
var grpcDefault = Preset{
	Name: "grpc-default", System: "gRPC", Word: "maxAttempts",
	Source: "gRFC A6: client-side retries",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts, p.Cancel, p.Propagate = "grpc-default", 5, true, true
		p.RetryOn = Set(Overload, Connect, RateLimited, Error)
		p.RetryAfter = true
		p.Backoff = Backoff{Growth: Exponential, Base: 100 * time.Millisecond, Factor: 2, Cap: time.Second, Jitter: Spread, Spread: 0.2}
		p.Budget.Kind, p.Budget.Tokens, p.Budget.Refund = Throttle, 10, 0.1
		return p
	},
}

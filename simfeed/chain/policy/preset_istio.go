package policy

// Istio's default: 2 retries from a base of 25 ms, no route time-out, the
// breaker on retries off (2^32-1). A 503 that a service answers is not among its
// retried conditions, so that only who could not be reached is tried again.
// Source: Istio documentation, HTTPRetry.
var istioDefault = Preset{
	Name: "istio-default", System: "Istio", Word: "attempts", Extra: true,
	Source: "Istio documentation: HTTPRetry",
	New: func() Policy {
		p := envoyDefault.New()
		p.Preset, p.Attempts, p.Deadline = "istio-default", 3, 0
		p.RetryOn = Set(Connect)
		p.Budget.Kind = NoBudget
		return p
	},
}

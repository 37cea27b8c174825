package policy

import "time"

// Envoy's router: num_retries 1 by default, a route time-out of 15 s over all
// tries, back-off uniform below 25 ms x 2^(n-1), at most 250 ms, in whole
// milliseconds. The cluster permits 3 concurrent retries; a retry that sleeps
// holds its slot. Source: Envoy's documentation of router filter and circuit
// breakers.
func envoy(name string, share float64) Preset {
	return Preset{
		Name: name, System: "Envoy", Word: "num_retries", Extra: true,
		Source: "Envoy documentation: router filter, circuit breakers",
		New: func() Policy {
			p := New()
			p.Preset, p.Attempts, p.Deadline, p.Cancel = name, 2, 15*time.Second, true
			p.Backoff = Backoff{Growth: Exponential, Base: 25 * time.Millisecond, Factor: 2, Cap: 250 * time.Millisecond, Jitter: Full, Spread: 0.2, Millis: true}
			p.Budget.Kind, p.Budget.Share, p.Budget.Min = Concurrent, share, 3
			return p
		},
	}
}

var (
	envoyDefault = envoy("envoy-default", 0)
	envoyBudget  = envoy("envoy-budget", 0.2)
)

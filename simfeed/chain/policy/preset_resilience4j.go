package policy

import "time"

// resilience4j's defaults: maxAttempts 3, fixed waits of 500 ms; a breaker over
// the last 100 results, at least 100 of them, that opens at 50 % for 60 s and
// lets 10 probes decide by their share. By default the retry stands outside
// the breaker, so every attempt counts. Source: resilience4j documentation,
// Retry, CircuitBreaker, Spring Boot aspect order.
var resilience4j = Preset{
	Name: "resilience4j", System: "resilience4j", Word: "maxAttempts",
	Source: "resilience4j documentation: Retry, CircuitBreaker",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts = "resilience4j", 3
		p.Backoff.Growth, p.Backoff.Base = Fixed, 500*time.Millisecond
		p.Breaker.On, p.Breaker.Inside, p.Breaker.Lenient = true, true, true
		p.Breaker.Calls, p.Breaker.Minimum, p.Breaker.Failures = 100, 100, 0.5
		p.Breaker.Cooldown, p.Breaker.Probes = 60*time.Second, 10
		return p
	},
}

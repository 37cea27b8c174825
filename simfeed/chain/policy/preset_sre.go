package policy

import "time"

// The client of the site reliability book: 3 attempts, retries below 10 % of
// its requests, and adaptive throttling with k = 2 over 2 minutes. Source: Site
// Reliability Engineering, "Handling Overload".
var sreClient = Preset{
	Name: "sre-client", System: "SRE client", Word: "attempts",
	Source: "Site Reliability Engineering: Handling Overload",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts = "sre-client", 3
		p.Budget.Kind, p.Budget.Share, p.Budget.Window = OfAttempts, 0.1, 2*time.Minute
		p.Throttle.On, p.Throttle.K, p.Throttle.Window = true, 2, 2*time.Minute
		return p
	},
}

package policy

import "time"

// Linkerd's retry annotations: a limit of 1 retry by default, no budget, waits
// from 25 ms that double up to 200 ms, each with as much jitter on top, at most
// 250 ms. Source: Linkerd documentation, retries.
var linkerdLimit = Preset{
	Name: "linkerd-annotations", System: "Linkerd", Word: "limit", Extra: true,
	Source: "Linkerd documentation: retries",
	New: func() Policy {
		ms := time.Millisecond
		p := New()
		p.Preset, p.Attempts, p.Cancel = "linkerd-annotations", 2, true
		p.Backoff.Growth = Table
		p.Backoff.Bands = []Band{{25 * ms, 50 * ms}, {50 * ms, 100 * ms}, {100 * ms, 200 * ms}, {200 * ms, 250 * ms}}
		return p
	},
}

// Linkerd's service profiles: no limit but a budget of 20 % and 10 a second
// over 10 s, no back-off. An answer that is not retryable deposits. Source:
// Linkerd documentation, service profiles.
var linkerdProfile = Preset{
	Name: "linkerd-profile", System: "Linkerd profile",
	Source: "Linkerd documentation: service profiles",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts, p.Cancel = "linkerd-profile", MaxAttempts, true
		p.Budget.Kind, p.Budget.Share, p.Budget.Min, p.Budget.Window = Answers, 0.2, 10, 10*time.Second
		return p
	},
}

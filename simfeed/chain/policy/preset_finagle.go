package policy

import "time"

// Finagle's retry budget: 20 % of the requests and 10 a second over 10 s, which
// is 100 retries at the start; no limit on attempts but the budget. Source:
// Finagle user guide, retries.
var finagleDefault = Preset{
	Name: "finagle-default", System: "Finagle",
	Source: "Finagle user guide: retries",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts, p.Cancel = "finagle-default", MaxAttempts, true
		p.Budget.Kind, p.Budget.Share, p.Budget.Min, p.Budget.Window = Deposits, 0.2, 10, 10*time.Second
		return p
	},
}

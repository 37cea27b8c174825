package collector

import "time"

// OwnRule is an alert of the people who look: from a rule file, or from the
// server. Its expression is never changed but for the number that it is
// compared with. It is plain data and immutable.
type OwnRule struct {
	Name, Group string
	Expr        string // PromQL, as it was written
	For, Keep   time.Duration
	Interval    time.Duration // between evaluations; 0: not known
	Severity    string        // the label, as it was written
	From        string        // where it is from: "rules.yml:12", "server"

	// Tunable says that the expression is a comparison with a number at its top
	// level: Left is compared with Threshold. Else only For and Keep can be tuned.
	Tunable   bool
	Left      string
	Compare   Comparison
	Threshold float64

	// State is what the server holds: "inactive", "pending", "firing"; "" where
	// it was not asked. Since is when the oldest active alert of it began.
	State  string
	Since  time.Time
	Active int    // alerts that are pending or firing
	Health string // "ok", "err", "unknown", or ""
	Error  string // the server's words when it could not evaluate it
}

// Query is what is asked for a back-test: what is compared, where that can be
// tuned, else the expression itself, which has a sample where the alert is active.
func (r *OwnRule) Query() string {
	if r.Tunable {
		return r.Left
	}
	return r.Expr
}

// Spec is the rule as one that can be judged: over the values of Query.
func (r *OwnRule) Spec() RuleSpec {
	out := RuleSpec{Name: r.Name, For: r.For, KeepFiring: r.Keep, Compare: r.Compare, Threshold: r.Threshold}
	if !r.Tunable { // any sample at all
		out.Compare, out.Threshold = AtLeast, present
	}
	for s := range Critical + 1 {
		if s.String() == r.Severity {
			out.Severity = s
		}
	}
	return out
}

// present stands for a sample of an expression that cannot be tuned: whatever
// its number is, the alert is active.
const present = 1

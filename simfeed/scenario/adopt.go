package scenario

import (
	"stormtop/simfeed/chain"
	"stormtop/simfeed/chain/policy"
)

// Adopting is the scenario with another policy at every edge that retries, and
// that policy in words. What the policy says nothing of stays as it is:
// time-outs, propagation, cancellation, pools and bulkheads belong to the system
// that it is put into.
func (s Scenario) Adopting(preset policy.Preset) (Scenario, string) {
	s.Scenario = s.Clone()
	title := ""
	replace := func(p *policy.Policy) {
		if p.Permitted() < 2 {
			return
		}
		q := preset.New()
		if q.Timeout == 0 {
			q.Timeout = p.Timeout
		}
		if q.Deadline == 0 {
			q.Deadline = p.Deadline
		}
		q.Propagate, q.Cancel = q.Propagate || p.Propagate, q.Cancel || p.Cancel
		if q.Pool.Size == chain.Unlimited {
			q.Pool = p.Pool
		}
		if q.Bulkhead == chain.Unlimited {
			q.Bulkhead = p.Bulkhead
		}
		*p = q
		title = q.Describe()
	}
	for i := range s.Edges {
		e := &s.Edges[i]
		replace(&e.Policy)
		for j := range e.Classes {
			replace(&e.Classes[j].Policy)
		}
	}
	if title == "" {
		title = "no edge of the scenario retries"
	}
	return s, title
}

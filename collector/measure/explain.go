package measure

import (
	"cmp"
	"fmt"

	"stormtop/collector"
)

// Describe is the system as an origin holds it. query is the text of a signal's
// query, or why it is not asked; "" where there is none. baseline is the one for
// targets that have none of their own.
func (y *System) Describe(query func(collector.Signal) string, baseline float64) collector.System {
	p := &y.Profile
	out := collector.System{
		Profile: p.Name, Title: p.Title, Kind: y.Kind, Trust: cmp.Or(p.Trust, collector.Exact), Unproven: p.Unproven,
		By: y.By, CannotSee: p.CannotSee, Notes: p.Notes,
	}
	for _, s := range collector.Signals() {
		out.Explain[s], out.Asked[s] = cmp.Or(query(s), y.formula(s, baseline)), y.Has(s)
	}
	return out
}

// formula is what stands behind a signal without a query: a formula, or why
// there is none.
func (y *System) formula(s collector.Signal, baseline float64) string {
	switch {
	case y.Sum && s == collector.Downstream:
		return "ingress + retries: attempts that never got a connection are in it, as they are in none of the counters of attempts"
	case s == collector.Amplification && baseline != 1:
		return fmt.Sprintf("downstream / ingress / %v", baseline)
	case s == collector.Amplification:
		return "downstream / ingress"
	case s == collector.RetryRate && y.Has(collector.Retries):
		return "retries / downstream"
	case s == collector.RetryRate:
		return "(downstream - ingress) / downstream"
	case s == collector.RescuedShare:
		return "rescued / successes"
	case s == collector.Delivered:
		return "successes / ingress"
	case y.Profile.Absent[s] != "":
		return y.Profile.Absent[s]
	case s == collector.Arrived, s == collector.Overflow:
		return ""
	case y.Profile.Name != "":
		return "not exported by " + y.Profile.Name
	}
	return fmt.Sprintf("no query: name one with --signal %s=PROMQL", s)
}

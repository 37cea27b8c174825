package play

import (
	"time"

	"stormtop/collector"
)

// origin describes the source.
func origin(source string, speed, baseline float64, edges bool) *collector.Origin {
	hop := collector.System{
		Profile: profile, Title: "a simulated chain of services", Kind: collector.Hop, Trust: collector.Exact,
		Explain: [collector.NumSignals]string{
			collector.Ingress:       "calls that the caller began in this second",
			collector.Downstream:    "attempts of all numbers that it sent in this second",
			collector.Retries:       "of those, the ones with a number above 1",
			collector.Successes:     "calls answered with success in this second, whenever they began",
			collector.Rescued:       "of those, the ones answered by an attempt with a number above 1",
			collector.AtLimit:       "calls that used their last permitted attempt in this second; 0 where only one is permitted",
			collector.PoolWait:      "mean wait for a connection of those whose wait ended in this second; missing where there is no pool",
			collector.QueueDepth:    "attempts of the class that wait for a slot of the callee at the end of this second",
			collector.Arrived:       "not told apart: what does not arrive is refused, and no attempt",
			collector.Overflow:      "retries and calls that the caller's budget or breaker refused in this second",
			collector.Amplification: "downstream / ingress / baseline, of this second",
			collector.RetryRate:     "retries / downstream, of this second",
			collector.RescuedShare:  "rescued / successes, of this second",
			collector.Delivered:     "successes / ingress, of this second; above 100% while a backlog succeeds",
		},
	}
	edge := hop
	edge.Kind = collector.Edge
	edge.Explain[collector.Ingress] = "requests that the users of the class began in this second"
	edge.Explain[collector.Downstream] = "attempts that were sent to the last service of its path in this second"
	edge.Explain[collector.Retries] = "not told apart: an attempt is made by a retry of any layer above"
	edge.Explain[collector.RetryRate] = "(downstream - ingress x baseline) / downstream, of this second"
	edge.Explain[collector.Rescued] = "not told apart at the edge"
	edge.Explain[collector.RescuedShare] = "not told apart at the edge"
	edge.Explain[collector.Successes] = "requests of users that were answered with success in this second"
	systems := []collector.System{hop}
	if edges {
		systems = []collector.System{edge, hop}
	}
	return &collector.Origin{
		Source: collector.Clean(source), Profile: profile, Simulated: true, Speed: speed, Interval: time.Second,
		RateRange: time.Second, Scrape: time.Second, Baselines: collector.Baselines{Number: baseline}, Systems: systems,
	}
}

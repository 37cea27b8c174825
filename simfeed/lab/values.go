package lab

import (
	"time"

	"stormtop/collector"
)

// values are the measured signals of a second. Pool wait stays missing: the
// lab has no pool.
func values(s Second) collector.Values {
	var v collector.Values
	set := func(signal collector.Signal, n int64) {
		v[signal] = collector.Num(float64(n), signal.Unit(), collector.Exact)
	}
	set(collector.Ingress, s.Requests)
	set(collector.Downstream, s.Arrivals())
	set(collector.Retries, s.Retries())
	set(collector.Successes, s.Delivered())
	set(collector.Rescued, s.Rescued())
	set(collector.AtLimit, s.AtLimit())
	set(collector.QueueDepth, s.Waiting)
	return v
}

func origin(source string, speed, baseline float64) *collector.Origin {
	lab := collector.System{
		Profile: "lab", Title: "the outage lab", Kind: collector.Hop, Trust: collector.Exact,
		Explain: [collector.NumSignals]string{
			collector.Ingress:       "requests that the simulated clients began in this second; each client asks once a second",
			collector.Downstream:    "attempts of all numbers that arrived at the dependency in this second",
			collector.Retries:       "attempts with a number above 1 that arrived in this second",
			collector.Successes:     "requests answered in this second, whenever they began",
			collector.Rescued:       "requests answered in this second by an attempt with a number above 1",
			collector.AtLimit:       "requests that used the last attempt their strategy permits in this second; 0 where no retry is permitted",
			collector.PoolWait:      "not simulated: the lab has no pool, so nobody waits for one",
			collector.QueueDepth:    "requests waiting for their next attempt at the end of this second; the lab has no queue in front of the dependency",
			collector.Arrived:       "not simulated: the lab has no connections",
			collector.Overflow:      "not counted: what the lab's breaker or budget refuses is not told apart",
			collector.Amplification: "downstream / ingress / baseline, of this second",
			collector.RetryRate:     "retries / downstream, of this second",
			collector.RescuedShare:  "rescued / successes, of this second",
			collector.Delivered:     "successes / ingress, of this second; above 100% while a backlog of retries succeeds",
		},
	}
	return &collector.Origin{
		Source: collector.Clean(source), Profile: "lab", Simulated: true, Speed: speed, Interval: time.Second,
		RateRange: time.Second, Scrape: time.Second, Baselines: collector.Baselines{Number: baseline}, Systems: []collector.System{lab},
	}
}

package main

import (
	"sync/atomic"
	"time"

	"stormtop.ci/peers/peer"
)

// counts is what the clients and the servers count, each by hand.
type counts struct {
	payments counted
	reports  counted
	gone     counted
	passing  counted
	aside    atomic.Int64 // requests that no server behind the proxy should see
	queue    peer.Queue   // from the clients to the server of the reports, the proxy's queue included
	way      peer.Queue   // the same way where the proxy has no queue
}

// counted is one service behind the proxy.
type counted struct {
	begun     atomic.Int64 // by clients that number their requests
	requests  atomic.Int64 // answered, at the client
	successes atomic.Int64 // of these, well
	attempts  atomic.Int64 // arrived, at the servers
}

func (c *counted) add(to map[string]float64, prefix string) {
	to[prefix+"_requests"] = float64(c.requests.Load())
	to[prefix+"_successes"] = float64(c.successes.Load())
	to[prefix+"_attempts"] = float64(c.attempts.Load())
}

func (c *counts) all(now time.Time) map[string]float64 {
	out := map[string]float64{"aside": float64(c.aside.Load())}
	c.payments.add(out, "payments")
	c.reports.add(out, "reports")
	c.gone.add(out, "gone")
	c.passing.add(out, "passing")
	for prefix, queue := range map[string]*peer.Queue{"queue_": &c.queue, "way_": &c.way} {
		for name, n := range queue.Count(now) {
			out[prefix+name] = n
		}
	}
	return out
}

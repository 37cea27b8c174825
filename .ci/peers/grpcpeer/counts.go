package main

import "sync/atomic"

// counts is what both sides count by hand.
type counts struct {
	calls     atomic.Int64 // calls that ended, at the client
	successes atomic.Int64 // of these, well
	attempts  atomic.Int64 // attempts that arrived at the server
	retries   atomic.Int64 // of these, above the first of their call
	rescued   atomic.Int64 // attempts above the first that were answered well
	atLimit   atomic.Int64 // last permitted attempts that were refused
}

func (c *counts) all() map[string]float64 {
	return map[string]float64{
		"calls": float64(c.calls.Load()), "successes": float64(c.successes.Load()),
		"attempts": float64(c.attempts.Load()), "retries": float64(c.retries.Load()),
		"rescued": float64(c.rescued.Load()), "at_limit": float64(c.atLimit.Load()),
	}
}

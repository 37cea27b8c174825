package main

import (
	"testing"

	"stormtop/collector/promtest"
)

// TestASQLPoolThatWaitsIsMeasuredRight lets more workers than there are
// connections share a database/sql pool and compares what is shown with what
// the workers measured.
func TestASQLPoolThatWaitsIsMeasuredRight(t *testing.T) {
	binaries := promtest.Servers(t)
	t.Parallel()
	pool := startPeer(t, "sqlpeer", "--db=orders")
	behindEach(t, binaries, []string{pool.at["client"]}, func(t *testing.T, prom *server) {
		prom.until(`min(count_over_time(go_sql_wait_count_total{db_name="orders"}[1m])) >= bool 8`)
		p := pool.ledger.plateau(t, prom, "--profile=go_sql")
		wait := p.counted(t, "waited_seconds") / p.counted(t, "waits")
		p.expect(t, "orders", "pool_wait", wait, 0.03)

		// The pool counts seconds when a wait ends. Over a range of rates that is
		// wrong by what began before it and by what ends behind it, either of which
		// is at most the waits of those who then wait, a mean wait each.
		edges := 2 * wait / p.rateRange(t).Seconds()
		p.expect(t, "orders", "queue_depth", p.perSecond(t, "stood_seconds"), edges+0.02)
	})
}

package main

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/collector/promtest"
)

// TestEndToEnd runs the simulation through a real Prometheus to the screen and
// to the machine formats, for every Prometheus that is named. It lasts as long
// as the storm does, two minutes.
func TestEndToEnd(t *testing.T) {
	for _, binary := range promtest.Servers(t) {
		t.Run(strings.Trim(filepath.ToSlash(binary), "/"), func(t *testing.T) {
			t.Parallel()
			endToEnd(t, binary)
		})
	}
}

func endToEnd(t *testing.T, binary string) {
	at := promtest.FreeAddress(t)
	prom, doomed, lonely := serve(t, binary, at), serve(t, binary, at), serve(t, binary)
	lonely.Configure(scraping(t, lonely.Address))
	for _, s := range []*server{prom, doomed, lonely} {
		s.Ready()
	}
	lonely.Reload()
	sim := followPlain(t, "--sim=demo", "--listen="+at)
	prom.until("min(count_over_time(stormtop_requests_total[1m])) >= bool 3")
	// The two that follow the storm side by side; the short ones afterwards,
	// lest they take the processors away from these.
	concurrently(t,
		subtest{"closed loop", func(t *testing.T) { closedLoop(t, sim, prom) }},
		subtest{"killed and restarted", func(t *testing.T) { killedAndRestarted(t, sim, doomed, at) }},
	)
	t.Run("nothing found", func(t *testing.T) { nothingFound(t, lonely) })
	t.Run("one query fails", func(t *testing.T) { oneQueryFails(t, prom) })
	t.Run("credentials", func(t *testing.T) { credentials(t, prom) })
}

type subtest struct {
	name string
	run  func(*testing.T)
}

// concurrently runs subtests side by side. They wait most of the time, so that
// their number need not follow that of the processors, as with Parallel.
func concurrently(t *testing.T, tests ...subtest) {
	var all sync.WaitGroup
	for _, one := range tests {
		all.Go(func() { t.Run(one.name, one.run) })
	}
	all.Wait()
}

// plateauOf is the time in which the simulated storm is level. The outage lasts
// 60 s; the longest of its clients' waits is 15.5 s.
func plateauOf(t *testing.T, sim *follower) stretchOfTime {
	t.Helper()
	first, _ := sim.wait(0, "beginning of the storm", func(r record) bool { return r.isReading() && r.storm("amplification") > 1.5 })
	return stretchOfTime{first.At.Add(18 * time.Second), first.At.Add(58 * time.Second)}
}

//go:build !race

package scenario_test

// The storms with many events. The race detector slows them down by ten and has
// nothing to find: an engine runs on one goroutine.

import (
	"fmt"
	"testing"
	"time"

	"stormtop/simfeed/chain"
)

// TestTheStormOf1945 at a tenth of the scale. A mean over 30 s of 250 browse
// requests/s has n = 7,500: a share of 98.1 % has a deviation of 0.16 %. Attempts
// a second come from some 200 requests/s, n = 6,000 over 30 s: 1.3 %.
func TestTheStormOf1945(t *testing.T) {
	for seed := int64(1); seed <= 6; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := play(t, named(t, "payment-1945:tenth", 0, "cut", "bulkhead", "drain", "half-open"), seed)
			storm, cut, drained := r.between(240, 420), r.between(450, 480), r.between(570, 600)
			near(t, "attempts/s in the storm", storm.attempts("payments"), 5420, 0.07)
			within(t, "browse in the storm", storm.delivered("browse"), 0, 0.02)
			near(t, "pending in the storm", storm.pending("payments"), 18_600, 0.2)
			near(t, "p99 of order in the storm", storm.p99("order"), 6.2, 0.2)
			near(t, "attempts/s after the cut", cut.attempts("payments"), 740, 0.15)
			within(t, "browse after the cut", cut.delivered("browse"), 0.971, 0.991)
			within(t, "pending when drained", drained.pending("payments"), 800, 1440)
			near(t, "p99 of order when drained", drained.p99("order"), 0.48, 0.2)
			within(t, "browse when drained", drained.delivered("browse"), 0.971, 0.991)
			probing := r.between(641, 645)
			within(t, "attempts/s while it probes", probing.attempts("payments"), 0, 20)
			if high := r.between(640, 720).peak("payments"); high > 1.3 {
				t.Errorf("the restored traffic peaks at %.2fx: a synchronised spike", high)
			}
			within(t, "payments at the end", r.between(700, 720).delivered("payments"), 0.99, 1)
		})
	}
}

func TestTheStormOf1945EndsByItselfWhenTheChannelHeals(t *testing.T) {
	t.Parallel()
	r := play(t, named(t, "payment-1945:tenth", 0), 1)
	within(t, "payments before it heals", r.between(570, 600).delivered("payments"), 0, 0.01)
	within(t, "payments after", r.between(640, 720).delivered("payments"), 0.99, 1)
}

// TestTheBulkheadAloneSavesBrowse while the channel still burns.
func TestTheBulkheadAloneSavesBrowse(t *testing.T) {
	t.Parallel()
	r := play(t, named(t, "payment-1945:tenth", 600*time.Second, "bulkhead", "raise-bulkhead"), 1)
	within(t, "browse before", r.between(450, 480).delivered("browse"), 0, 0.02)
	saved, raised := r.between(510, 540), r.between(570, 600)
	within(t, "browse behind the bulkhead", saved.delivered("browse"), 0.97, 1)
	near(t, "attempts/s behind the bulkhead", saved.attempts("payments"), 1490, 0.15)
	near(t, "attempts/s with six times the room", raised.attempts("payments"), 5330, 0.15)
	within(t, "browse with six times the room for payments", raised.delivered("browse"), 0, 0.9)
}

func TestTheWrongRepairsMakeItWorse(t *testing.T) {
	for _, test := range []struct {
		name    string
		actions []string
		length  time.Duration
		check   func(t *testing.T, r run)
	}{
		{"five attempts", []string{"more-attempts"}, 420 * time.Second, func(t *testing.T, r run) {
			worse := r.between(360, 420)
			near(t, "attempts/s", worse.attempts("payments"), 8800, 0.15)
			near(t, "pending", worse.pending("payments"), 29_500, 0.2)
			near(t, "p99 of order", worse.p99("order"), 10.5, 0.2)
		}},
		{"a restart after the cut", []string{"cut", "restart"}, 540 * time.Second, func(t *testing.T, r run) {
			within(t, "browse after the cut", r.between(440, 450).delivered("browse"), 0.9, 1)
			within(t, "browse while order is down", r.between(451, 459).delivered("browse"), 0, 0.05)
			within(t, "browse while order is cold", r.between(463, 479).delivered("browse"), 0, 0.02)
			within(t, "browse in the 30 s", r.between(450, 480).delivered("browse"), 0, 0.05)
			within(t, "browse after the restart", r.between(490, 540).delivered("browse"), 0.95, 1)
		}},
		{"twice the queue", []string{"double-queue"}, 480 * time.Second, func(t *testing.T, r run) {
			near(t, "p99 of order", r.between(420, 480).p99("order"), 8.9, 0.1)
			within(t, "browse", r.between(420, 480).delivered("browse"), 0, 0.02)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.check(t, play(t, named(t, "payment-1945:tenth", test.length, test.actions...), 1))
		})
	}
}

// TestTheJitterRunsAway: the first second has n = 1,000 requests, of which 1 %
// (0.3 %) time out.
func TestTheJitterRunsAway(t *testing.T) {
	r := play(t, named(t, "jitter-300ms", 0), 1)
	within(t, "the ratio in the first second", r.between(10, 11).ratio("users"), 1.005, 1.035)
	within(t, "one second after the step", r.between(12, 13).ratio("users"), 3, 4)
	within(t, "within 20 s more", r.between(30, 33).ratio("users"), 24, 29)
	for seed := int64(2); seed <= 4; seed++ {
		if r := play(t, named(t, "jitter-300ms", 0), seed); r.between(50, 60).ratio("users") < 20 {
			t.Errorf("seed %d does not run away: %.1fx", seed, r.between(50, 60).ratio("users"))
		}
	}
	r = play(t, named(t, "jitter-300ms:calm", 0), 1)
	within(t, "with little contention", r.between(20, 60).ratio("users"), 3, 4)
	within(t, "with little contention, at most", r.peak("users"), 3, 5)
	r = play(t, named(t, "jitter-300ms:pool-200", 0), 1)
	within(t, "with a hard pool", r.between(13, 60).ratio("users"), 1.2, 1.5)
	full := 0
	for i := 13; i < 60; i++ {
		if h := r.w[i].Hop("users", "aggregation", "data"); h.Rejected[chain.PoolFull] > 0 {
			full++
		}
	}
	if full < 40 {
		t.Errorf("the pool refuses in %d of 47 s only", full)
	}
}

// TestMetastability: seed 1 shows the story, and the shares hold over 20 seeds.
// With 20 of them a share of 99 % (94, 91) has a deviation of 2 % (5, 6).
func TestMetastability(t *testing.T) {
	for _, test := range []struct {
		name     string
		recovers bool
		least    int // of 20
	}{
		{"metastable-9s", true, 18}, {"metastable-10s", false, 15}, {"metastable-10s:cut-78", true, 14}, {"metastable-10s:low-load", true, 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			as, n := 0, int64(20)
			for seed := int64(1); seed <= n; seed++ {
				r := play(t, named(t, test.name, 75*time.Second), seed)
				low := r.between(65, 75).ratio("clients") < 1.2
				if low == test.recovers {
					as++
				} else if seed == 1 {
					t.Errorf("seed 1 recovers: %v, want %v", low, test.recovers)
				}
				if before := r.between(0, 30).ratio("clients"); before > 1.01 {
					t.Errorf("seed %d has %.2fx before the trigger", seed, before)
				}
			}
			if as < test.least*int(n)/20 {
				t.Errorf("%d of %d seeds do, want %d of 20 or more", as, n, test.least)
			}
		})
	}
}

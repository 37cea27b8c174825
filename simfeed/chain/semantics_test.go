package chain

import (
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/policy"
)

// one is a class of even arrivals, 10 a second, at a server of constant time:
// small enough to say by hand what must happen.
func one(work time.Duration, workers int) Scenario {
	s := station(10, draw.Const(work), workers, 10*time.Second)
	s.Classes[0].Even = true
	return s
}

// tally runs a scenario and sums its windows up.
func tally(t *testing.T, s Scenario) (hop HopWindow, node NodeWindow, class ClassWindow) {
	t.Helper()
	_, windows := play(t, s, 1)
	for _, w := range windows {
		h, n, c := &w.Hops[0], w.Node("users", "server"), &w.Classes[0]
		hop.Requests += h.Requests
		hop.Attempts += h.Attempts
		hop.Successes += h.Successes
		hop.AtLimit += h.AtLimit
		node.Arrivals += n.Arrivals
		node.Completed += n.Completed
		node.Wasted += n.Wasted
		node.Duplicates += n.Duplicates
		node.Cancelled += n.Cancelled
		class.Requests += c.Requests
		class.Delivered += c.Delivered
		class.Failed += c.Failed
		for i := range h.Outcomes {
			hop.Outcomes[i] += h.Outcomes[i]
		}
		for i := range h.Rejected {
			hop.Rejected[i] += h.Rejected[i]
			node.Rejected[i] += n.Rejected[i]
		}
		for len(hop.ByAttempt) < MaxByAttempt {
			hop.ByAttempt, hop.SuccessBy = append(hop.ByAttempt, 0), append(hop.SuccessBy, 0)
		}
		for i, k := range h.ByAttempt {
			hop.ByAttempt[i] += k
		}
		for i, k := range h.SuccessBy {
			hop.SuccessBy[i] += k
		}
	}
	return hop, node, class
}

const edge = "edges.clients>server."

// The arrivals of one come at 100, 200, ... ms; the last one before 10 s at
// 9.9 s: 99 requests.
const requests = 99

func TestATimeoutDoesNotStopTheServer(t *testing.T) {
	s := one(60*time.Millisecond, Unlimited)
	set(t, &s, edge+"timeout", "50ms")
	hop, node, class := tally(t, s)
	if hop.Attempts != requests || hop.Outcomes[policy.Timeout] != requests || class.Failed != requests {
		t.Errorf("%d attempts, %d time-outs, %d failures, want %d each", hop.Attempts, hop.Outcomes[policy.Timeout], class.Failed, requests)
	}
	if node.Completed != requests || node.Wasted != requests || node.Cancelled != 0 {
		t.Errorf("%d completed, %d of them wasted, %d cancelled: the server must do all the work for nothing", node.Completed, node.Wasted, node.Cancelled)
	}
	for _, field := range []string{"cancel", "propagate"} {
		c := s.Clone()
		set(t, &c, edge+field, "on")
		_, node, _ := tally(t, c)
		if node.Completed != 0 || node.Cancelled != requests {
			t.Errorf("%s: %d completed and %d cancelled, want all cancelled", field, node.Completed, node.Cancelled)
		}
	}
}

// TestOrphansRunLaterUnlessTheyAreDropped: one worker, work of 250 ms, ten
// requests a second that wait for 200 ms: the queue fills with orphans.
func TestOrphansRunLaterUnlessTheyAreDropped(t *testing.T) {
	s := one(250*time.Millisecond, 1)
	set(t, &s, edge+"timeout", "200ms")
	_, node, class := tally(t, s)
	if node.Completed != 39 || node.Wasted != 39 || class.Delivered != 0 {
		t.Errorf("%d completed, %d wasted, %d delivered, want 39 for nothing", node.Completed, node.Wasted, class.Delivered)
	}
	set(t, &s, "services.server.drop_expired", "on")
	_, node, _ = tally(t, s)
	if node.Rejected[Expired] < 40 {
		t.Errorf("%d expired, want most of those that waited", node.Rejected[Expired])
	}
}

func TestARefusalByTheCalleeIsRetriedIfTheListSaysSo(t *testing.T) {
	for _, test := range []struct {
		on       string
		attempts int64
	}{{"any", 3 * requests}, {"connect", 3 * requests}, {"timeout, error", requests}, {"none", requests}} {
		s := one(time.Millisecond, Unlimited)
		set(t, &s, "services.server.down", "on")
		set(t, &s, edge+"attempts", "3")
		set(t, &s, edge+"retry_on", test.on)
		hop, node, _ := tally(t, s)
		if hop.Attempts != test.attempts || node.Arrivals != test.attempts || node.Rejected[ServiceDown] != test.attempts {
			t.Errorf("retry on %s: %d attempts, %d arrived, %d refused, want %d", test.on, hop.Attempts, node.Arrivals, node.Rejected[ServiceDown], test.attempts)
		}
		if want := int64(requests); test.on == "any" && hop.AtLimit != want {
			t.Errorf("%d at limit, want %d", hop.AtLimit, want)
		}
	}
}

// TestARefusalByTheCallerIsNotRetriedAndNoAttempt holds it for every kind.
func TestARefusalByTheCallerIsNotRetriedAndNoAttempt(t *testing.T) {
	for why, fields := range map[Reason][][2]string{
		BreakerOpen:  {{"breaker.force", "open"}},
		BulkheadFull: {{"bulkhead", "1"}, {"timeout", "0s"}},
		BudgetSpent:  {{"budget.kind", "originals"}, {"budget.share", "0"}},
	} {
		for _, inside := range []string{"off", "on"} {
			s := one(60*time.Second, Unlimited) // nothing is answered
			set(t, &s, edge+"attempts", "3")
			set(t, &s, edge+"timeout", "50ms")
			set(t, &s, edge+"breaker.inside", inside)
			for _, f := range fields {
				set(t, &s, edge+f[0], f[1])
			}
			hop, node, class := tally(t, s)
			sent := map[Reason]int64{BreakerOpen: 0, BulkheadFull: 1, BudgetSpent: requests}[why]
			if hop.Attempts != sent || node.Arrivals != sent {
				t.Errorf("%v: %d attempts of which %d arrived, want %d", why, hop.Attempts, node.Arrivals, sent)
			}
			refused := requests - sent%requests
			if hop.Rejected[why] != refused || class.Failed < refused {
				t.Errorf("%v: %d refused, %d failed, want %d", why, hop.Rejected[why], class.Failed, refused)
			}
		}
	}
}

// TestTheEdgeAboveARefusalSeesAnError: and so it retries, if errors are on its
// list.
func TestTheEdgeAboveARefusalSeesAnError(t *testing.T) {
	s := layers(2, 3, 0)
	s.Length = 10 * time.Second
	set(t, &s, "edges.l1>l2.breaker.force", "open")
	set(t, &s, "edges.l0>l1.retry_on", "error")
	_, windows := play(t, s, 1)
	var requests, errors, refused, attempts int64
	for _, w := range windows {
		requests += w.Hops[0].Requests
		errors += w.Hops[0].Outcomes[policy.Error]
		refused += w.Hops[1].Rejected[BreakerOpen]
		attempts += w.Hops[1].Attempts
	}
	if errors < 3*requests-6 || refused != errors || attempts != 0 {
		t.Errorf("%d requests: %d errors above, %d refusals below, %d attempts", requests, errors, refused, attempts)
	}
}

func TestATotalDeadlineEndsACall(t *testing.T) {
	s := one(60*time.Second, Unlimited)
	set(t, &s, edge+"attempts", "10")
	set(t, &s, edge+"timeout", "30ms")
	set(t, &s, edge+"deadline", "100ms")
	hop, _, _ := tally(t, s)
	// Tries at 0, 30, 60 and 90 ms, the last one cut to 10 ms; a request of
	// which the last try is at the end of the run loses it.
	if hop.Attempts < 4*requests-4 || hop.Attempts > 4*requests || hop.Rejected[DeadlinePast] < requests-1 {
		t.Errorf("%d attempts, %d ended by the deadline, want 4 a request", hop.Attempts, hop.Rejected[DeadlinePast])
	}
}

// TestAPropagatedDeadlineReachesTheLastLayer: the edge below asks for more time
// than is left.
func TestAPropagatedDeadlineReachesTheLastLayer(t *testing.T) {
	s := layers(2, 1, 0)
	s.Length, s.Classes[0].Even = 10*time.Second, true
	set(t, &s, "services.l1.time", "0s")
	set(t, &s, "services.l2.time", "1s")
	set(t, &s, "edges.l0>l1.timeout", "100ms")
	set(t, &s, "edges.l1>l2.timeout", "500ms")
	for _, propagate := range []string{"off", "on"} {
		set(t, &s, "edges.*.propagate", propagate)
		_, windows := play(t, s, 1)
		w := windows[len(windows)-1]
		running := w.Node("users", "l2").Running
		// 200 a second, that run for 100 ms, or for a second as if nobody cared.
		want := map[string]int64{"off": 200, "on": 20}[propagate]
		if running < want-1 || running > want+1 {
			t.Errorf("propagation %s: %d at work in the last layer, want %d", propagate, running, want)
		}
	}
}

// TestWaitingForAPoolIsNotServiceTime: one connection, work of 80 ms, a request
// every 100 ms of which each makes two calls at once.
func TestWaitingForAPoolIsNotServiceTime(t *testing.T) {
	s := one(40*time.Millisecond, Unlimited)
	set(t, &s, edge+"calls", "2")
	set(t, &s, edge+"parallel", "on")
	set(t, &s, edge+"pool.size", "1")
	_, windows := play(t, s, 1)
	h := windows[5].Hops[0]
	if h.PoolWait.Count != 20 || h.PoolWait.Mean != 20*time.Millisecond || h.PoolWait.P99 < 39*time.Millisecond {
		t.Errorf("pool wait %+v, want 20 of 0 and 40 ms", h.PoolWait)
	}
	if h.Latency.Mean != 40*time.Millisecond {
		t.Errorf("an attempt takes %v, want 40ms without the wait", h.Latency.Mean)
	}
	if got := windows[5].Classes[0].Latency.Mean; got != 80*time.Millisecond {
		t.Errorf("a request takes %v, want 80ms with the wait", got)
	}
}

func TestSlotsAreHeldDuringCallsUnlessAsync(t *testing.T) {
	for async, want := range map[string]int64{"off": 3, "on": 0} {
		s := layers(2, 1, 0)
		s.Length, s.Classes[0].Even, s.Classes[0].Rate = 10*time.Second, true, Steady(10)
		set(t, &s, "services.l1.workers", "3")
		set(t, &s, "services.l1.time", "0s")
		set(t, &s, "services.l2.time", "1s")
		set(t, &s, "services.l1.async", async)
		_, windows := play(t, s, 1)
		if got := windows[9].Service("l1").Busy; got != want {
			t.Errorf("async %s: %d slots in use, want %d", async, got, want)
		}
	}
}

// TestDuplicatesAreCountedAcrossLayers: each attempt is executed, but too late.
func TestDuplicatesAreCountedAcrossLayers(t *testing.T) {
	for _, test := range []struct {
		name string
		set  string
		want int64
	}{{"unprotected", "", requests - 1}, {"idempotent", "idempotent", 0}, {"with a key", "key", 0}} {
		s := one(60*time.Millisecond, Unlimited)
		set(t, &s, edge+"attempts", "2")
		set(t, &s, edge+"timeout", "20ms")
		if test.set != "" {
			set(t, &s, "classes.users."+test.set, "on")
		}
		_, node, _ := tally(t, s)
		// The second execution of the last request ends with the run or later.
		if node.Duplicates < test.want || node.Duplicates > test.want+1 || test.want == 0 && node.Duplicates != 0 {
			t.Errorf("%s: %d duplicate executions, want %d", test.name, node.Duplicates, test.want)
		}
	}
	s := one(time.Millisecond, Unlimited)
	set(t, &s, edge+"calls", "3")
	if _, node, _ := tally(t, s); node.Duplicates != 0 || node.Completed < 3*requests-3 {
		t.Errorf("%d duplicates among %d calls of a fan-out that nobody retried", node.Duplicates, node.Completed)
	}
}

func TestALimitSaysWhenToComeAgain(t *testing.T) {
	s := one(time.Millisecond, Unlimited)
	set(t, &s, "services.server.limit", "4/s")
	set(t, &s, "services.server.retry_after", "1s")
	set(t, &s, edge+"attempts", "2")
	hop, node, _ := tally(t, s)
	if node.Arrivals-node.Rejected[LimitExceeded] != 40 || hop.Outcomes[policy.RateLimited] != node.Rejected[LimitExceeded] {
		t.Errorf("%d of %d let in, want 4 a second", node.Arrivals-node.Rejected[LimitExceeded], node.Arrivals)
	}
	at := func(after string) int64 {
		set(t, &s, edge+"retry_after", after)
		_, windows := play(t, s, 1)
		return windows[0].Hops[0].Retries()
	}
	if got := at("off"); got < 4 {
		t.Errorf("%d retries in the first second when they come at once", got)
	}
	if got := at("on"); got != 0 {
		t.Errorf("%d retries in the first second, want none before it is over", got)
	}
}

// TestAReservedPlaceIsThatOfWhoFailedFirst: of ten a second four are let in.
// Those that were refused come again a second later, behind the first four that
// come new then, or before them where places are reserved.
func TestAReservedPlaceIsThatOfWhoFailedFirst(t *testing.T) {
	for reserve, want := range map[string][2]int64{"off": {40, 0}, "on": {4, 36}} {
		s := one(time.Millisecond, Unlimited)
		set(t, &s, "services.server.limit", "4/s")
		set(t, &s, "services.server.reserve", reserve)
		set(t, &s, edge+"attempts", "2")
		set(t, &s, edge+"backoff.kind", "fixed")
		set(t, &s, edge+"backoff.base", "1s")
		hop, _, _ := tally(t, s)
		if got := [2]int64(hop.SuccessBy[:2]); got != want {
			t.Errorf("reserve %s: successes by attempt are %v, want %v", reserve, got, want)
		}
	}
}

// TestAReservedPlaceDoesNotOutliveItsSecond: who finds the service down at the
// time of its place has none later.
func TestAReservedPlaceDoesNotOutliveItsSecond(t *testing.T) {
	s := one(time.Millisecond, Unlimited)
	set(t, &s, "services.server.limit", "4/s")
	set(t, &s, "services.server.reserve", "on")
	set(t, &s, edge+"attempts", "4")
	set(t, &s, edge+"backoff.kind", "fixed")
	set(t, &s, edge+"backoff.base", "1s")
	s.Timeline = append(s.Timeline, Change{At: time.Second, For: 3 * time.Second, Field: "services.server.down", Value: "on"})
	_, windows := play(t, s, 1)
	for _, w := range windows {
		if h := &w.Hops[0]; h.Successes > 4 {
			t.Errorf("%d are let in in the second from %v, want 4 at most", h.Successes, w.Start)
		}
	}
}

func TestQueuesServeByTheirDiscipline(t *testing.T) {
	// Ten requests a second to a worker that serves five: under LIFO the newest
	// is served at once and the others wait for ever.
	for discipline, want := range map[string]time.Duration{"lifo": 400 * time.Millisecond, "fifo": 4 * time.Second} {
		s := one(200*time.Millisecond, 1)
		set(t, &s, "services.server.discipline", discipline)
		_, windows := play(t, s, 1)
		got := windows[9].Node("users", "server").Latency.P50
		if discipline == "lifo" && got > want || discipline == "fifo" && got < want {
			t.Errorf("%s: median latency in the last second is %v", discipline, got)
		}
	}
}

func TestHungWorkKeepsItsSlot(t *testing.T) {
	s := one(time.Millisecond, 5)
	set(t, &s, "services.server.hang_rate", "100%")
	set(t, &s, "services.server.hang_time", "5s")
	_, windows := play(t, s, 1)
	if got := windows[3].Service("server"); got.Busy != 5 || got.Queued != 34 {
		t.Errorf("%d slots in use and %d waiting after 4 s, want 5 and 34", got.Busy, got.Queued)
	}
}

func TestClientsOfAClosedLoopWaitForTheirAnswer(t *testing.T) {
	s := one(200*time.Millisecond, Unlimited)
	s.Classes[0].Rate = Rate{}
	set(t, &s, "classes.users.clients", "10")
	set(t, &s, "classes.users.think", "300ms")
	s.Timeline = []Change{{At: 4 * time.Second, Field: "classes.users.clients", Value: "4", For: 3 * time.Second}}
	_, windows := play(t, s, 1)
	for i, want := range map[int]int64{2: 20, 5: 8, 9: 20} {
		if got := windows[i].Classes[0].Requests; got != want {
			t.Errorf("second %d: %d requests, want %d", i, got, want)
		}
	}
}

func TestFanOutMakesFractionsByChance(t *testing.T) {
	s := station(1000, draw.Const(time.Millisecond), Unlimited, 60*time.Second)
	set(t, &s, edge+"calls", "3.63")
	_, windows := play(t, s, 1)
	agrees(t, "calls a request", ratios(windows), 3.63, 0.01)
	if retried := windows[30].Hops[0].Retries(); retried != 0 {
		t.Errorf("%d of the calls count as retries", retried)
	}
}

func TestTheNetworkIsPassedTwice(t *testing.T) {
	s := one(10*time.Millisecond, Unlimited)
	set(t, &s, "services.server.network", "7ms")
	_, windows := play(t, s, 1)
	if got := windows[5].Hops[0].Latency.Mean; got != 24*time.Millisecond {
		t.Errorf("an attempt takes %v, want 24ms", got)
	}
	if got := windows[5].Node("users", "server").Latency.Mean; got != 10*time.Millisecond {
		t.Errorf("the server sees %v, want 10ms", got)
	}
}

// TestABreakerInsideCountsAttemptsAndOutsideCalls: 30 results open it, which
// are 10 calls of 3 attempts, or 30 calls.
func TestABreakerInsideCountsAttemptsAndOutsideCalls(t *testing.T) {
	for inside, want := range map[string]int64{"on": 30, "off": 90} {
		s := one(time.Millisecond, Unlimited)
		set(t, &s, "services.server.down", "on")
		set(t, &s, edge+"attempts", "3")
		for _, f := range [][2]string{{"on", "on"}, {"inside", inside}, {"calls", "100"}, {"minimum", "30"}, {"cooldown", "1h"}} {
			set(t, &s, edge+"breaker."+f[0], f[1])
		}
		hop, _, _ := tally(t, s)
		if hop.Attempts != want {
			t.Errorf("inside %s: %d attempts until it opened, want %d", inside, hop.Attempts, want)
		}
	}
}

func TestEnvoysSleepingRetriesHoldTheirSlots(t *testing.T) {
	s := one(time.Millisecond, Unlimited)
	s.Classes[0].Rate = Steady(100)
	set(t, &s, "services.server.down", "on")
	set(t, &s, edge+"policy", "envoy-default")
	set(t, &s, edge+"backoff.kind", "fixed")
	set(t, &s, edge+"backoff.jitter", "none")
	set(t, &s, edge+"backoff.base", "1s")
	set(t, &s, edge+"backoff.cap", "0s")
	hop, _, _ := tally(t, s)
	// Three sleep for a second each; the others are refused.
	if retries := hop.Attempts - hop.ByAttempt[0]; retries < 26 || retries > 30 || hop.Rejected[BudgetSpent] < 900 {
		t.Errorf("%d retries and %d refused, want about 3 a second", retries, hop.Rejected[BudgetSpent])
	}
}

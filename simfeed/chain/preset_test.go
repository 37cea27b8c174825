package chain

import (
	"testing"
	"time"

	"stormtop/simfeed/chain/policy"
)

// What the presets are in numbers is tested beside them; here they are at work
// on an edge, where it shows whether the engine asks and tells them what it must.

// down is the service out of reach from a second on, for some seconds.
func down(from, seconds int) Change {
	return Change{At: time.Duration(from) * time.Second, For: time.Duration(seconds) * time.Second, Field: "services.server.down", Value: "on"}
}

// with is a scenario with fields of its edge set.
func with(t *testing.T, s Scenario, fields ...string) Scenario {
	t.Helper()
	for i := 0; i < len(fields); i += 2 {
		set(t, &s, edge+fields[i], fields[i+1])
	}
	return s
}

// TestPresetsInATotalOutage counts the retries of 99 requests, 10 a second, of
// which nothing comes back: by a service that refuses them (connect), answers
// with errors, or not in time. Waits are taken out, so that all are made.
func TestPresetsInATotalOutage(t *testing.T) {
	const all = requests
	for _, test := range []struct {
		preset                   string
		unsafe                   bool // requests that are not idempotent
		connect, errors, timeout int64
	}{
		// One of its three slots is always free: retries are over at once, or
		// within 50 ms.
		{"envoy-default", false, all, all, all},
		{"envoy-budget", false, all, all, all},
		{"istio-default", false, 2 * all, 0, 0},
		{"linkerd-annotations", false, all, all, all},
		// The minimum of 10 a second over 10 s, for no answer deposits.
		{"linkerd-profile", false, 100, 100, 100},
		// A failure costs a token of ten, and above five a retry is permitted. What
		// is not retried costs nothing.
		{"grpc-default", false, 4, 4, 0},
		{"aws-standard", false, 100, 100, 50},
		// The minimum, and a fifth of the requests until then.
		{"finagle-default", false, 119, 119, 119},
		{"polly-v8", false, 3 * all, 3 * all, 3 * all},
		{"spring-cloud-gateway", false, 3 * all, 3 * all, 3 * all},
		{"spring-cloud-gateway", true, 0, 0, 0},
		{"haproxy", false, 3 * all, 0, 0},
		{"nginx", false, 0, 0, 0}, // a single server
		{"three-everywhere", false, 2 * all, 2 * all, 2 * all},
		{"three-everywhere", true, 2 * all, 2 * all, 2 * all},
	} {
		for _, way := range []struct {
			name, field, value string
			want               int64
		}{
			{"connect", "services.server.down", "on", test.connect},
			{"errors", "services.server.error_rate", "100%", test.errors},
			{"time-outs", "services.server.time", "1h", test.timeout},
		} {
			s := one(time.Millisecond, Unlimited)
			s.Classes[0].Idempotent = !test.unsafe
			set(t, &s, way.field, way.value)
			s = with(t, s, "policy", test.preset, "timeout", "10ms", "backoff.kind", "none", "backoff.jitter", "none")
			hop, _, _ := tally(t, s)
			// A share of a budget is of the requests until then, so rounding may
			// cost one, and a call of the last 50 ms is not through.
			if retries := hop.Attempts - hop.ByAttempt[0]; hop.ByAttempt[0] != all || retries < way.want-1 || retries > way.want {
				t.Errorf("%s, %s, unsafe %v: %d first attempts and %d retries, want %d and %d", test.preset, way.name, test.unsafe, hop.ByAttempt[0], retries, all, way.want)
			}
		}
	}
}

func TestNGINXGoesOnToTheNextServer(t *testing.T) {
	for safe, want := range map[bool]int64{true: 2 * requests, false: 0} {
		s := with(t, one(time.Millisecond, Unlimited), "policy", "nginx", "servers", "3")
		s.Classes[0].Idempotent = safe
		set(t, &s, "services.server.down", "on")
		if hop, _, _ := tally(t, s); hop.Attempts-requests != want {
			t.Errorf("idempotent %v: %d retries, want %d", safe, hop.Attempts-requests, want)
		}
	}
}

// TestHAProxyWaitsTwiceAndRedispatches: the first two retries after a second
// each, the last one at once.
func TestHAProxyWaitsTwiceAndRedispatches(t *testing.T) {
	s := with(t, one(time.Millisecond, Unlimited), "policy", "haproxy")
	set(t, &s, "services.server.down", "on")
	_, windows := play(t, s, 1)
	for second, want := range [][]int64{{9, 0, 0, 0}, {10, 9, 0, 0}, {10, 10, 9, 9}, {10, 10, 10, 10}} {
		for i, n := range want {
			if by := windows[second].Hops[0].ByAttempt; i < len(by) && by[i] != n || i >= len(by) && n > 0 {
				t.Errorf("second %d: attempts by number %v, want %v", second, by, want)
			}
		}
	}
}

// TestResilience4jCountsEveryAttempt: its breaker is inside the retry loop, and
// opens at the hundredth failed attempt, not call.
func TestResilience4jCountsEveryAttempt(t *testing.T) {
	s := with(t, one(time.Millisecond, Unlimited), "policy", "resilience4j")
	set(t, &s, "services.server.down", "on")
	if hop, _, _ := tally(t, s); hop.Attempts != 100 || hop.Rejected[BreakerOpen] == 0 {
		t.Errorf("%d attempts before it opened, then %d refused, want 100", hop.Attempts, hop.Rejected[BreakerOpen])
	}
}

// TestLinkerdDepositsForAnswersThatAreNotRetried plays 49 requests before the
// outage, of which a fifth of the deposits adds to the minimum.
func TestLinkerdDepositsForAnswersThatAreNotRetried(t *testing.T) {
	for name, test := range map[string]struct {
		field, value string
		want         int64
	}{
		"successes":                  {"services.server.error_rate", "0%", 109},
		"errors that nobody retries": {"services.server.error_rate", "100%", 109},
		"nothing":                    {"classes.users.rate", "0/s", 100},
	} {
		s := with(t, one(time.Millisecond, Unlimited), "policy", "linkerd-profile", "retry_on", "connect")
		s.Timeline = []Change{{For: 5 * time.Second, Field: test.field, Value: test.value}, down(5, 5)}
		hop, _, _ := tally(t, s)
		if retries := hop.Attempts - hop.ByAttempt[0]; retries != test.want {
			t.Errorf("%s: %d retries, want %d", name, retries, test.want)
		}
	}
}

// TestGRPCEarnsItsTokensBySuccesses: the first outage of a second leaves none of
// ten. Seventy successes are seven: one retry, when the failure has cost one.
func TestGRPCEarnsItsTokensBySuccesses(t *testing.T) {
	for healthy, want := range map[int]int64{5: 4, 7: 5} {
		s := with(t, one(time.Millisecond, Unlimited), "policy", "grpc-default", "backoff.kind", "none", "backoff.jitter", "none")
		set(t, &s, "length", "20s")
		s.Timeline = []Change{down(1, 2), down(3+healthy, 20)}
		hop, _, _ := tally(t, s)
		if retries := hop.Attempts - hop.ByAttempt[0]; retries != want {
			t.Errorf("two outages, %d s apart: %d retries, want %d", healthy, retries, want)
		}
	}
}

// TestAWSGetsBackWhatARetryCost: with tokens for one retry, each request finds
// the service down and is answered at its second attempt.
func TestAWSGetsBackWhatARetryCost(t *testing.T) {
	s := with(t, one(time.Millisecond, Unlimited), "policy", "aws-standard", "budget.tokens", "5",
		"backoff.kind", "fixed", "backoff.base", "500ms", "backoff.jitter", "none")
	s.Classes[0].Rate = Steady(1)
	for second := 1; second < 10; second++ {
		c := down(second, 0)
		c.At, c.For = c.At-100*time.Millisecond, 200*time.Millisecond
		s.Timeline = append(s.Timeline, c)
	}
	if hop, _, class := tally(t, s); hop.SuccessBy[1] != 9 || class.Failed != 0 {
		t.Errorf("%d of 9 requests are rescued by a retry", hop.SuccessBy[1])
	}
}

// TestTheSREClientStopsAskingWhoDoesNotAnswer: out of reach, it sends with
// probability 1/(n+1) after n requests, so 1 + 1/2 + ... + 1/99 = 5.2 of 99, with
// a deviation of 1.9. An answer, be it an error, is one.
func TestTheSREClientStopsAskingWhoDoesNotAnswer(t *testing.T) {
	for field, test := range map[string]struct{ low, high int64 }{"down": {1, 13}, "error_rate": {requests, requests + 11}} {
		s := with(t, one(time.Millisecond, Unlimited), "policy", "sre-client")
		set(t, &s, "services.server."+field, map[string]string{"down": "on", "error_rate": "1"}[field])
		hop, _, _ := tally(t, s)
		if hop.Attempts < test.low || hop.Attempts > test.high || hop.Rejected[Throttled] < requests-test.high {
			t.Errorf("%s: %d attempts of 99 requests, %d held back, want %d to %d", field, hop.Attempts, hop.Rejected[Throttled], test.low, test.high)
		}
	}
}

// TestEnvoyCountsThoseThatWaitForAConnection: twenty a second come to ten
// connections of a second each, so that some hundred wait at the end. A fifth of
// all may be retries at once; of the ten that are active it would be three.
func TestEnvoyCountsThoseThatWaitForAConnection(t *testing.T) {
	s := with(t, one(time.Second, Unlimited), "policy", "envoy-budget", "pool.size", "10", "deadline", "0s")
	s.Classes[0].Rate = Steady(20)
	set(t, &s, "services.server.error_rate", "1")
	e, windows := play(t, s, 1)
	waiting, held := windows[9].Hops[0].PoolQueue, e.lanes[0].budget.Outstanding()
	if waiting < 80 || held < waiting/6 || held > 1+(waiting+10)/5 {
		t.Errorf("%d wait and %d retries are held, want a fifth", waiting, held)
	}
}

// TestAtLimitIsTheLastOfSeveral: an edge that does not retry has no limit to reach.
func TestAtLimitIsTheLastOfSeveral(t *testing.T) {
	for attempts, want := range map[string]int64{"1": 0, "2": requests, "3": requests} {
		s := with(t, one(time.Millisecond, Unlimited), "attempts", attempts)
		set(t, &s, "services.server.down", "on")
		if hop, _, _ := tally(t, s); hop.AtLimit != want {
			t.Errorf("%s attempts: %d at limit, want %d", attempts, hop.AtLimit, want)
		}
	}
	s := with(t, one(time.Millisecond, Unlimited), "attempts", "3")
	if hop, _, _ := tally(t, s); hop.AtLimit != 0 {
		t.Errorf("%d at limit, though all first attempts succeed", hop.AtLimit)
	}
}

// TestWhoWaitedInVainForAConnectionMayTryAgain: that the pool has none is an
// outcome like any other, an overload, until the deadline ends the call.
func TestWhoWaitedInVainForAConnectionMayTryAgain(t *testing.T) {
	for _, test := range []struct {
		on, waiting, deadline string
		why                   Reason
		times                 int64 // that a call hears it
		past                  int64 // calls ended by their deadline
	}{
		{"overload", "unlimited", "0s", PoolTimeout, 3, 0},
		{"timeout, error", "unlimited", "0s", PoolTimeout, 1, 0},
		{"overload", "0", "0s", PoolFull, 3, 0},
		{"timeout, error", "0", "0s", PoolFull, 1, 0},
		{"overload", "unlimited", "45ms", PoolTimeout, 2, requests - 1},
	} {
		s := with(t, one(time.Hour, Unlimited), "attempts", "3", "retry_on", test.on,
			"pool.size", "1", "pool.timeout", "20ms", "pool.waiting", test.waiting)
		// The first request, at 100 ms, has the only connection for ever: the
		// deadline is for the others.
		s.Timeline = []Change{{At: 150 * time.Millisecond, Field: edge + "deadline", Value: test.deadline}}
		hop, _, class := tally(t, s)
		const others = requests - 1
		if got := hop.Rejected[test.why]; got != test.times*others || hop.Outcomes[policy.Overload] != got {
			t.Errorf("%+v: heard %d times, of which %d are outcomes, want %d", test, got, hop.Outcomes[policy.Overload], test.times*others)
		}
		if hop.Rejected[DeadlinePast] != test.past || class.Failed != others {
			t.Errorf("%+v: %d ended by the deadline and %d failed", test, hop.Rejected[DeadlinePast], class.Failed)
		}
	}
}

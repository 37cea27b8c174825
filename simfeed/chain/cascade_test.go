package chain

import (
	"testing"
	"time"
)

// What a decision at one place means for others.

// last is what a node runs at the end of a scenario.
func last(t *testing.T, s Scenario, service string) int64 {
	t.Helper()
	_, windows := play(t, s, 1)
	return windows[len(windows)-1].Node("users", service).Running
}

// slowBelow is two layers of 200/s: the first gives up after 100 ms, the work of
// the second takes a second.
func slowBelow(t *testing.T) Scenario {
	s := layers(2, 1, 0)
	s.Length, s.Classes[0].Even = 10*time.Second, true
	set(t, &s, "services.l1.time", "0s")
	set(t, &s, "services.l2.time", "1s")
	set(t, &s, "edges.l0>l1.timeout", "100ms")
	return s
}

// TestACancelledCallCancelsItsOwnCalls: 200 a second are at work in the last
// layer for a second, or as long as somebody waits; both edges must cancel.
func TestACancelledCallCancelsItsOwnCalls(t *testing.T) {
	for _, test := range []struct {
		above, below string
		want         int64
	}{{"off", "off", 200}, {"on", "off", 200}, {"off", "on", 200}, {"on", "on", 20}} {
		s := slowBelow(t)
		set(t, &s, "edges.l0>l1.cancel", test.above)
		set(t, &s, "edges.l1>l2.cancel", test.below)
		if got := last(t, s, "l2"); got < test.want-1 || got > test.want+1 {
			t.Errorf("cancel %s above, %s below: %d at work, want %d", test.above, test.below, got, test.want)
		}
	}
}

// TestADeadlineOfAnEdgeDoesNotPutOffTheOneItWasTold: the earlier of both counts.
func TestADeadlineOfAnEdgeDoesNotPutOffTheOneItWasTold(t *testing.T) {
	for deadline, want := range map[string]int64{"500ms": 20, "50ms": 10} {
		s := slowBelow(t)
		set(t, &s, "edges.*.propagate", "on")
		set(t, &s, "edges.l1>l2.deadline", deadline)
		if got := last(t, s, "l2"); got < want-1 || got > want+1 {
			t.Errorf("with an own deadline of %s: %d at work, want %d", deadline, got, want)
		}
	}
}

// TestAPolicyOfAClassReachesCallsInProgress: the class had that of the edge when
// they began.
func TestAPolicyOfAClassReachesCallsInProgress(t *testing.T) {
	s := one(time.Hour, Unlimited)
	set(t, &s, edge+"timeout", "2s")
	s.Timeline = []Change{{At: 1500 * time.Millisecond, Field: "edges.clients>server[users].attempts", Value: "2"}}
	_, windows := play(t, s, 1)
	for second, want := range []int64{0, 0, 9, 10, 10, 10} {
		if got := windows[second].Hops[0].Retries(); got != want {
			t.Errorf("second %d: %d retries, want %d", second, got, want)
		}
	}
}

// TestOnlyWhoWasToldWaitsForIt: a service that is gone says nothing of when to
// come again.
func TestOnlyWhoWasToldWaitsForIt(t *testing.T) {
	s := with(t, one(time.Millisecond, Unlimited), "attempts", "2", "retry_after", "on")
	set(t, &s, "services.server.retry_after", "5s")
	set(t, &s, "services.server.down", "on")
	_, windows := play(t, s, 1)
	if got := windows[0].Hops[0].Retries(); got != 9 {
		t.Errorf("%d retries in the first second, want all 9 at once", got)
	}
}

// TestPendingIsWhatRunsAndWhatIsQueued at all services of the path, orphans
// included: a request each 100 ms to a worker that takes a second, and users who
// wait for a second, too.
func TestPendingIsWhatRunsAndWhatIsQueued(t *testing.T) {
	s := with(t, one(time.Second, 1), "timeout", "1s")
	_, windows := play(t, s, 1)
	w := windows[9]
	// Of 99 that came 9 are done at the server; 9 or 10 still wait at the clients.
	server, waiting := w.Node("users", "server"), w.Classes[0].Waiting
	if server.Running != 1 || server.Queued < 88 || server.Queued > 89 || waiting < 9 || waiting > 10 {
		t.Errorf("%d run, %d are queued, %d wait", server.Running, server.Queued, waiting)
	}
	if got := w.Classes[0].Pending; got != server.Running+server.Queued+waiting {
		t.Errorf("%d are pending, want those that run, are queued, and wait at the clients", got)
	}
}

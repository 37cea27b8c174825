package chain

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"
)

// TestTheSameSeedTakesTheSameCourse compares two runs to the last number, and
// with the hashes of the first machine: they hold on every processor, with and
// without the race detector. A change of them is a change of EngineVersion.
func TestTheSameSeedTakesTheSameCourse(t *testing.T) {
	for _, test := range []struct {
		name   string
		s      Scenario
		seed   int64
		events uint64
		hash   uint64
	}{
		{"payment-1945", act(t, payment(0.01), 720, repairs), 1, 680_459, 0xae405dfae5b14b3c},
		{"payment-1945", act(t, payment(0.01), 720, repairs), 2, 687_803, 0xd8135baf48c64755},
		{"everything", everything(), 1, 129_265, 0x6b66a5e842d729f0},
	} {
		a, first := play(t, test.s, test.seed)
		b, second := play(t, test.s, test.seed)
		if a.Hash() != b.Hash() || a.Events() != b.Events() {
			t.Errorf("%s, seed %d: two runs differ", test.name, test.seed)
		}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%s, seed %d: the windows of two runs differ", test.name, test.seed)
		}
		if a.Events() != test.events || a.Hash() != test.hash {
			t.Errorf("%s, seed %d: %d events of hash %#x, want %d of %#x", test.name, test.seed, a.Events(), a.Hash(), test.events, test.hash)
		}
	}
}

// everything is a small system in which every policy works: all waits, all
// budgets, a breaker, a pool, bulkheads, limits, hangs, networks, fan-out.
func everything() Scenario {
	s := layers(3, 3, 0.05)
	s.Name, s.Length = "everything", 60*time.Second
	side := NewClass("side", "l0", "l2")
	side.Clients = 50
	s.Classes = append(s.Classes, side)
	s.Edges = append(s.Edges, NewEdge("l0", "l2"))
	for _, f := range [][2]string{
		{"classes.users.rate", "100/s, 10s 150/s, ramp 20s 300/s, 40s 100/s"},
		{"classes.users.idempotent", "off"},
		{"classes.side.think", "exponential 200ms"},
		{"edges.l0>l1.policy", "aws-standard"}, {"edges.l0>l1.timeout", "400ms"}, {"edges.l0>l1.backoff.base", "50ms"},
		{"edges.l1>l2.policy", "resilience4j"}, {"edges.l1>l2.calls", "1.5"}, {"edges.l1>l2.parallel", "on"},
		{"edges.l1>l2.timeout", "150ms"}, {"edges.l1>l2.propagate", "on"}, {"edges.l1>l2.breaker.cooldown", "1s"},
		{"edges.l2>l3.policy", "envoy-budget"}, {"edges.l2>l3.timeout", "60ms"},
		{"edges.l2>l3.pool.size", "40"}, {"edges.l2>l3.pool.timeout", "30ms"},
		{"edges.l2>l3[side].policy", "polly-v8"},
		{"edges.l0>l2.policy", "sre-client"}, {"edges.l0>l2.timeout", "100ms"}, {"edges.l0>l2.bulkhead", "30"},
		{"services.l1.network", "2ms"}, {"services.l1.async", "on"}, {"services.l1.workers", "8"},
		{"services.l2.time", "lognormal p50=5ms p99=40ms"}, {"services.l2.workers", "40"}, {"services.l2.queue", "50"},
		{"services.l2.queue_timeout", "80ms"}, {"services.l2[side].workers", "10"}, {"services.l2[side].queue", "5"},
		{"services.l3.time", "exponential 10ms"}, {"services.l3.contention", "0.5"}, {"services.l3.contention_from", "5"},
		{"services.l3.hang_rate", "1%"}, {"services.l3.hang_time", "2s"}, {"services.l3.limit", "600/s"}, {"services.l3.retry_after", "100ms"},
		{"services.l3.discipline", "lifo"}, {"services.l3.drop_expired", "on"}, {"services.l3.workers", "30"},
	} {
		if err := s.Set(f[0], f[1]); err != nil {
			panic(err)
		}
	}
	s.Timeline = []Change{
		{At: 15 * time.Second, Field: "services.l3.time_factor", Value: "x4", For: 10 * time.Second, Over: 5 * time.Second},
		{At: 30 * time.Second, Field: "services.l3.down", Value: "on", For: 2 * time.Second},
		RestartOf("l2"),
	}
	s.Timeline[2].At = 45 * time.Second
	s.Services[2].Restart.Down = time.Second
	return s
}

// TestChangingAPolicyKeepsTheArrivals: streams are by purpose.
func TestChangingAPolicyKeepsTheArrivals(t *testing.T) {
	s := everything()
	_, a := play(t, s, 5)
	set(t, &s, "edges.l0>l1.policy", "three-everywhere")
	set(t, &s, "services.l2.workers", "5")
	_, b := play(t, s, 5)
	for i := range a {
		if x, y := a[i].Class("users").Requests, b[i].Class("users").Requests; x != y {
			t.Fatalf("window %d has %d arrivals, and %d under another policy", i, x, y)
		}
	}
}

// TestLookingDoesNotChangeTheCourse: neither the length of the windows nor a
// screen that asks for the state has a part in it.
func TestLookingDoesNotChangeTheCourse(t *testing.T) {
	s := everything()
	set(t, &s, "edges.l0>l2.budget.kind", "rate")
	whole, _ := play(t, s, 3)
	set(t, &s, "every", "700ms")
	e, err := New(s, 3)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := e.Next(t.Context()); err != nil {
			break
		}
		e.State()
		e.Balances()
	}
	if e.Hash() != whole.Hash() || e.Events() != whole.Events() {
		t.Errorf("%d events of hash %#x when looked at, else %d of %#x", e.Events(), e.Hash(), whole.Events(), whole.Hash())
	}
}

// TestAStoppedRunGoesOnWhereItWas ends a run in the middle of its windows.
func TestAStoppedRunGoesOnWhereItWas(t *testing.T) {
	s := act(t, payment(0.02), 200, nil)
	whole, want := play(t, s, 1)
	e, err := New(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Next(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was stopped says %v", err)
	}
	if !reflect.DeepEqual(want, rest(t, e)) || e.Hash() != whole.Hash() {
		t.Error("a run that was stopped goes on differently")
	}
	r, err := Run(ended, s, 1, RunOptions{})
	if !errors.Is(err, context.Canceled) || r.Complete {
		t.Errorf("a run that was stopped is complete %v, error %v", r.Complete, err)
	}
}

// TestNothingIsAllocatedForAnEvent looks at steady states: a storm, and a system
// in which every policy works.
func TestNothingIsAllocatedForAnEvent(t *testing.T) {
	for name, test := range map[string]struct {
		s    Scenario
		from time.Duration
	}{
		"storm":      {act(t, payment(0.02), 420, nil), 300 * time.Second},
		"everything": {calm(everything()), 40 * time.Second},
	} {
		e, err := New(test.s, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.run(t.Context(), int64(test.from)); err != nil {
			t.Fatal(err)
		}
		before := e.Events()
		allocs := testing.AllocsPerRun(5, func() {
			if err := e.run(t.Context(), e.now+int64(2*time.Second)); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > 0 {
			t.Errorf("%s: %v allocations in %d events", name, allocs, (e.Events()-before)/6)
		}
	}
}

func calm(s Scenario) Scenario { return s.Calm() }

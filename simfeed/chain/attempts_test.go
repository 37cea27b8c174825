package chain

import (
	"math"
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
)

// layers is a chain of so many retrying edges before a service that fails with
// a probability.
func layers(edges, attempts int, failure float64) Scenario {
	s := NewScenario("layers")
	s.Length = 100 * time.Second
	c := NewClass("users", "l0")
	c.Rate, c.Idempotent = Steady(200), true
	s.Services = []Service{NewService("l0")}
	for i := 1; i <= edges; i++ {
		from, to := c.Path[i-1], "l"+format(i)
		c.Path = append(c.Path, to)
		v := NewService(to)
		v.Time = draw.Expo(time.Millisecond)
		s.Services = append(s.Services, v)
		e := NewEdge(from, to)
		e.Policy.Attempts = attempts
		s.Edges = append(s.Edges, e)
	}
	s.Services[edges].ErrorRate = failure
	s.Classes = []Class{c}
	return s
}

// ratios is the amplification of every window but the first, whose last
// attempts are in the next one.
func ratios(windows []*Window) []float64 {
	return each(windows[1:], func(w *Window) float64 {
		ratio, _ := w.Classes[0].Amplification()
		return ratio
	})
}

func TestAttemptsPerCall(t *testing.T) {
	for _, test := range []struct {
		p    float64
		n    int
		want float64
	}{{0.5, 3, 1.75}, {0.5, 4, 1.875}, {0.9, 4, 3.439}, {0, 4, 1}} {
		_, windows := play(t, layers(1, test.n, test.p), 1)
		agrees(t, "attempts a call", ratios(windows), test.want, 0.05)
	}
}

func TestFailuresThatAreCorrelatedMultiply(t *testing.T) {
	for _, test := range []struct{ edges, attempts, want int }{{1, 3, 3}, {3, 3, 27}, {3, 4, 64}, {4, 2, 16}, {5, 3, 243}} {
		s := layers(test.edges, test.attempts, 1)
		s.Length, s.Classes[0].Rate = 10*time.Second, Steady(20)
		e, windows := play(t, s, 1)
		requests, attempts, waiting := int64(0), int64(0), e.classes[0].waiting
		for _, w := range windows {
			requests += w.Classes[0].Requests
			attempts += w.Classes[0].Attempts
		}
		// Those that are not through yet have made some of their attempts.
		if most := requests * int64(test.want); attempts > most || attempts < most-waiting*int64(test.want) {
			t.Errorf("%d edges of %d attempts: %d attempts for %d requests, want %d times", test.edges, test.attempts, attempts, requests, test.want)
		}
	}
}

func TestFailuresThatAreIndependentDoNotMultiplyForEver(t *testing.T) {
	for edges, want := range map[int]float64{1: 2.71, 2: 6.126, 3: 9.418, 4: 9.998} {
		_, windows := play(t, layers(edges, 3, 0.9), 1)
		agrees(t, format(edges)+" edges", ratios(windows), want, 0.1)
	}
}

// TestBudgetsBoundAmplification runs a total failure long after the budgets'
// windows have filled. The bound is on the mean: a window of a second deviates
// by its Poisson arrivals, here 1/sqrt(1000 x 60 s) over the mean, of which five
// are tolerated.
func TestBudgetsBoundAmplification(t *testing.T) {
	const rate = 1000
	slack := 5 / math.Sqrt(rate*60)
	for _, test := range []struct {
		name string
		set  map[string]string
		want float64
	}{
		{"attempts", map[string]string{"budget.kind": "attempts", "budget.share": "20%"}, 1.25},
		{"originals", map[string]string{"budget.kind": "originals", "budget.share": "20%"}, 1.2},
		{"finagle", map[string]string{"policy": "finagle-default"}, 1.2 + 10.0/rate},
		{"sre", map[string]string{"policy": "sre-client", "throttle.on": "off"}, 1 / 0.9},
		{"rate", map[string]string{"budget.kind": "rate", "budget.refill": "100", "budget.tokens": "100"}, 1.1},
		// Every answer is retryable, so nothing is deposited.
		{"linkerd", map[string]string{"policy": "linkerd-profile"}, 1 + 10.0/rate},
	} {
		s := layers(1, 3, 1)
		s.Length, s.Classes[0].Rate = 100*time.Second, Steady(rate)
		for _, name := range []string{"policy", "budget.kind", "budget.share", "budget.refill", "budget.tokens", "throttle.on"} {
			if value, ok := test.set[name]; ok {
				set(t, &s, "edges.l0>l1."+name, value)
			}
		}
		_, windows := play(t, s, 1)
		got, _ := mean(ratios(windows[39:]))
		if math.Abs(got-test.want) > slack {
			t.Errorf("%s: %v attempts a request, want %v", test.name, got, test.want)
		}
	}
}

// TestEnvoysBudgetIsOnWhatIsActive: with work of a constant time for all, the
// share of concurrent retries is that of all attempts, and 20 % of all are 1.25
// attempts a request.
func TestEnvoysBudgetIsOnWhatIsActive(t *testing.T) {
	s := layers(1, 3, 1)
	s.Classes[0].Rate = Steady(1000)
	set(t, &s, "services.l1.time", "100ms")
	set(t, &s, "edges.l0>l1.policy", "envoy-budget")
	set(t, &s, "edges.l0>l1.backoff.kind", "none")
	_, windows := play(t, s, 1)
	got, _ := mean(ratios(windows[10:]))
	if got > 1.25+5/math.Sqrt(1000*90) || got < 1.2 {
		t.Errorf("%v attempts a request, want 1.25 at most, and little less", got)
	}
}

func set(t testing.TB, s *Scenario, path, value string) {
	t.Helper()
	if err := s.Set(path, value); err != nil {
		t.Fatal(err)
	}
}

// TestBackoffShedsLoadOfClosedLoopsOnly: half of all attempts fail, four are
// permitted. Users who come anyway make 1.875 attempts with and without
// back-off; clients who wait for their answer come less often.
func TestBackoffShedsLoadOfClosedLoopsOnly(t *testing.T) {
	run := func(clients bool, backoff string) (first, ratio []float64) {
		s := layers(1, 4, 0.5)
		if clients {
			s.Classes[0].Rate = Rate{}
			s.Classes[0].Clients, s.Classes[0].Think = 200, draw.Expo(time.Second)
		}
		set(t, &s, "edges.l0>l1.backoff.kind", backoff)
		set(t, &s, "edges.l0>l1.backoff.base", "2s")
		_, windows := play(t, s, 1)
		// The last waits, of 8 s, are over after 14 s.
		windows = windows[20:]
		return each(windows, func(w *Window) float64 { return float64(w.Hops[0].Requests) }), ratios(windows)
	}
	for _, backoff := range []string{"none", "exponential"} {
		_, ratio := run(false, backoff)
		agrees(t, "open loop, back-off "+backoff, ratio, 1.875, 0.05)
	}
	at, _ := run(true, "none")
	with, _ := run(true, "exponential")
	before, _ := mean(at)
	after, _ := mean(with)
	if after > before/2 {
		t.Errorf("first attempts of a closed loop fell from %v/s to %v/s only", before, after)
	}
	if before < 150 || before > 210 {
		t.Errorf("200 clients that think for a second ask %v/s", before)
	}
}

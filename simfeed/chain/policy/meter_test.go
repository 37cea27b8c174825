package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormtop/simfeed/chain/draw"
)

// TestATallyIsASlidingWindow compares with a list of all that was counted.
func TestATallyIsASlidingWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tally Tally
		var counted []int64
		now := int64(0)
		span := int64(1)
		tally.Span(0, 0)
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "act") {
			case 0:
				now += rapid.Int64Range(0, int64(30*time.Second)).Draw(t, "small")
			case 1:
				now += rapid.Int64Range(0, int64(200*time.Second)).Draw(t, "big")
			case 2:
				window := time.Duration(rapid.Int64Range(0, int64(MaxWindow)).Draw(t, "window"))
				tally.Span(now, window)
				span = max(int64(window)/tallyStep, 1)
			default:
				tally.Retry(now)
				counted = append(counted, now/tallyStep)
			}
			tally.Advance(now)
			want := int32(0)
			for _, step := range counted {
				if step > now/tallyStep-span {
					want++
				}
			}
			if tally.Sum.Retries != want || tally.Sum.Originals != 0 {
				t.Fatalf("%d retries in the window, want %d", tally.Sum.Retries, want)
			}
		}
	})
}

// TestBudgetsHoldTheirFormula fills the window with N originals and asks until
// it is refused.
func TestBudgetsHoldTheirFormula(t *testing.T) {
	for _, test := range []struct {
		kind  BudgetKind
		share float64
		n     int
		want  int // the smallest R at which the formula is false
	}{
		{OfAttempts, 0.2, 1000, 250}, {OfAttempts, 0.1, 900, 100}, {OfAttempts, 0.235, 1000, 308}, {OfAttempts, 0.2, 0, 0},
		{OfOriginals, 0.2, 1000, 200}, {OfOriginals, 0.1, 905, 91}, {OfOriginals, 0, 1000, 0},
	} {
		p := New()
		p.Budget.Kind, p.Budget.Share = test.kind, test.share
		m, tally := meter(p)
		for range test.n {
			tally.Original(0)
		}
		got := 0
		for got < 10_000 {
			if _, ok := m.Retry(0, Error, 0, tally); !ok {
				break
			}
			got++
		}
		if got != test.want {
			t.Errorf("%v %v with %d originals: %d retries, want %d", test.kind, test.share, test.n, got, test.want)
		}
		if level := m.Level(0, 0); level != 0 {
			t.Errorf("%v: a spent budget is at %v", test.kind, level)
		}
	}
}

// TestABudgetSeesWhatWasBefore switches one on over retries already counted.
func TestABudgetSeesWhatWasBefore(t *testing.T) {
	p := New()
	m, tally := meter(p)
	for range 100 {
		tally.Original(0)
		if _, ok := m.Retry(0, Error, 0, tally); !ok {
			t.Fatal("no budget refuses")
		}
	}
	p.Budget.Kind, p.Budget.Share = OfAttempts, 0.4
	m.Use(0, p.Budget, []*Tally{tally})
	if _, ok := m.Retry(0, Error, 0, tally); ok {
		t.Error("100 retries to 100 originals are forgotten")
	}
}

func TestARefilledBucketGivesItsRate(t *testing.T) {
	p := New()
	p.Budget.Kind, p.Budget.Tokens, p.Budget.Refill = Refill, 48, 48
	m, tally := meter(p)
	granted := 0
	for ms := range 10_000 {
		if _, ok := m.Retry(int64(ms)*int64(time.Millisecond), Error, 0, tally); ok {
			granted++
		}
	}
	// The full bucket, and 48 a second for 9.999 s, rounded down.
	if granted < 48+478 || granted > 48+480 {
		t.Errorf("%d retries in 10 s, want 48 + 48/s", granted)
	}
}

// TestABudgetOfSecondsLetsFewCallsRetryToTheEnd: 48 tokens are those of nine
// calls with five retries each and of a tenth with three.
func TestABudgetOfSecondsLetsFewCallsRetryToTheEnd(t *testing.T) {
	p := New()
	p.Budget.Kind, p.Budget.Tokens = Seconds, 48
	m, tally := meter(p)
	for second := range int64(3) {
		var granted []int
		for ms := range int64(200) {
			if _, ok := m.Retry(second*int64(time.Second)+ms*int64(time.Millisecond), Error, 0, tally); ok {
				granted = append(granted, 1+int(m.Ahead(4)))
			}
		}
		if want := []int{5, 5, 5, 5, 5, 5, 5, 5, 5, 3}; !slices.Equal(granted, want) {
			t.Errorf("second %d permits %v retries, want %v", second, granted, want)
		}
	}
	last := int64(2_900 * time.Millisecond)
	m.Return(4)
	for range 4 {
		if _, ok := m.Retry(last, Error, 0, tally); !ok {
			t.Error("what was given back is not there")
		}
	}
	if _, ok := m.Retry(last, Error, 0, tally); ok {
		t.Error("a fifth of four is permitted")
	}
	if m.Return(200); m.tokens != 48 {
		t.Errorf("the bucket holds %v, want 48 at most", m.tokens)
	}
}

func TestNoOtherBudgetPermitsAhead(t *testing.T) {
	for _, kind := range budgetKinds[:len(budgetKinds)-1] {
		p := New()
		p.Budget.Kind = kind
		m, _ := meter(p)
		if n := m.Ahead(4); n != 0 {
			t.Errorf("%v permits %d further ones", kind, n)
		}
	}
}

func closedBreaker(b Breaker) *BreakerMeter {
	m := &BreakerMeter{}
	b.On = true
	m.Use(0, b)
	return m
}

func TestABreakerNeedsBothItsConditions(t *testing.T) {
	b := New().Breaker // 20 results, 50 %
	for _, test := range []struct {
		good, bad int
		want      State
	}{{0, 19, Closed}, {0, 20, Open}, {11, 10, Closed}, {10, 10, Open}, {100, 99, Closed}, {100, 100, Open}} {
		m := closedBreaker(b)
		for range test.good {
			m.Record(0, false, false)
		}
		for range test.bad {
			m.Record(0, true, false)
		}
		if got, _ := m.Status(0); got != test.want {
			t.Errorf("%d good, %d bad: %v, want %v", test.good, test.bad, got, test.want)
		}
	}
}

func TestABreakerForgetsWhatLeftItsWindow(t *testing.T) {
	m := closedBreaker(New().Breaker)
	for range 19 {
		m.Record(0, true, false)
	}
	later := int64(11 * time.Second)
	m.Record(later, true, false)
	if s, _ := m.Status(later); s != Closed {
		t.Errorf("%v after one failure in the window", s)
	}
	for range 19 {
		m.Record(later, true, false)
	}
	if s, _ := m.Status(later); s != Open {
		t.Errorf("%v after 20 failures in the window", s)
	}
}

func TestAStrictBreakerOpensAtOneFailedProbe(t *testing.T) {
	from := draw.NewStream(1, draw.Admit, 0)
	b := New().Breaker
	m := closedBreaker(b)
	for range 20 {
		m.Record(0, true, false)
	}
	at := int64(b.Cooldown)
	for range 2 {
		if ok, probe := m.Allow(at, &from); !ok || !probe {
			t.Fatal("no probe after the cool-down")
		}
	}
	m.Record(at, false, true)
	m.Record(at, true, true)
	if s, _ := m.Status(at); s != Open {
		t.Fatalf("%v after a failed probe", s)
	}
	if ok, _ := m.Allow(at+int64(b.Cooldown)-1, &from); ok {
		t.Error("the cool-down did not begin again")
	}
	at += int64(b.Cooldown)
	for range b.Probes {
		if ok, probe := m.Allow(at, &from); !ok || !probe {
			t.Fatal("no probe after the second cool-down")
		}
		m.Record(at, false, true)
	}
	if s, _ := m.Status(at); s != Closed {
		t.Errorf("%v after %d good probes", s, b.Probes)
	}
}

func TestProbesAreSpreadAndForgotten(t *testing.T) {
	from := draw.NewStream(1, draw.Admit, 0)
	b := New().Breaker
	b.Gap, b.Probes, b.Force = 100*time.Millisecond, 12, ForceHalfOpen
	m := &BreakerMeter{}
	m.Use(0, b)
	last, passed := int64(-1), 0
	for now := int64(0); now < int64(5*time.Second); now += int64(time.Millisecond) {
		if ok, _ := m.Allow(now, &from); ok {
			if gap := time.Duration(now - last); last >= 0 && (gap < 50*time.Millisecond || gap > 151*time.Millisecond) {
				t.Errorf("two probes %v apart, want 50 to 150 ms", gap)
			}
			last = now
			passed++
		}
	}
	if passed != 12 {
		t.Errorf("%d probes, want 12", passed)
	}
	m.Forget()
	if ok, _ := m.Allow(int64(10*time.Second), &from); !ok {
		t.Error("a forgotten probe is not made again")
	}
}

// TestARampLetsARisingSharePass counts what passes in each tenth of the ramp:
// n tries of share p deviate by sqrt(p(1-p)/n), five of which are tolerated.
func TestARampLetsARisingSharePass(t *testing.T) {
	from := draw.NewStream(1, draw.Admit, 0)
	b := New().Breaker
	b.Probes, b.Ramp, b.Force = 1, 30*time.Second, ForceHalfOpen
	m := &BreakerMeter{}
	m.Use(0, b)
	m.Allow(0, &from)
	m.Record(0, false, true)
	const n = 10_000
	for tenth := range 10 {
		at := int64(b.Ramp)/10*int64(tenth) + int64(b.Ramp)/20
		want := (float64(tenth) + 0.5) / 10
		passed := 0
		for range n {
			if ok, _ := m.Allow(at, &from); ok {
				passed++
			}
		}
		if got := float64(passed) / n; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/n) {
			t.Errorf("a share of %v passes, want %v", got, want)
		}
		if s, share := m.Status(at); s != Ramping || math.Abs(share-want) > 1e-9 {
			t.Errorf("shows %v at %v, want ramping at %v", s, share, want)
		}
	}
	if ok, _ := m.Allow(int64(b.Ramp), &from); !ok {
		t.Error("something is refused after the ramp")
	}
}

func TestAnOperatorForcesABreaker(t *testing.T) {
	from := draw.NewStream(1, draw.Admit, 0)
	b := New().Breaker
	for force, want := range map[Force]float64{ForceOpen: 0, ForceClosed: 1, ForceShare: 0.3} {
		b.Force, b.Pass = force, 0.3
		m := &BreakerMeter{}
		m.Use(0, b)
		passed := 0
		for range 10_000 {
			if ok, _ := m.Allow(0, &from); ok {
				passed++
			}
		}
		if got := float64(passed) / 10_000; math.Abs(got-want) > 0.025 {
			t.Errorf("forced %v: a share of %v passes, want %v", force, got, want)
		}
		b.Force = NotForced
		m.Use(0, b)
		if acts, _ := m.Acts(); acts {
			t.Errorf("after %v a breaker that is off still acts", force)
		}
	}
}

func TestOutcomesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Outcomes(rapid.Uint8().Draw(t, "set")) & AnyFailed
		got, err := ParseOutcomes(s.String())
		if err != nil || got != s {
			t.Fatalf("%v is written %q and read %v, %v", uint8(s), s, got, err)
		}
	})
	for _, text := range []string{"", "ok", "timeouts", "error,,ok", ","} {
		if s, err := ParseOutcomes(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

func TestBadPoliciesAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Policy){
		"attempts":        func(p *Policy) { p.Attempts = 0 },
		"timeout":         func(p *Policy) { p.Timeout = -1 },
		"budget.share":    func(p *Policy) { p.Budget.Share = math.NaN() },
		"budget.window":   func(p *Policy) { p.Budget.Window = time.Millisecond },
		"breaker.minimum": func(p *Policy) { p.Breaker.Calls = 10 },
		"backoff.bands":   func(p *Policy) { p.Backoff.Growth = Table },
		"backoff.base":    func(p *Policy) { p.Backoff.Growth, p.Backoff.Jitter = Exponential, Decorrelated },
		"backoff.factor":  func(p *Policy) { p.Backoff.Factor = math.Inf(1) },
		"backoff.kind":    func(p *Policy) { p.Backoff.Growth = 99 },
		"pool.size":       func(p *Policy) { p.Pool.Size = 0 },
		"bulkhead":        func(p *Policy) { p.Bulkhead = -2 },
		"throttle.window": func(p *Policy) { p.Throttle.Window = 0 },
	} {
		p := New()
		change(&p)
		if name, text := p.Check(); name != want || text == "" {
			t.Errorf("found %q (%s), want %q", name, text, want)
		}
	}
}

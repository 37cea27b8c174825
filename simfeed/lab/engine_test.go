package lab

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func anyConfig(t *rapid.T) Config {
	c := Config{
		Clients: rapid.IntRange(1, 60).Draw(t, "clients"), Seconds: rapid.IntRange(1, 40).Draw(t, "seconds"),
		Capacity: rapid.IntRange(1, 90).Draw(t, "capacity"), Seed: rapid.Int64().Draw(t, "seed"),
		Retries: rapid.IntRange(0, 8).Draw(t, "retries"), Jitter: Jitter(rapid.IntRange(0, 1).Draw(t, "jitter")),
		Base:             time.Duration(rapid.IntRange(0, 2000).Draw(t, "base")) * time.Millisecond,
		Deadline:         time.Duration(rapid.IntRange(0, 30000).Draw(t, "deadline")) * time.Millisecond,
		BudgetPct:        rapid.SampledFrom([]float64{0, 0.5, 10, 20, 99.9, 100, 300}).Draw(t, "budget"),
		Breaker:          rapid.Bool().Draw(t, "breaker"),
		BreakerThreshold: rapid.IntRange(0, 100).Draw(t, "threshold"),
	}
	c.OutageFrom = rapid.IntRange(0, c.Seconds).Draw(t, "from")
	c.OutageTo = rapid.IntRange(c.OutageFrom, c.Seconds).Draw(t, "to")
	return c
}

func TestNothingIsLostOrInvented(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Strategy{ID: "any", Config: anyConfig(t)}
		r, err := Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Delivered+r.Failed != r.Requests() {
			t.Fatalf("%d delivered + %d failed of %d requests", r.Delivered, r.Failed, r.Requests())
		}
		if sum(r.PerSecond) != r.Attempts || slices.Max(r.PerSecond) != r.PeakQPS {
			t.Fatalf("%d attempts, peak %d, by second %v", r.Attempts, r.PeakQPS, r.PerSecond)
		}
		if r.Attempts > r.Requests()*int64(s.Config.Attempts()) {
			t.Fatalf("%d attempts for %d requests of at most %d", r.Attempts, r.Requests(), s.Config.Attempts())
		}
		if !s.Config.Breaker && (r.BreakerTrips != 0 || r.WronglyRefused != 0) {
			t.Fatalf("%d trips, %d wrongly refused without a breaker", r.BreakerTrips, r.WronglyRefused)
		}
		if (r.P50Ms == nil) != (r.Delivered == 0) {
			t.Fatalf("median %v of %d delivered", r.P50Ms, r.Delivered)
		}
		if r.P50Ms != nil && (*r.P50Ms > *r.P90Ms || *r.P90Ms > *r.P99Ms || *r.P99Ms > 200+s.Config.Deadline.Milliseconds()) {
			t.Fatalf("percentiles %d, %d, %d", *r.P50Ms, *r.P90Ms, *r.P99Ms)
		}
	})
}

func TestSteppedSecondsAreFinalAndAddUpToTheRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig(t)
		want, err := Run(t.Context(), Strategy{ID: "any", Config: c})
		if err != nil {
			t.Fatal(err)
		}
		e, err := NewEngine(c)
		if err != nil {
			t.Fatal(err)
		}
		var delivered, waiting, atLimit, last int64
		for i := 0; ; i++ {
			s, ok := e.Step()
			if !ok {
				break
			}
			if s.Index != i || s.Arrivals() != want.PerSecond[i] {
				t.Fatalf("second %d: index %d, %d arrivals, want %d", i, s.Index, s.Arrivals(), want.PerSecond[i])
			}
			if s.Outage != (i >= c.OutageFrom && i < c.OutageTo) || s.Outage && s.Delivered() > 0 {
				t.Fatalf("second %d: outage %v, %d delivered", i, s.Outage, s.Delivered())
			}
			if s.Waiting < 0 || s.Delivered() > int64(c.Capacity) || s.Rescued() > s.Delivered() || s.Retries() > s.Arrivals() {
				t.Fatalf("second %d: %+v", i, s)
			}
			delivered, waiting, last = delivered+s.Delivered(), s.Waiting, s.Arrivals()
			atLimit += s.AtLimit()
		}
		if delivered != want.Delivered || waiting != 0 {
			t.Fatalf("%d delivered, %d waiting after the last second (%d arrivals), want %d and 0", delivered, waiting, last, want.Delivered)
		}
		if atLimit > want.Requests() {
			t.Fatalf("%d requests at the limit of %d", atLimit, want.Requests())
		}
		if diff := cmp.Diff(want, e.Result("any")); diff != "" {
			t.Fatalf("stepped and whole run differ (-whole +stepped):\n%s", diff)
		}
	})
}

// Two clients, an outage in second 1, backoff of exactly one second: every
// number can be followed by hand.
func TestASmallRunByHand(t *testing.T) {
	e, err := NewEngine(Config{
		Clients: 2, Seconds: 6, Capacity: 3, OutageFrom: 1, OutageTo: 2,
		Retries: 2, Base: time.Second, BudgetPct: 100, Deadline: 30 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	type row struct{ Arrivals, Retries, Delivered, Rescued, AtLimit, Waiting int64 }
	want := []row{
		{2, 0, 2, 0, 0, 0},
		{2, 0, 0, 0, 0, 2}, // the outage: both wait for second 2
		{4, 2, 3, 2, 0, 1}, // both retries are served, the second new client is one too many
		{3, 1, 3, 1, 0, 0},
		{2, 0, 2, 0, 0, 0},
		{2, 0, 2, 0, 0, 0},
	}
	var got []row
	for {
		s, ok := e.Step()
		if !ok {
			break
		}
		got = append(got, row{s.Arrivals(), s.Retries(), s.Delivered(), s.Rescued(), s.AtLimit(), s.Waiting})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWithoutRetriesThereIsNoLimitToReach(t *testing.T) {
	if got := (Second{Attempts: []int64{7}}).AtLimit(); got != 0 {
		t.Errorf("at limit %d, want 0", got)
	}
	if got := (Second{Attempts: []int64{7, 3}}).AtLimit(); got != 3 {
		t.Errorf("at limit %d, want 3", got)
	}
}

func TestAnImpossibleConfigNamesItsField(t *testing.T) {
	for field, change := range map[string]func(*Config){
		"clients":           func(c *Config) { c.Clients = 0 },
		"duration":          func(c *Config) { c.Seconds = MaxSeconds + 1 },
		"capacity":          func(c *Config) { c.Capacity = -1 },
		"outage":            func(c *Config) { c.OutageTo = 61 },
		"retries":           func(c *Config) { c.Retries = 31 },
		"base":              func(c *Config) { c.Base = 1500 * time.Microsecond },
		"jitter":            func(c *Config) { c.Jitter = 9 },
		"budget":            func(c *Config) { c.BudgetPct = -1 },
		"deadline":          func(c *Config) { c.Deadline = 2 * time.Hour },
		"breaker-threshold": func(c *Config) { c.BreakerThreshold = -1 },
	} {
		c := Script()
		change(&c)
		_, err := NewEngine(c)
		var bad *ConfigError
		if !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	c := Script()
	c.Clients = MaxRequests
	if err := c.Validate(); err == nil {
		t.Error("120,000,000,000 requests are accepted")
	}
}

func TestWhatDoesNotExistIsNil(t *testing.T) {
	c := Script()
	c.OutageFrom, c.OutageTo = 0, 60
	r, err := Run(t.Context(), Strategy{ID: "down", Config: c})
	if err != nil {
		t.Fatal(err)
	}
	if r.P99Ms != nil || r.Recovery != nil || r.TripSeconds == nil || r.DeliveredPct != 0 {
		t.Errorf("of a run that is down to its end: %+v", r)
	}
}

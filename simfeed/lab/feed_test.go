package lab

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/simfeed"
)

var noon = time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)

func newFeed(t testing.TB, c FeedConfig) *Feed {
	t.Helper()
	f, err := NewFeed(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// take reads n readings, or all of them when n is negative.
func take(t testing.TB, f *Feed, n int) []*collector.Reading {
	t.Helper()
	var out []*collector.Reading
	for i := 0; n < 0 || i < n; i++ {
		r, err := f.Next(context.Background())
		if errors.Is(err, io.EOF) && n < 0 {
			return out
		}
		if err != nil {
			t.Fatalf("reading %d: %v", i, err)
		}
		out = append(out, r)
	}
	return out
}

func number(t testing.TB, r *collector.Reading, target string, s collector.Signal) float64 {
	t.Helper()
	for _, row := range append([]collector.Row{r.Total}, r.Targets...) {
		if row.Target.Name == target {
			f, ok := row.Values[s].Number()
			if !ok {
				t.Fatalf("%s of %s at %v is %v, want a number", s, target, r.At, row.Values[s].State)
			}
			return f
		}
	}
	t.Fatalf("no target %s at %v", target, r.At)
	return 0
}

func demo(span time.Duration) FeedConfig {
	c := Demo(DefaultSeed)
	c.Start, c.Span = noon, span
	return c
}

func TestThePublishedScriptIsPlayedOnceSecondBySecond(t *testing.T) {
	c, err := Play("S1..S6", DefaultSeed)
	if err != nil {
		t.Fatal(err)
	}
	c.Start = noon
	readings := take(t, newFeed(t, c), -1)
	if len(readings) != 60 {
		t.Fatalf("%d readings, want 60", len(readings))
	}
	for _, s := range Strategies() {
		want, err := Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		delivered, rescued := 0.0, 0.0
		for i, r := range readings {
			if r.Past || !r.At.Equal(noon.Add(time.Duration(i+1)*time.Second)) {
				t.Fatalf("reading %d: at %v, past %v, want a live one %d s after the start", i, r.At, r.Past, i+1)
			}
			if got := number(t, r, "lab/"+s.ID, collector.Downstream); got != float64(want.PerSecond[i]) {
				t.Errorf("%s second %d: %v attempts, want %d", s.ID, i, got, want.PerSecond[i])
			}
			if got := number(t, r, "lab/"+s.ID, collector.Ingress); got != 200 {
				t.Errorf("%s second %d: ingress %v, want 200", s.ID, i, got)
			}
			delivered += number(t, r, "lab/"+s.ID, collector.Successes)
			rescued += number(t, r, "lab/"+s.ID, collector.Rescued)
		}
		if delivered != float64(want.Delivered) || rescued > delivered {
			t.Errorf("%s: %v delivered, %v of them by a retry, want %d", s.ID, delivered, rescued, want.Delivered)
		}
		if got := number(t, readings[59], "lab/"+s.ID, collector.QueueDepth); got != 0 {
			t.Errorf("%s: %v still waiting at the end", s.ID, got)
		}
	}
}

func TestTheDemoStormIsAboveTheThresholdForItsPublishedSeconds(t *testing.T) {
	const threshold, loop = 1.5, 300
	c := demo(0)
	c.Offset = 0
	c.Targets = nil
	for _, id := range []string{"S3", "S4", "S5", "S6"} {
		s, _ := Lookup(id)
		s.Config.Seconds, s.Config.OutageFrom, s.Config.OutageTo = loop, 60, 120
		c.Targets = append(c.Targets, FeedTarget{Name: id, Config: s.Config, Loop: true})
	}
	readings := take(t, newFeed(t, c), loop)
	for second, r := range readings {
		got := number(t, r, "S3", collector.Amplification)
		if storm := second >= 61 && second <= 155; (got > threshold) != storm {
			t.Errorf("S3 second %d: %.3fx, want above %v: %v", second, got, threshold, storm)
		}
	}
	for id, want := range map[string]float64{"S4": 1.42, "S5": 1.37, "S6": 1.00} {
		peak := 0.0
		for _, r := range readings {
			peak = max(peak, number(t, r, id, collector.Amplification))
		}
		if math.Round(peak*100)/100 != want {
			t.Errorf("%s peaks at %.4fx, want %.2fx", id, peak, want)
		}
	}
}

func TestTheFirstPictureHoldsAStormAndTheNextOutageIsNear(t *testing.T) {
	f := newFeed(t, demo(15*time.Minute))
	above, longest := 0, 0
	for i, r := range take(t, f, 900) {
		if !r.Past || !r.At.Equal(noon.Add(time.Duration(i-899)*time.Second)) {
			t.Fatalf("reading %d: at %v, past %v, want a past one, the last of them at the start", i, r.At, r.Past)
		}
		if number(t, r, "demo/payments", collector.Amplification) > 1.5 {
			above++
			longest = max(longest, above)
		} else {
			above = 0
		}
	}
	if longest <= 61 {
		t.Errorf("the longest storm in the past is %d s above the threshold, want more than the minute after which it fires", longest)
	}
	for _, r := range take(t, f, 15) {
		if r.Past {
			t.Fatalf("the reading at %v is past, want live", r.At)
		}
		if number(t, r, "demo/payments", collector.Amplification) > 1.5 {
			return
		}
	}
	t.Error("no storm within 15 s of the start")
}

func TestReadingsAreEverySecondAcrossLoops(t *testing.T) {
	var last time.Time
	for i, r := range take(t, newFeed(t, demo(700*time.Second)), 2000) {
		if i > 0 && r.At.Sub(last) != time.Second {
			t.Fatalf("reading %d is at %v, %v after the one before", i, r.At, r.At.Sub(last))
		}
		last = r.At
		if r.Past != !r.At.After(noon) {
			t.Fatalf("reading at %v: past %v", r.At, r.Past)
		}
		if got := number(t, r, "demo/users", collector.Amplification); got != 1 {
			t.Fatalf("demo/users at %v: %vx, want 1x without an outage", r.At, got)
		}
	}
}

func TestThePastDoesNotDependOnHowMuchOfItIsShown(t *testing.T) {
	long, short := take(t, newFeed(t, demo(1000*time.Second)), 1100), take(t, newFeed(t, demo(77*time.Second)), 177)
	for i, want := range long[1000-77:] {
		if got := short[i]; !got.At.Equal(want.At) || got.Total.Values != want.Total.Values {
			t.Fatalf("at %v: %v, want %v", got.At, got.Total.Values, want.Total.Values)
		}
	}
}

func TestLoopsDifferByTheirSeed(t *testing.T) {
	readings := take(t, newFeed(t, demo(0)), 600)
	same := 0
	for i := 20; i < 60; i++ {
		if number(t, readings[i], "demo/payments", collector.Downstream) == number(t, readings[i+300], "demo/payments", collector.Downstream) {
			same++
		}
	}
	if same > 20 {
		t.Errorf("%d of 40 seconds of two storms are the same", same)
	}
	seen := map[int64]bool{}
	for lap := int64(-1000); lap < 1000; lap++ {
		seen[simfeed.LapSeed(DefaultSeed, lap)] = true
	}
	if len(seen) != 2000 || simfeed.LapSeed(DefaultSeed, 0) != DefaultSeed {
		t.Errorf("%d seeds for 2000 loops, the first %d", len(seen), simfeed.LapSeed(DefaultSeed, 0))
	}
}

func TestReadingsWaitForTheClockWithoutDrift(t *testing.T) {
	start := noon.Add(900 * time.Millisecond)
	for _, speed := range []float64{1, 7, 1000} {
		var due []time.Time
		c := demo(time.Minute)
		c.Start, c.Speed = start, speed
		c.Sleep = func(_ context.Context, until time.Time) error { due = append(due, until); return nil }
		readings := take(t, newFeed(t, c), 60+1000)
		if len(due) != 1000 {
			t.Fatalf("at %vx: waited %d times, want once for each live reading", speed, len(due))
		}
		for i, r := range readings[60:] {
			want := time.Duration(float64(r.At.Sub(start)) / speed)
			if got := due[i].Sub(start); (got - want).Abs() > 1 {
				t.Fatalf("at %vx: the reading at %v is due %v after the start, want %v", speed, r.At, got, want)
			}
		}
		if at := readings[60].At; !at.Equal(noon.Add(time.Second)) {
			t.Errorf("the first live reading is at %v, want the end of the second of the start", at)
		}
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	for _, span := range []time.Duration{0, time.Minute} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := newFeed(t, demo(span)).Next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("with a past of %v: %v, want %v", span, err, context.Canceled)
		}
	}
}

func TestTheTotalIsOfSumsAndHasNoPool(t *testing.T) {
	for _, r := range take(t, newFeed(t, demo(5*time.Minute)), 300) {
		var sums [collector.NumSignals]float64
		for _, row := range r.Targets {
			for _, s := range collector.Inputs() {
				v := row.Values[s]
				if s == collector.PoolWait || s == collector.Arrived || s == collector.Overflow {
					if v.State != collector.Missing {
						t.Fatalf("%s of %s is %v, want missing", s, row.Target.Name, v)
					}
					continue
				}
				if v.Trust != collector.Exact || v.Unit != s.Unit() {
					t.Fatalf("%s of %s: %+v, want it exact in its own unit", s, row.Target.Name, v)
				}
				sums[s] += v.V
			}
		}
		for _, s := range []collector.Signal{collector.Ingress, collector.Downstream, collector.AtLimit, collector.QueueDepth} {
			if got := number(t, r, "total", s); got != sums[s] {
				t.Fatalf("total %s at %v is %v, want %v", s, r.At, got, sums[s])
			}
		}
		want := sums[collector.Downstream] / sums[collector.Ingress]
		if got := number(t, r, "total", collector.Amplification); got != want {
			t.Fatalf("total amplification at %v is %v, want %v", r.At, got, want)
		}
		if r.Total.Values[collector.PoolWait].State != collector.Missing {
			t.Fatalf("total pool wait is %v, want missing", r.Total.Values[collector.PoolWait])
		}
	}
}

func TestTheOriginSaysWhatTheLabHasNot(t *testing.T) {
	c := demo(0)
	c.Speed, c.Baseline = 10, 2
	r := take(t, newFeed(t, c), 1)[0]
	o := r.Origin
	if !o.Simulated || o.Speed != 10 || o.Baselines.Number != 2 || o.Interval != time.Second || o.RateRange != time.Second {
		t.Errorf("origin %+v", o)
	}
	for _, s := range collector.Signals() {
		if o.Systems[0].Explain[s] == "" {
			t.Errorf("%s is not explained", s)
		}
	}
	for signal, words := range map[collector.Signal]string{collector.PoolWait: "no pool", collector.QueueDepth: "waiting for their next attempt"} {
		if !strings.Contains(o.Systems[0].Explain[signal], words) {
			t.Errorf("the explanation of %s, %q, does not say %q", signal, o.Systems[0].Explain[signal], words)
		}
	}
	if got := number(t, r, "demo/users", collector.Amplification); got != 0.5 {
		t.Errorf("amplification over a baseline of 2 is %v, want 0.5", got)
	}
}

func TestTargetsOfDifferentLengthEndOneByOne(t *testing.T) {
	c, err := Play("S1,S2", DefaultSeed)
	if err != nil {
		t.Fatal(err)
	}
	c.Targets[0].Config.Seconds = 30
	readings := take(t, newFeed(t, c), -1)
	if len(readings) != 60 || len(readings[29].Targets) != 2 || len(readings[30].Targets) != 1 {
		t.Errorf("%d readings, want 60, the last 30 with one target", len(readings))
	}
}

func TestABadFeedIsRefusedInOneSentence(t *testing.T) {
	bad := func(change func(*FeedConfig)) FeedConfig { c := demo(0); change(&c); return c }
	for name, test := range map[string]struct {
		config FeedConfig
		want   string
	}{
		"no target":      {bad(func(c *FeedConfig) { c.Targets = nil }), "no target"},
		"no name":        {bad(func(c *FeedConfig) { c.Targets[0].Name = "" }), "without a name"},
		"same name":      {bad(func(c *FeedConfig) { c.Targets[0].Name = c.Targets[1].Name }), "two targets named"},
		"no clients":     {bad(func(c *FeedConfig) { c.Targets[0].Config.Clients = 0 }), "clients is 0"},
		"negative start": {bad(func(c *FeedConfig) { c.Offset = -1 }), "negative"},
	} {
		if _, err := NewFeed(test.config); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q in it", name, err, test.want)
		}
	}
}

func TestStrategiesAreReadFromALists(t *testing.T) {
	for list, want := range map[string]string{
		"S3": "S3", "s3, S1": "S3 S1", "S1..S6": "S1 S2 S3 S4 S5 S6", "S2..S3,breaker-alone": "S2 S3 breaker-alone",
	} {
		got, err := ParseStrategies(list)
		var ids []string
		for _, s := range got {
			ids = append(ids, s.ID)
		}
		if err != nil || strings.Join(ids, " ") != want {
			t.Errorf("%q: %v, %v, want %s", list, ids, err, want)
		}
	}
	for _, list := range []string{"", "S7", "S3,", "S3,S3", "S6..S1", "S1..", "S1..S3,S2"} {
		if got, err := ParseStrategies(list); err == nil {
			t.Errorf("%q: %v, want an error", list, got)
		}
	}
}

func BenchmarkTheDemosPast(b *testing.B) {
	for b.Loop() {
		take(b, newFeed(b, demo(15*time.Minute)), 900)
	}
}

func TestCountersCountTheLiveSecondsAlone(t *testing.T) {
	f := newFeed(t, demo(5*time.Minute))
	before := f.Counters()
	if len(before) != 4 {
		t.Fatalf("%d services from the start, want 4", len(before))
	}
	take(t, f, 300)
	for _, c := range f.Counters() {
		if c.Requests != 0 || c.HasPool || len(c.Attempts) != 6 {
			t.Errorf("after the past was filled in: %+v, want 0 for each of 6 attempt numbers, no pool", c)
		}
	}
	live := take(t, f, 301) // over the end of a loop
	for i, c := range f.Counters() {
		if c.Requests != 301*200 {
			t.Errorf("%s: %d requests, want %d", c.Service, c.Requests, 301*200)
		}
		var attempts uint64
		for _, n := range c.Attempts {
			attempts += n
		}
		want := 0.0
		for _, r := range live {
			want += r.Targets[i].Values[collector.Downstream].V
		}
		if float64(attempts) != want {
			t.Errorf("%s: %d attempts counted, %v in the readings", c.Service, attempts, want)
		}
		if before[i].Requests != 0 {
			t.Errorf("%s: an answer of Counters changed afterwards", c.Service)
		}
	}
}

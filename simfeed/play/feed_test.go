package play

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/scenario"
)

var start = time.Date(2026, 3, 14, 15, 4, 5, 600e6, time.UTC)

// outage is one class over two hops with an outage of 5 s.
const outage = `name: outage
title: a small outage
length: 40s
classes:
  users: {path: sdk > gateway > data, rate: 50/s, even: on}
services:
  sdk:
  gateway: {time: 1ms}
  data: {time: 20ms}
edges:
  sdk>gateway: {attempts: 2, timeout: 1s}
  gateway>data: {attempts: 3, backoff: {kind: fixed, base: 100ms}}
timeline:
  - {at: 20s, for: 5s, set: {services.data.down: on}, note: outage}
actions:
  cut: {title: retries off, set: {edges.gateway>data.attempts: 1}}
`

func parse(t *testing.T, text string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func feed(t *testing.T, c Config) *Feed {
	t.Helper()
	if c.Start.IsZero() {
		c.Start = start
	}
	f, err := NewFeed(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// take reads so many readings.
func take(t *testing.T, f *Feed, n int) []*collector.Reading {
	t.Helper()
	var out []*collector.Reading
	for range n {
		r, err := f.Next(t.Context())
		if err != nil {
			t.Fatalf("after %d readings: %v", len(out), err)
		}
		out = append(out, r)
	}
	return out
}

func number(t *testing.T, r *collector.Reading, target string, s collector.Signal) float64 {
	t.Helper()
	for _, row := range r.Targets {
		if row.Target.Name == target {
			n, ok := row.Values[s].Number()
			if !ok {
				t.Fatalf("%s of %s at %v is %v", s, target, r.At, row.Values[s])
			}
			return n
		}
	}
	t.Fatalf("no target %s at %v", target, r.At)
	return 0
}

func TestAReadingASecondFromStartToEnd(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1, Source: "sim:outage", Span: time.Hour})
	all := take(t, f, 40)
	if _, err := f.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("at its end: %v", err)
	}
	for i, r := range all {
		if want := start.Truncate(time.Second).Add(time.Duration(i+1) * time.Second); !r.At.Equal(want) || r.Past || r.Begins || !r.Origin.Simulated {
			t.Errorf("reading %d is at %v (past %v, begins %v, %+v), want %v", i, r.At, r.Past, r.Begins, r.Origin, want)
		}
		var names []string
		for _, row := range r.Targets {
			names = append(names, row.Target.Kind.String()+" "+row.Target.Name)
			if v := row.Values[collector.Amplification]; v.Trust != collector.Exact && v.State != collector.Missing {
				t.Errorf("amplification of %s has trust %v", row.Target.Name, v.Trust)
			}
		}
		if !slices.Equal(names, []string{"EDGE data", "HOP gateway>data", "HOP sdk>gateway"}) {
			t.Fatalf("targets %q", names)
		}
		if r.Total.Values != r.Targets[0].Values || r.Total.Target.ID != collector.TotalID || r.Total.Target.Kind != collector.Edge {
			t.Errorf("the total is not that of the edge: %+v", r.Total)
		}
	}
	calm, storm := all[10], all[22]
	if a := number(t, calm, "data", collector.Amplification); a != 1 {
		t.Errorf("calm it is %vx", a)
	}
	if a, h := number(t, storm, "data", collector.Amplification), number(t, storm, "gateway>data", collector.Amplification); a < 5.5 || a > 6.5 || h < 2.9 || h > 3.1 {
		t.Errorf("in the storm it is %vx at the edge and %vx at the hop, want 6x and 3x", a, h)
	}
	if n := number(t, storm, "gateway>data", collector.Ingress); n < 90 || n > 110 {
		t.Errorf("the last hop has %v calls/s, want 100", n)
	}
}

func TestTheSameSeedGivesTheSameReadings(t *testing.T) {
	s := parse(t, strings.Replace(outage, "even: on", "even: off", 1))
	a, b, c := feed(t, Config{Scenario: s, Seed: 7}), feed(t, Config{Scenario: s, Seed: 7}), feed(t, Config{Scenario: s, Seed: 8})
	other := false
	for range 40 {
		x, y, z := take(t, a, 1)[0], take(t, b, 1)[0], take(t, c, 1)[0]
		if x.Total.Values != y.Total.Values {
			t.Fatalf("%v and %v", x.Total.Values, y.Total.Values)
		}
		other = other || x.Total.Values != z.Total.Values
	}
	if !other {
		t.Error("another seed gives the same")
	}
}

func TestAScenarioThatLoopsHasAPast(t *testing.T) {
	s := parse(t, outage+"loop: on\n")
	for _, span := range []time.Duration{0, 3 * time.Second, 10 * time.Second, 95 * time.Second} {
		f := feed(t, Config{Scenario: s, Seed: 1, Span: span})
		past := int(span / time.Second)
		if past > 90 {
			past = 90 // two whole laps, and what is before the outage
		}
		for i := range past + 60 {
			r := take(t, f, 1)[0]
			if want := start.Truncate(time.Second).Add(time.Duration(i-past+1) * time.Second); !r.At.Equal(want) || r.Past != (i < past) {
				t.Fatalf("span %v, reading %d: at %v past %v, want %v", span, i, r.At, r.Past, want)
			}
			// Live readings begin 10 s before the outage, in second 10 of a lap of 40.
			second := ((i-past+10)%40 + 400) % 40
			down := second >= 21 && second < 24
			if a := number(t, r, "data", collector.Amplification); down && a < 3 || second < 20 && a > 1.2 {
				t.Errorf("span %v: second %d of a lap has %vx", span, second, a)
			}
			if calm, over := second < 20, r.Overload == collector.Overloaded; down && !over || calm && over {
				t.Errorf("span %v: second %d of a lap, past %v, is overloaded: %v", span, second, r.Past, over)
			}
		}
	}
}

func TestCountersAreTheSumsAndNeverFall(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage+"loop: on\n"), Seed: 1, Span: 30 * time.Second})
	take(t, f, 30)
	before := f.Counters()
	for _, c := range before {
		if c.Requests+c.Attempts[0]+c.AtLimit > 0 {
			t.Errorf("the past was counted: %+v", c)
		}
	}
	if len(before) != 2 || before[0].Service != "gateway>data" || len(before[0].Attempts) != 3 || len(before[1].Attempts) != 2 {
		t.Fatalf("%+v", before)
	}
	var requests, attempts, retries float64
	for i, r := range take(t, f, 100) {
		requests += number(t, r, "gateway>data", collector.Ingress)
		attempts += number(t, r, "gateway>data", collector.Downstream)
		retries += number(t, r, "gateway>data", collector.Retries)
		now := f.Counters()
		for j := range now {
			if now[j].Requests < before[j].Requests || now[j].Attempts[0] < before[j].Attempts[0] || now[j].AtLimit < before[j].AtLimit {
				t.Errorf("counters fell in second %d: %+v, then %+v", i, before[j], now[j])
			}
		}
		before = now
	}
	c := before[0]
	if float64(c.Requests) != requests || float64(c.Attempts[0]+c.Attempts[1]+c.Attempts[2]) != attempts || float64(c.Attempts[1]+c.Attempts[2]) != retries {
		t.Errorf("%+v, want %v requests, %v attempts, %v retries", c, requests, attempts, retries)
	}
}

func TestEveryScenarioCanBeWatched(t *testing.T) {
	for _, name := range scenario.Names() {
		if name == "payment-1945" {
			name += ":tenth"
		}
		s, err := scenario.Named(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := feed(t, Config{Scenario: s, Seed: 1, Span: 10 * time.Second})
		seen := map[string]bool{}
		for _, r := range take(t, f, 15) {
			clear(seen)
			for _, row := range r.Targets {
				if seen[row.Target.ID] || row.Target.Name == "" {
					t.Errorf("%s: target %q is there twice or has no name", name, row.Target.Name)
				}
				seen[row.Target.ID] = true
			}
			if !slices.IsSortedFunc(r.Targets, func(a, b collector.Row) int { return strings.Compare(a.Target.Name, b.Target.Name) }) {
				t.Errorf("%s: the targets are not sorted", name)
			}
		}
		if rig := f.Rig(); rig == nil || len(rig.Services) == 0 || rig.Scenario != s.FullName() {
			t.Errorf("%s: rig %+v", name, rig)
		}
		if len(f.Counters()) == 0 {
			t.Errorf("%s has no counters", name)
		}
	}
}

func TestWhatIsBlindIsNeverGreen(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage+"blind: [{from: 22s, to: 30s}]\n"), Seed: 1})
	for i, r := range take(t, f, 40) {
		if blind := i >= 22 && i < 30; r.Blind() != blind || r.Empty() != blind {
			t.Errorf("second %d is blind: %v, empty: %v", i, r.Blind(), r.Empty())
		}
	}
}

func TestTheBaselineIsTheScenariosUnlessGiven(t *testing.T) {
	s := parse(t, strings.Replace(outage, "{attempts: 3,", "{calls: 2, attempts: 3,", 1)+"baseline: 2\n")
	for given, want := range map[float64]float64{0: 1, 1: 2} {
		r := take(t, feed(t, Config{Scenario: s, Seed: 1, Baseline: given}), 5)[4]
		if a := number(t, r, "data", collector.Amplification); a != want {
			t.Errorf("with the baseline %v it is %vx, want %vx", given, a, want)
		}
	}
}

// clock is a clock that only moves when somebody sleeps.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, until time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until.After(c.now) {
		c.now = until
	}
	return ctx.Err()
}

func TestItKeepsThePaceOfItsClock(t *testing.T) {
	c := &clock{now: start}
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1, Speed: 10, Sleep: c.Sleep, Now: c.Now})
	begin := start.Truncate(time.Second)
	take(t, f, 10)
	// Virtual time began at the last whole second before the start.
	if got, want := c.Now(), start.Add(begin.Add(10*time.Second).Sub(start)/10); !got.Equal(want) {
		t.Errorf("10 s at 10x end at %v, want %v", got, want)
	}
	f.SetSpeed(1)
	at := c.Now()
	r := take(t, f, 5)
	if got := c.Now().Sub(at); got != 5*time.Second || r[4].Origin.Speed != 1 {
		t.Errorf("5 s at 1x took %v, speed %v", got, r[4].Origin.Speed)
	}
	// What is late by more than a second is not made up for.
	c.mu.Lock()
	c.now = c.now.Add(time.Minute)
	c.mu.Unlock()
	late := c.Now()
	take(t, f, 3)
	if got := c.Now().Sub(late); got != 2*time.Second {
		t.Errorf("after a minute's delay 3 s took %v, want 2 s: the first one is due at once", got)
	}
}

func TestAnotherSpeedWakesASleeper(t *testing.T) {
	var f *Feed
	naps := 0
	sleep := func(ctx context.Context, until time.Time) error {
		if naps++; naps == 1 {
			f.SetSpeed(1000)
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
	f = feed(t, Config{Scenario: parse(t, outage), Seed: 1, Speed: 1, Sleep: sleep})
	if r := take(t, f, 1)[0]; naps != 2 || r.Origin.Speed != 1000 {
		t.Errorf("%d naps, speed %v", naps, r.Origin.Speed)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
}

package play

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/scenario"
)

func lever(t *testing.T, f *Feed, row string, layer int) collector.Lever {
	t.Helper()
	rig := f.Rig()
	i := slices.IndexFunc(rig.Levers, func(l collector.Lever) bool { return l.Row == row && l.Layer == layer })
	if i < 0 {
		t.Fatalf("no lever %s at layer %d: %+v", row, layer, rig.Levers)
	}
	return rig.Levers[i]
}

func TestALeverActsFromTheNextSecondOn(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 22)
	l := lever(t, f, "attempts", 1)
	if l.Value != "3" || l.Less != "2" || l.More != "4" || l.Field != "edges.gateway>data.attempts" {
		t.Fatalf("%+v", l)
	}
	if err := f.Turn(l.Field, "1"); err != nil {
		t.Fatal(err)
	}
	r := take(t, f, 2)[1]
	if a := number(t, r, "gateway>data", collector.Amplification); a != 1 {
		t.Errorf("with one attempt the hop has %vx", a)
	}
	rig := f.Rig()
	if l := lever(t, f, "attempts", 1); l.Value != "1" || l.Less != "" {
		t.Errorf("%+v", l)
	}
	if rig.Effect == nil || !strings.Contains(rig.Effect.Text, "attempts at gateway>data: 3 → 1") || rig.Effect.Ago != 2*time.Second {
		t.Fatalf("effect %+v", rig.Effect)
	}
	take(t, f, 15)
	e := f.Rig().Effect
	for _, fig := range e.Figures {
		if fig.Name == "amplification" && (fig.Later.State == collector.Missing || fig.Before.V < 1) {
			t.Errorf("%+v", fig)
		}
	}
}

func TestWhatCannotBeIsRefusedWithTheReason(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 1)
	for _, test := range []struct{ field, value, want string }{
		{"edges.gateway>data.attempts", "0", "whole number from 1"},
		{"edges.gateway>dta.attempts", "1", "there is no edge"},
		{"length", "10s", "cannot change during a run"},
		{"services.data.time", "fast", "no duration"},
	} {
		if err := f.Turn(test.field, test.value); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%s: %v, want %s", test.field, test.value, err, test.want)
		}
	}
	if err := f.Do("ct"); err == nil || !strings.Contains(err.Error(), "there are cut") {
		t.Errorf("%v", err)
	}
	take(t, f, 1)
	if l := lever(t, f, "attempts", 1); l.Value != "3" {
		t.Errorf("%+v", l)
	}
}

func TestFaultsAndRepairsAreOneKey(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 1)
	kinds := map[collector.FaultKind]collector.Fault{}
	for _, fault := range f.Rig().Faults {
		kinds[fault.Kind] = fault
	}
	for _, kind := range []collector.FaultKind{collector.Outage, collector.Delay, collector.Growth} {
		fault, ok := kinds[kind]
		if !ok || fault.Is {
			t.Fatalf("fault %v: %+v", kind, fault)
		}
		if err := f.Turn(fault.Field, fault.On); err != nil {
			t.Fatal(err)
		}
	}
	r := take(t, f, 2)[1]
	for _, fault := range f.Rig().Faults {
		if !fault.Is {
			t.Errorf("%+v is off", fault)
		}
	}
	if n := number(t, r, "data", collector.Ingress); n != 100 {
		t.Errorf("twice the load is %v/s", n)
	}
	if err := f.Do("cut"); err != nil {
		t.Fatal(err)
	}
	take(t, f, 1)
	if repairs := f.Rig().Repairs; len(repairs) != 1 || !repairs[0].Done || repairs[0].Title != "retries off" {
		t.Errorf("%+v", repairs)
	}
	if l := lever(t, f, "attempts", 1); l.Value != "1" {
		t.Errorf("after the repair: %+v", l)
	}
}

func TestARestartBeginsAnew(t *testing.T) {
	s := parse(t, strings.Replace(outage, "even: on", "even: off", 1))
	f := feed(t, Config{Scenario: s, Seed: 1})
	var ends []bool
	f.Hold(func(on bool) {
		ends = append(ends, on)
		if on { // somebody changes a lever at once, which is forgotten, and begins again
			f.Restart(2)
			if err := f.Turn("edges.gateway>data.attempts", "1"); err != nil {
				t.Error(err)
			}
			f.Restart(1)
		}
	})
	first := take(t, f, 40)
	again := take(t, f, 40)
	if !again[0].Begins || again[1].Begins || !again[0].At.After(first[39].At) {
		t.Errorf("begins %v and %v, at %v after %v", again[0].Begins, again[1].Begins, again[0].At, first[39].At)
	}
	for i := range first {
		if first[i].Total.Values != again[i].Total.Values {
			t.Fatalf("second %d differs with the same seed: %v, %v", i, first[i].Total.Values, again[i].Total.Values)
		}
	}
	if !slices.Equal(ends, []bool{true, false}) || f.Rig().Seed != 1 {
		t.Errorf("held %v, seed %d", ends, f.Rig().Seed)
	}
	f.Restart(2)
	if other := take(t, f, 40); other[10].Total.Values == first[10].Total.Values && other[11].Total.Values == first[11].Total.Values {
		t.Error("another seed gives the same")
	}
}

func TestTheNextLapIsAsItWasLeft(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage+"loop: on\n"), Seed: 1})
	take(t, f, 1)
	for _, value := range []string{"2", "1"} {
		if err := f.Turn("edges.gateway>data.attempts", value); err != nil {
			t.Fatal(err)
		}
	}
	take(t, f, 40)
	if l := lever(t, f, "attempts", 1); l.Value != "1" {
		t.Errorf("%+v", l)
	}
	if at := f.Rig().At; at != 11*time.Second {
		t.Errorf("it is %v into the lap", at)
	}
}

func TestABackoffThatIsSwitchedOnWaits(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 1)
	if l := lever(t, f, "backoff", 0); l.Value != "none" || l.More != "fixed" {
		t.Fatalf("%+v", l)
	}
	if err := f.Turn("edges.sdk>gateway.backoff.kind", "exponential"); err != nil {
		t.Fatal(err)
	}
	take(t, f, 1)
	if l := lever(t, f, "backoff", 0); l.Value != "exponential 100ms" || l.Less != "fixed" {
		t.Errorf("%+v", l)
	}
}

func TestThePictureAddsUp(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	down := 0.0
	for _, r := range take(t, f, 23)[23-averaged:] {
		down += number(t, r, "data", collector.Downstream)
	}
	rig := f.Rig()
	if !slices.Equal(rig.Layers, []string{"sdk", "gateway"}) || len(rig.Hops) != 2 || len(rig.Services) != 3 || rig.Worst != 6 {
		t.Fatalf("%+v", rig)
	}
	product := rig.Hops[0].Gain * rig.Hops[1].Gain
	if math.Abs(product-rig.Measured) > 0.15*product {
		t.Errorf("%v x %v is not %v", rig.Hops[0].Gain, rig.Hops[1].Gain, rig.Measured)
	}
	last := rig.Hops[1]
	if want := down / averaged * (1 - 1/last.Gain); math.Abs(last.Saves-want) > 1e-6 || last.Policy != "3 attempts" || len(rig.Levers) != 14 {
		t.Errorf("%+v, %d levers", last, len(rig.Levers))
	}
	// Three of the ten seconds are of the outage, and fewer answers come in it.
	if c := rig.Classes[0]; c.Ingress != 50 || !(c.Delivered > 0.7 && c.Delivered < 0.8) {
		t.Errorf("%+v", rig.Classes[0])
	}
}

// TestEveryLeverOfEveryScenarioCanBePulled both ways.
func TestEveryLeverOfEveryScenarioCanBePulled(t *testing.T) {
	for _, name := range scenario.Names() {
		if name == "payment-1945" {
			name += ":tenth"
		}
		s, err := scenario.Named(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := feed(t, Config{Scenario: s, Seed: 1})
		take(t, f, 1)
		for _, l := range f.Rig().Levers {
			for _, value := range []string{l.Less, l.More} {
				if value == "" {
					continue
				}
				if err := f.Turn(l.Field, value); err != nil {
					t.Errorf("%s: %s=%s: %v", name, l.Field, value, err)
				}
			}
		}
		for _, fault := range f.Rig().Faults {
			for _, value := range []string{fault.On, fault.Off} {
				if err := f.Turn(fault.Field, value); err != nil {
					t.Errorf("%s: %s=%s: %v", name, fault.Field, value, err)
				}
			}
		}
		for _, repair := range f.Rig().Repairs {
			if err := f.Do(repair.Name); err != nil {
				t.Errorf("%s: %s: %v", name, repair.Name, err)
			}
		}
		take(t, f, 2)
	}
}

// TestItMayBeSteeredFromAnyGoroutine is for the race detector.
func TestItMayBeSteeredFromAnyGoroutine(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage+"loop: on\n"), Seed: 1, Span: 5 * time.Second})
	var hands sync.WaitGroup
	for n := range 4 {
		hands.Go(func() {
			for i := range 50 {
				switch (i + n) % 5 {
				case 0:
					if err := f.Turn("edges.gateway>data.attempts", []string{"1", "2", "3"}[i%3]); err != nil {
						t.Error(err)
					}
				case 1:
					if err := f.Do("cut"); err != nil {
						t.Error(err)
					}
				case 2:
					f.SetSpeed(float64(1 + i))
				case 3:
					f.Counters()
					f.Rig()
				case 4:
					f.Restart(int64(i))
				}
			}
		})
	}
	take(t, f, 100)
	hands.Wait()
	take(t, f, 2)
}

package play

import (
	"math"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/scenario"
)

// TestNoGainIsAboveWhatIsPermitted in a storm that has settled, where a second's
// attempts are of the calls of other seconds.
func TestNoGainIsAboveWhatIsPermitted(t *testing.T) {
	s, err := scenario.Named("payment-1945:tenth", nil)
	if err != nil {
		t.Fatal(err)
	}
	f := feed(t, Config{Scenario: s, Seed: 1})
	take(t, f, 150)
	changed, was := 0, ""
	for range 60 {
		take(t, f, 1)
		rig := f.Rig()
		for _, h := range rig.Hops {
			if h.Gain > 1.05*float64(h.Permitted) {
				t.Errorf("at %v %s>%s has a gain of %v with %d attempts permitted", rig.At, h.From, h.To, h.Gain, h.Permitted)
			}
		}
		if rig.Measured > 1.02*rig.Worst {
			t.Errorf("at %v it is %vx, the worst case %vx", rig.At, rig.Measured, rig.Worst)
		}
		i, ok := rig.Cut()
		if !ok {
			t.Fatalf("nothing to cut at %v", rig.At)
		}
		if name := rig.Hops[i].From; name != was {
			changed, was = changed+1, name
		}
	}
	if changed > 2 {
		t.Errorf("the hop to cut first changed %d times in a minute", changed)
	}
}

// second is a window of the class users over two hops, with what they sent.
func second(a, b int64) *chain.Window {
	return &chain.Window{
		End:      time.Second,
		Classes:  []chain.ClassWindow{{Class: "users", Requests: 100, Delivered: 60, Failed: 20}},
		Services: []chain.ServiceWindow{{Service: "edge"}, {Service: "middle"}, {Service: "end"}},
		Nodes:    []chain.NodeWindow{{Class: "users", Service: "edge"}, {Class: "users", Service: "middle"}, {Class: "users", Service: "end"}},
		Hops: []chain.HopWindow{
			{Class: "users", From: "edge", To: "middle", Requests: 100, Attempts: a},
			{Class: "users", From: "middle", To: "end", Requests: 100, Attempts: b},
		},
	}
}

// twoHops is a scenario of them, and its picture without what flows.
func twoHops(t *testing.T) (*chain.Scenario, *collector.Rig) {
	t.Helper()
	s := parse(t, strings.NewReplacer("sdk", "edge", "gateway", "middle", "data", "end").Replace(outage))
	return &s.Scenario, &collector.Rig{Hops: []collector.RigHop{{From: "edge", To: "middle", FanOut: 1}, {From: "middle", To: "end", FanOut: 1}}}
}

func TestTheHopToCutStaysUntilAnotherSavesClearlyMore(t *testing.T) {
	for _, test := range []struct {
		name   string
		course [][2]int64
		want   int
	}{
		{"the first", [][2]int64{{300, 200}}, 0},
		{"a little more is not enough", [][2]int64{{300, 290}, {300, 320}}, 0},
		{"clearly more", [][2]int64{{200, 150}, {200, 300}}, 1},
		{"the other one ends", [][2]int64{{300, 200}, {100, 200}}, 1},
	} {
		var f flows
		var rig *collector.Rig
		for _, s := range test.course {
			var now *chain.Scenario
			now, rig = twoHops(t)
			f.recent = []*chain.Window{second(s[0], s[1])}
			f.put(rig, now)
		}
		if i, ok := rig.Cut(); !ok || i != test.want {
			t.Errorf("%s: cuts %d, want %d: %+v", test.name, i, test.want, rig.Hops)
		}
	}
	for name, calm := range map[string]*chain.Window{"without retries": second(100, 100), "with hardly any": second(100, 101)} {
		if calm.Hops[1].Requests = 1000; name == "with hardly any" {
			calm.Classes[0].Requests, calm.Hops[0].Requests, calm.Hops[0].Attempts, calm.Hops[1].Attempts = 1000, 1000, 1000, 1005
		}
		var f flows
		f.recent = []*chain.Window{calm}
		now, rig := twoHops(t)
		if f.put(rig, now); rig.Hops[0].First || rig.Hops[1].First {
			t.Errorf("%s there is something to cut: %+v", name, rig.Hops)
		}
	}
}

// TestTheNumbersOfAPictureAreOfOneTime: whatever is divided on the screen gives the
// ratio beside it.
func TestTheNumbersOfAPictureAreOfOneTime(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	for range 40 {
		take(t, f, 1)
		rig := f.Rig()
		last := rig.Hops[len(rig.Hops)-1]
		if want := last.Attempts / rig.Ingress; math.Abs(rig.Measured-want) > 1e-9*want {
			t.Errorf("at %v: %v/s of %v/s are %v, not %v", rig.At, last.Attempts, rig.Ingress, want, rig.Measured)
		}
		for _, h := range rig.Hops {
			sum := 0.0
			for _, n := range h.ByAttempt {
				sum += n
			}
			if math.Abs(h.Gain*h.Requests-h.Attempts) > 1e-9*h.Attempts || math.Abs(sum-h.Attempts) > 1e-9*h.Attempts {
				t.Errorf("at %v: %v calls/s, %v attempts/s (%v by number), gain %v", rig.At, h.Requests, h.Attempts, sum, h.Gain)
			}
		}
		if want := min(rig.At, averaged*time.Second); rig.Mean != want {
			t.Errorf("at %v the means are said to be of %v", rig.At, rig.Mean)
		}
	}
}

// TestABudgetBoundsWhatARunReaches, by each kind that has a bound, in an outage in
// which every call would use all its attempts.
func TestABudgetBoundsWhatARunReaches(t *testing.T) {
	for _, kind := range []string{"attempts", "originals", "finagle", "linkerd", "rate", "seconds"} {
		f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
		take(t, f, 1)
		for _, change := range [][2]string{
			{"edges.*.budget.kind", kind}, {"edges.*.budget.share", "20%"}, {"edges.*.budget.min", "2"},
			{"edges.*.budget.refill", "5"}, {"edges.*.budget.tokens", "5"}, {"edges.*.budget.window", "2s"}, {"services.data.down", "on"},
		} {
			if err := f.Turn(change[0], change[1]); err != nil {
				t.Fatal(kind, err)
			}
		}
		take(t, f, 30)
		rig := f.Rig()
		if !(rig.Bound < rig.Worst) {
			t.Errorf("%s: bound %v, worst case %v", kind, rig.Bound, rig.Worst)
		}
		for _, h := range rig.Hops {
			if h.Formula == "" || strings.Contains(h.Formula, "share") || kind != "rate" && kind != "seconds" && !strings.Contains(h.Formula, "20%") {
				t.Errorf("%s: formula %q", kind, h.Formula)
			}
		}
		if rig.Measured > 1.1*rig.Bound {
			t.Errorf("%s: measured %v above the bound of %v", kind, rig.Measured, rig.Bound)
		}
	}
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 1)
	if rig := f.Rig(); rig.Bound != rig.Worst {
		t.Errorf("without budgets: bound %v, worst case %v", rig.Bound, rig.Worst)
	}
}

func TestAFanOutIsNoRetry(t *testing.T) {
	s, err := scenario.Named("fan-out", nil)
	if err != nil {
		t.Fatal(err)
	}
	f := feed(t, Config{Scenario: s, Seed: 1})
	take(t, f, 12)
	rig := f.Rig()
	h := rig.Hops[0]
	if h.FanOut != 3.63 || math.Abs(h.Gain-1) > 0.01 || math.Abs(rig.Measured-3.63) > 0.1 || math.Abs(rig.Product()-rig.Measured) > 0.1 {
		t.Errorf("fan-out %v, gain %v, measured %v, product %v", h.FanOut, h.Gain, rig.Measured, rig.Product())
	}
	if want := 3.63 * 3; math.Abs(rig.Worst-want) > 1e-9 || math.Abs(rig.Ingress-1240) > 60 {
		t.Errorf("worst case %v, ingress %v", rig.Worst, rig.Ingress)
	}
	if err := f.Turn("edges.app>database.attempts", "2"); err != nil {
		t.Fatal(err)
	}
	take(t, f, 2)
	if a := f.Rig().Effect.Figures[0]; a.Name != "amplification" || math.Abs(a.Now.V-1) > 0.05 {
		t.Errorf("what a change did is told of another ratio than the verdict's: %+v", a)
	}
}

package play

import (
	"strconv"
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/scenario"
)

func TestAPoolOfItsOwnIsABulkhead(t *testing.T) {
	s, err := scenario.Named("payment-1945:tenth", nil)
	if err != nil {
		t.Fatal(err)
	}
	f := feed(t, Config{Scenario: s, Seed: 1})
	take(t, f, 2)
	if l := lever(t, f, "bulkhead", 1); l.Value != "none" {
		t.Fatalf("before the repair: %+v", l)
	}
	if err := f.Do("bulkhead"); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"at once", "a second later"} {
		if l := lever(t, f, "bulkhead", 1); l.Value != "own 600" || l.Less != "500" || l.More != "1000" || l.Field != "services.order[payments].workers" {
			t.Errorf("%s: %+v", when, l)
		}
		if l := lever(t, f, "bulkhead", 0); l.Value != "none" {
			t.Errorf("%s, at another layer: %+v", when, l)
		}
		take(t, f, 1)
	}
	for _, want := range []string{"own 1,000", "own 2,000", "none"} {
		turnUp(t, f, "bulkhead", 1)
		take(t, f, 1)
		if l := lever(t, f, "bulkhead", 1); l.Value != want {
			t.Errorf("%+v, want %s", l, want)
		}
	}
	if err := f.Turn("edges.order>payment.bulkhead", "200"); err != nil {
		t.Fatal(err)
	}
	if err := f.Turn("services.order[payments].workers", "50"); err != nil {
		t.Fatal(err)
	}
	if l := lever(t, f, "bulkhead", 1); l.Value != "own 50, 200" {
		t.Errorf("with a limit at the hop too: %+v", l)
	}
}

// TestTheFirstStepOfABulkheadDoesSomething: from no limit at all it leads below what
// is in flight, at every scale, and from a limit each step down is one below it.
func TestTheFirstStepOfABulkheadDoesSomething(t *testing.T) {
	for inFlight, want := range map[int]string{0: "10", 5: "10", 40: "20", 200: "100", 12_060: "10000", 1_000_000: "50000"} {
		l := bulkhead("x", chain.Unlimited, inFlight)
		if l.Value != "none" || l.Less != want || l.More != "" {
			t.Errorf("with %d in flight: %+v", inFlight, l)
		}
		for n := 0; l.Less != ""; n++ {
			limit, err := strconv.Atoi(l.Less)
			if err != nil || n > len(bulkheads) || l.StepDown() != collector.FormatCount(float64(limit)) {
				t.Fatalf("%+v: %v", l, err)
			}
			before := l
			l = bulkhead("x", limit, inFlight)
			if l.Value != before.StepDown() || l.More == "" || l.MoreWord == "unlimited" {
				t.Errorf("after %+v: %+v", before, l)
			}
		}
	}
}

// TestAChangeIsToldInTheWordsOfTheLevers: by every lever, no name of a field.
func TestAChangeIsToldInTheWordsOfTheLevers(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 3)
	for _, l := range f.Rig().Levers {
		to := l.More
		if to == "" {
			to = l.Less
		}
		if err := f.Turn(l.Field, to); err != nil {
			t.Fatalf("%+v: %v", l, err)
		}
		take(t, f, 1)
		e := f.Rig().Effect
		if e == nil || !strings.HasPrefix(e.Text, l.Row+" at ") || strings.Contains(e.Text, "unlimited") {
			t.Errorf("%s: %+v", l.Field, e)
		}
	}
}

// TestAFaultByKeyIsToldByItsTitle when it is switched on, and off again.
func TestAFaultByKeyIsToldByItsTitle(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 1)
	for _, fault := range f.Rig().Faults {
		for _, turn := range []struct{ value, word string }{{fault.On, "on"}, {fault.Off, "off"}} {
			if err := f.Turn(fault.Field, turn.value); err != nil {
				t.Fatal(err)
			}
			take(t, f, together+1)
			if e := f.Rig().Effect; e == nil || e.Text != fault.Title+": "+turn.word {
				t.Errorf("%+v turned %s: %+v", fault, turn.word, e)
			}
		}
	}
}

func TestAValueIsSaidAsTheLeversSayIt(t *testing.T) {
	for value, want := range map[string]string{"unlimited": "none", "none": "none", "6000": "6,000", "3": "3", "1.2s": "1.2s", "23.5%": "23.5%", "": ""} {
		if got := valueWords(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

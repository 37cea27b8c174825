package play

import (
	"testing"

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
	for _, want := range []string{"own 1000", "own 2000", "none"} {
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

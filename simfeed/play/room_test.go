package play

import (
	"math"
	"testing"

	"stormtop/collector"
	"stormtop/simfeed/scenario"
)

// TestTheRoomOfTheBuiltInScenarios compares with what their files say: capacity,
// organic load, and the attempts that are permitted.
func TestTheRoomOfTheBuiltInScenarios(t *testing.T) {
	for _, test := range []struct {
		name           string
		turn           [2]string
		organic, limit float64 // a second
		most           float64
		alive          bool // a storm can keep itself alive
	}{
		{"metastable-10s", [2]string{}, 620, 1650, 5, true},
		{"metastable-10s", [2]string{"edges.sdk>primary.attempts", "2"}, 620, 1650, 2, false},
		{"sixty-seconds", [2]string{}, 200, 240, 6, true},
		{"sixty-seconds", [2]string{"edges.clients>payments.budget.kind", "originals"}, 200, 240, 1.2, false},
		{"sixty-seconds", [2]string{"edges.clients>payments.breaker.force", "open"}, 200, 240, 1, false},
		{"slow-burn", [2]string{}, 10_100, 10_000, 100, true},
		{"payment-1945:tenth", [2]string{}, 0, 0, 0, false}, // the channel has no limit
	} {
		s, err := scenario.Named(test.name, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := feed(t, Config{Scenario: s, Seed: 1})
		take(t, f, 2)
		if test.turn[0] != "" {
			if err := f.Turn(test.turn[0], test.turn[1]); err != nil {
				t.Fatal(err)
			}
			take(t, f, 2)
		}
		near := func(got, want float64) bool { return math.Abs(got-want) <= 0.01*want }
		r := f.Rig().Room
		if test.limit == 0 {
			if r != (collector.RigRoom{}) {
				t.Errorf("%s: %+v of a service without a limit", test.name, r)
			}
			continue
		}
		if !near(r.Organic, test.organic) || !near(r.Capacity, test.limit) || !near(r.Most, test.most) || !near(r.Hidden, test.limit/test.most) {
			t.Errorf("%s %v: %+v, want %v organic, %v / %v", test.name, test.turn, r, test.organic, test.limit, test.most)
		}
		if alive := r.Margin() < 1; alive != test.alive {
			t.Errorf("%s %v: margin %v", test.name, test.turn, r.Margin())
		}
	}
}

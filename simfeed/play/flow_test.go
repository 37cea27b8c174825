package play

import (
	"testing"

	"stormtop/collector"
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

func TestTheHopToCutStaysUntilAnotherSavesClearlyMore(t *testing.T) {
	step := func(a, b int64) flow {
		return flow{calls: []int64{100, 100}, attempts: []int64{a, b}, ingress: 100, down: 600}
	}
	for _, test := range []struct {
		name   string
		course []flow
		want   int
	}{
		{"the first", []flow{step(300, 200)}, 0},
		{"a little more is not enough", []flow{step(300, 290), step(300, 320)}, 0},
		{"clearly more", []flow{step(200, 150), step(200, 300)}, 1},
		{"the other one ends", []flow{step(300, 200), step(100, 200)}, 1},
	} {
		var f flows
		var rig *collector.Rig
		for _, s := range test.course {
			f.recent = []flow{s}
			rig = &collector.Rig{Hops: make([]collector.RigHop, 2)}
			f.put(rig)
		}
		if i, ok := rig.Cut(); !ok || i != test.want {
			t.Errorf("%s: cuts %d, want %d: %+v", test.name, i, test.want, rig.Hops)
		}
	}
	var f flows
	f.recent = []flow{step(100, 100)}
	rig := &collector.Rig{Hops: make([]collector.RigHop, 2)}
	if f.put(rig); rig.Hops[0].First || rig.Hops[1].First {
		t.Errorf("without retries there is something to cut: %+v", rig.Hops)
	}
}

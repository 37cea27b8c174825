package collector

import (
	"math"
	"testing"
)

func TestTheProductOfTheGains(t *testing.T) {
	nan := math.NaN()
	for name, test := range map[string]struct {
		gains []float64
		out   float64 // fan-out of the first hop
		want  float64
	}{
		"three layers":      {[]float64{3, 2, 1.5}, 1, 9},
		"one":               {[]float64{1.02}, 1, 1.02},
		"a fan-out":         {[]float64{1, 2}, 3.5, 7},
		"a breaker is open": {[]float64{3, 0}, 1, 0},
		"not known":         {[]float64{3, nan, 3}, 1, nan},
		"no hops":           {nil, 1, nan},
	} {
		var r Rig
		for _, g := range test.gains {
			r.Hops = append(r.Hops, RigHop{Gain: g, FanOut: 1})
		}
		if len(r.Hops) > 0 {
			r.Hops[0].FanOut = test.out
		}
		if got := r.FanOut(); got != test.out {
			t.Errorf("%s: a fan-out of %v, want %v", name, got, test.out)
		}
		if got := r.Product(); got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestTheHopToCutIsTheOneThatSavesMost(t *testing.T) {
	for name, test := range map[string]struct {
		saves []float64
		want  int
		ok    bool
	}{
		"the last":           {[]float64{10, 20, 30}, 2, true},
		"the first of equal": {[]float64{30, 30, 20}, 0, true},
		"one is not known":   {[]float64{math.NaN(), 5, 1}, 1, true},
		"calm":               {[]float64{0, 0}, 0, false},
		"nothing known":      {[]float64{math.NaN()}, 0, false},
		"no hops":            {nil, 0, false},
	} {
		var r Rig
		for _, s := range test.saves {
			r.Hops = append(r.Hops, RigHop{Saves: s})
		}
		if i, ok := r.Cut(); i != test.want || ok != test.ok {
			t.Errorf("%s: %d %t, want %d %t", name, i, ok, test.want, test.ok)
		}
	}
}

func TestTheNextRepairIsNeitherDoneNorWrong(t *testing.T) {
	r := Rig{Repairs: []Repair{{Wrong: true}, {Done: true}, {Name: "drain"}, {Name: "half-open"}}}
	if i, ok := r.NextRepair(); i != 2 || !ok {
		t.Errorf("%d %t", i, ok)
	}
	r.Repairs[2].Done, r.Repairs[3].Done = true, true
	if i, ok := r.NextRepair(); ok {
		t.Errorf("after all of them %d", i)
	}
}

func TestAFaultIsFoundByItsKindAndTurned(t *testing.T) {
	r := Rig{Faults: []Fault{{Kind: Delay, On: "300ms", Off: "0s"}, {Kind: Growth, On: "2x", Off: "1x", Is: true}, {Kind: Growth}}}
	if i, ok := r.Fault(Growth); i != 1 || !ok || r.Faults[i].Turned() != "1x" {
		t.Errorf("growth: %d %t", i, ok)
	}
	if i, ok := r.Fault(Delay); i != 0 || !ok || r.Faults[i].Turned() != "300ms" {
		t.Errorf("delay: %d %t", i, ok)
	}
	if _, ok := r.Fault(Outage); ok {
		t.Error("an outage that is not offered is found")
	}
}

func TestWhereAStepOfALeverLeadsIsSaidInItsWords(t *testing.T) {
	l := Lever{Less: "500", More: "unlimited", MoreWord: "none"}
	if l.StepDown() != "500" || l.StepUp() != "none" {
		t.Errorf("%q %q", l.StepDown(), l.StepUp())
	}
	if l = (Lever{}); l.StepDown() != "" || l.StepUp() != "" {
		t.Errorf("at both ends %q %q", l.StepDown(), l.StepUp())
	}
}

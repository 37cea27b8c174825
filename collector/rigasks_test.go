package collector

import (
	"math"
	"slices"
	"testing"
)

func TestTheProductOfTheGains(t *testing.T) {
	nan := math.NaN()
	for name, test := range map[string]struct {
		gains []float64
		want  float64
	}{
		"three layers":      {[]float64{3, 2, 1.5}, 9},
		"one":               {[]float64{1.02}, 1.02},
		"a breaker is open": {[]float64{3, 0}, 0},
		"not known":         {[]float64{3, nan, 3}, nan},
		"no hops":           {nil, nan},
	} {
		var r Rig
		for _, g := range test.gains {
			r.Hops = append(r.Hops, RigHop{Gain: g})
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

func TestTheFactorsOfTheWorstCaseAreToldOnlyIfTheyMakeIt(t *testing.T) {
	r := Rig{Worst: 9, Hops: []RigHop{{Permitted: 3}, {Permitted: 1}, {Permitted: 3}}}
	if f, ok := r.Factors(); !ok || !slices.Equal(f, []int{3, 1, 3}) {
		t.Errorf("%v %t", f, ok)
	}
	r.Worst = 18 // a fan-out of two
	if f, ok := r.Factors(); ok {
		t.Errorf("with a fan-out %v", f)
	}
	if f, ok := (&Rig{Worst: 1}).Factors(); ok {
		t.Errorf("without hops %v", f)
	}
}

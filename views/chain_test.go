package views

import (
	"math"
	"strings"
	"testing"

	"stormtop/collector"
)

func TestChainAtEverySize(t *testing.T) { rigAtEverySize(t, "3") }

func TestTheChainSaysWhereToCutAndWhatItSaves(t *testing.T) {
	for _, test := range []struct {
		w    int
		rig  *collector.Rig
		want []string
		no   string
	}{
		{140, burning(), []string{
			"EDGE 26.1x  mean of 10s", "LAYER, means of 10s", "gains 3.00 x 3.00 x 2.94 = 26.4x", "worst case 27x = 3 x 3 x 3", "wasted work 97.0%",
			"→ payment            6,020/s  18,050/s  3.00x", "← cut here first: saves 34,900/s", "21,400  21,400    33,990  6.23s  saturated",
		}, "cut first:"},
		{80, burning(), []string{"cut first: order → payment, saves 34,900/s"}, "cut here"},
		{140, repaired(), []string{
			"worst case 9x = 3 x 1 x 3", "on average at most 4.17x with budgets = 1.39 x 1 x 3", "3 attempts (retries 2)", "AT MOST", "1.39x  12.0% left", "R/(N+R) < 0.28", "500/500, 37 wait  240ms", "half-open, 5.0% pass",
			"1,204/s", "browse       2,498/s      94.0%    1,210", "1 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇ 2,725/s",
		}, "saturated"},
	} {
		got := text(rehearsed(t, &rehearsal{rig: test.rig}, test.w, 60, Options{}, "3"))
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("no %q at %d:\n%s", want, test.w, got)
			}
		}
		if strings.Contains(got, test.no) {
			t.Errorf("%q at %d:\n%s", test.no, test.w, got)
		}
	}
}

// silent is a simulation of which nothing is known but its shape.
func silent() *collector.Rig {
	nan := math.NaN()
	r := burning()
	r.Ingress, r.Measured, r.Wasted, r.Worst, r.Bound = nan, nan, nan, math.Inf(1), nan
	for i := range r.Hops {
		h := &r.Hops[i]
		h.Requests, h.Attempts, h.Gain, h.Saves, h.Refused, h.ByAttempt = nan, nan, nan, nan, nan, []float64{nan, nan}
		h.Formula = "R/(N+R) < 0.2"
	}
	for i := range r.Services {
		r.Services[i].P99 = collector.Value{Unit: collector.Seconds}
	}
	for i := range r.Classes {
		r.Classes[i].Delivered = nan
	}
	for i := range r.Peers {
		r.Peers[i].Peak, r.Peers[i].Points = nan, []float64{nan, nan, nan}
	}
	return r
}

func TestWhatTheSimulationDoesNotKnowIsNeverZero(t *testing.T) {
	got := text(rehearsed(t, &rehearsal{rig: silent()}, 140, 60, Options{}, "3"))
	for _, want := range []string{"EDGE –  mean", "gains – x – x – = –", "worst case ∞ = 3 x 3 x 3", "wasted work –", "– left"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "cut") || strings.Contains(got, "0.0%") || strings.Contains(got, "NaN") || strings.Contains(got, "0/s  ") && strings.Contains(got, "▇") {
		t.Errorf("something is made up:\n%s", got)
	}
	got = text(rehearsed(t, &rehearsal{rig: silent()}, 140, 60, Options{}, "5"))
	if !strings.Contains(got, "with breakers     – ···") || strings.Contains(got, "NaN") {
		t.Errorf("a policy under which there were no requests:\n%s", got)
	}
}

func TestTheChainIsScrolledWhereItDoesNotFit(t *testing.T) {
	m := rehearsed(t, &rehearsal{rig: burning()}, 80, 24, Options{}, "3")
	if got := text(m); !strings.Contains(got, "scroll, 8 more") || strings.Contains(got, "BREAKER") {
		t.Errorf("the top:\n%s", got)
	}
	press(m, "end")
	if got := text(m); !strings.Contains(got, "BREAKER") || !strings.Contains(got, " CHAIN  payment-1945") || strings.Contains(got, "more") {
		t.Errorf("the end:\n%s", got)
	}
}

// fanned is one hop with a fan-out, healthy.
func fanned() *collector.Rig {
	r := burning()
	r.Hops = []collector.RigHop{{
		From: "app", To: "database", Policy: "3 attempts", FanOut: 3.63, Permitted: 3, Bound: 3, Requests: 4501, Attempts: 4505, Gain: 1.001,
		ByAttempt: []float64{4501, 4}, Budget: math.NaN(), Passing: 1,
	}}
	r.Ingress, r.Measured, r.Worst, r.Bound = 1240, 3.633, 3.63*3, 3.63*3
	return r
}

func TestAFanOutIsToldApartFromRetries(t *testing.T) {
	for _, test := range []struct {
		name string
		rig  func() *collector.Rig
		want []string
		no   string
	}{
		{"one hop", fanned, []string{
			"EDGE 3.63x  mean of 10s  fan-out 3.63 x gain 1.00 = 3.63x  worst case 10.89x = fan-out 3.63 x attempts 3",
			"FAN-OUT    CALLS  ATTEMPTS   GAIN", "app                             ", "1,240/s", "→ database             3.63x  4,501/s   4,505/s  1.00x",
		}, "with budgets"},
		{"with a budget", func() *collector.Rig {
			r := fanned()
			r.Hops[0].Bound, r.Hops[0].Formula, r.Bound = 1.2, "R < share x N", 3.63*1.2
			return r
		}, []string{"on average at most 4.36x with budgets"}, "breakers"},
		{"two hops", func() *collector.Rig {
			r := fanned()
			r.Hops = append(r.Hops, collector.RigHop{From: "database", To: "disk", FanOut: 2, Permitted: 1, Bound: 1, Requests: 9010, Attempts: 9010, Gain: 1, Budget: math.NaN(), Passing: 1})
			r.Worst, r.Bound = 3.63*2*3, 3.63*2*3
			return r
		}, []string{"fan-out 7.26 x gains 1.00 x 1.00 = 7.27x", "worst case 21.78x = fan-out 7.26 x 3 x 1", "2.00x"}, "with budgets"},
		{"no fan-out", burning, []string{"gains 3.00 x 3.00 x 2.94 = 26.4x"}, "FAN-OUT"},
	} {
		got := text(rehearsed(t, &rehearsal{rig: test.rig()}, 140, 60, Options{}, "3"))
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q:\n%s", test.name, want, got)
			}
		}
		if strings.Contains(got, test.no) {
			t.Errorf("%s: %q:\n%s", test.name, test.no, got)
		}
	}
}

func TestWhatLimitsTheWorstCaseIsNamed(t *testing.T) {
	for _, test := range []struct {
		name string
		hops [3]collector.RigHop // Bound, Formula, Breaker and Passing of each
		want string
	}{
		{"nothing", [3]collector.RigHop{{Bound: 3}, {Bound: 3}, {Bound: 3}}, ""},
		{"a budget", [3]collector.RigHop{{Bound: 1.25, Formula: "f"}, {Bound: 3}, {Bound: 3}}, "on average at most 11.2x with budgets = 1.25 x 3 x 3"},
		{"a breaker forced open", [3]collector.RigHop{{Bound: 3}, {Bound: 3}, {Breaker: "open"}}, "on average at most 0.00x with forced breakers = 3 x 3 x 0.00"},
		{"both", [3]collector.RigHop{{Bound: 1.2, Formula: "f"}, {Bound: 3}, {Bound: 1.5, Breaker: "ramping", Passing: 0.5}}, "on average at most 5.40x with budgets and forced breakers = 1.20 x 3 x 1.50"},
		{"a budget that leaves all, a breaker that decides", [3]collector.RigHop{{Bound: 3, Formula: "f"}, {Bound: 3, Breaker: "open"}, {Bound: 3}}, ""},
	} {
		r := burning()
		r.Bound = 1
		for i, h := range test.hops {
			r.Hops[i].Bound, r.Hops[i].Formula, r.Hops[i].Breaker, r.Hops[i].Passing = h.Bound, h.Formula, h.Breaker, h.Passing
			r.Bound *= h.Bound
		}
		if most, of := bounded(r); most+of != test.want {
			t.Errorf("%s: %q, want %q", test.name, most+of, test.want)
		}
	}
}

func TestTheChainSaysWhetherAStormCanKeepItselfAlive(t *testing.T) {
	for _, test := range []struct {
		name string
		room collector.RigRoom
		want []string
		no   string
	}{
		{"no limit", collector.RigRoom{}, nil, "organic"},
		{"vulnerable", collector.RigRoom{Service: "primary", Organic: 620, System: 3061, Capacity: 1650, Most: 5, Hidden: 330},
			[]string{"LOAD of primary", "organic 620/s", "system 3,061/s", "hidden capacity 330/s = 1,650/s / 5x", "margin 0.53x: a storm can keep itself alive"}, "no storm"},
		{"safe", collector.RigRoom{Service: "primary", Organic: 620, System: 620, Capacity: 1650, Most: 2, Hidden: 825},
			[]string{"hidden capacity 825/s = 1,650/s / 2x", "margin 1.33x: no storm can keep itself alive"}, ": a storm"},
		{"no retries", collector.RigRoom{Service: "primary", Organic: 620, System: 620, Capacity: 1650, Most: 1, Hidden: 1650},
			[]string{"hidden capacity 1,650/s  margin 2.66x"}, "/s / "},
	} {
		for _, width := range []int{60, 80, 200} {
			r := burning()
			r.Room = test.room
			got := text(rehearsed(t, &rehearsal{rig: r}, width, 60, Options{}, "3"))
			for _, want := range test.want {
				if width == 200 && !strings.Contains(got, want) {
					t.Errorf("%s: no %q:\n%s", test.name, want, got)
				}
				if last := test.want[len(test.want)-1]; !strings.Contains(got, strings.Fields(last)[0]) {
					t.Errorf("%s at %d: no %q:\n%s", test.name, width, last, got)
				}
			}
			if strings.Contains(got, test.no) {
				t.Errorf("%s at %d: %q:\n%s", test.name, width, test.no, got)
			}
		}
	}
}

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
			"EDGE 26.1x  measured", "gains 3.00 x 3.00 x 2.94 = 26.4x", "worst case 27x = 3 x 3 x 3", "wasted work 97.0%",
			"→ payment     6,020/s  18,050/s  3.00x", "← cut here first: saves 34,900/s", "21,400  21,400    33,990  6.23s  saturated",
		}, "cut first:"},
		{80, burning(), []string{"cut first: order → payment, saves 34,900/s"}, "cut here"},
		{140, repaired(), []string{
			"worst case 9x = 3 x 1 x 3", "3 attempts (retries 2)", "12.0% left", "R/(N+R) < 0.235", "500/500, 37 wait  240ms", "half-open, 5.0% pass",
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
	r.Measured, r.Wasted, r.Worst = nan, nan, math.Inf(1)
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
	for _, want := range []string{"EDGE –  measured", "gains – x – x – = –", "worst case ∞  wasted", "wasted work –", "– left"} {
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

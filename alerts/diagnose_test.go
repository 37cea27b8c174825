package alerts_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
)

// TestNoiseIsNoCause: rates that a Prometheus measures with 4 % of noise give no
// cause while calm, and the right one in the storm.
func TestNoiseIsNoCause(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	noisy := func(v float64) float64 { return v * (0.96 + 0.08*rnd.Float64()) }
	var ingress, downstream strings.Builder
	for i := range 260 {
		attempts := 1000.0
		if i >= 200 {
			attempts = 2480
		}
		fmt.Fprintf(&ingress, " %g", noisy(1000))
		fmt.Fprintf(&downstream, " %g", noisy(attempts))
	}
	e := alerts.New(alerts.Documented())
	for i, r := range readings(t, alertstest.Input{}, "t ingress"+ingress.String()+"\nt downstream"+downstream.String()) {
		e.Eval(r)
		want := alerts.CauseNone
		if i >= 200 {
			want = alerts.CauseRetries
		}
		if d := e.Diagnose(alertstest.Target("t").ID); d.Cause != want {
			t.Errorf("reading %d: %s (%s), want %s", i, d.Cause, d.Text, want)
		}
	}
}

// TestOneOddFirstReadingIsNoGrowth: what is compared with is an average from the start.
func TestOneOddFirstReadingIsNoGrowth(t *testing.T) {
	e := alerts.New(alerts.Documented())
	play(t, e, "t ingress 880 1000x9\nt downstream 880 1000x9")
	if d := e.Diagnose(alertstest.Target("t").ID); d.Cause != alerts.CauseNone {
		t.Errorf("cause %s: %s", d.Cause, d.Text)
	}
}

// TestFallingIngressUnderSteadyAttemptsIsRetries: the road to attempts without ingress.
func TestFallingIngressUnderSteadyAttemptsIsRetries(t *testing.T) {
	e := alerts.New(alerts.Documented())
	play(t, e, "t ingress 1000x9 400\nt downstream 1000x10")
	if d := e.Diagnose(alertstest.Target("t").ID); d.Cause != alerts.CauseRetries || !strings.Contains(d.Text, "attempts +0%, ingress -60%") {
		t.Errorf("cause %s: %s", d.Cause, d.Text)
	}
}

// TestRatesThatCoverNoWholeRangeAreNoReference: a counter that is scraped for
// less than the range of the rates has too low a rate, on each side in its own
// way, and so it is at the very start of a source and after a break.
func TestRatesThatCoverNoWholeRangeAreNoReference(t *testing.T) {
	in := alertstest.Input{RateRange: time.Minute} // four steps
	for name, c := range map[string]struct {
		text string
		want alerts.Cause
		says string
	}{
		"a start before the storm": {"t ingress 250 500 750 900 1000x3\nt downstream 270 520 780 950 1010 1010 2480",
			alerts.CauseRetries, "attempts +146%, ingress +0% since 12:01:15Z"},
		"a start in mid-storm": {"t ingress 250 500 750 900 1000x2\nt downstream 270 1200 1900 2300 2480x2",
			alerts.CauseUnclear, "no calm moment seen since 12:00:00Z"},
		"a calm start": {"t ingress 250 500 750 900 1000x2\nt downstream 250 500 750 900 1000x2", alerts.CauseNone, ""},
		"a break in the calm": {"t ingress 1000x8 _ _ 250 500 750 900 1000 1000\nt downstream 1000x8 _ _ 260 520 780 900 1000 2480",
			alerts.CauseRetries, "attempts +148%, ingress +0% since 12:03:30Z"},
		"back in mid-storm, range not covered": {"t ingress 1000x8 _ 250 500\nt downstream 1000x8 _ 600 1300",
			alerts.CauseUnclear, "its counters are back since 12:02:15Z, for less than the rate range"},
		"back in mid-storm, range covered": {"t ingress 1000x8 _ 250 500 750 900 1000\nt downstream 1000x8 _ 600 1300 1900 2300 2480",
			alerts.CauseRetries, "attempts +148%, ingress +0% since 12:01:45Z"},
		"one side was gone": {"t ingress 1000x10\nt downstream 1000x8 _ 600", alerts.CauseNone, ""},
		"gone with all others": {"t ingress 1000x8 _ 500\nt downstream 1000x8 _ 1300\no ingress 5x8 _ 5",
			alerts.CauseUnclear, "its counters are back since 12:02:15Z"},
		"a blind reading is no break": {"reading . . . . . . . . ! .\nt ingress 1000x10\nt downstream 1000x9 2480",
			alerts.CauseRetries, "attempts +148%, ingress +0% since 12:01:45Z"},
		"a query that failed is no break": {"t ingress 1000x8 ! 1000\nt downstream 1000x9 2480",
			alerts.CauseRetries, "attempts +148%, ingress +0% since 12:01:45Z"},
		"no more is a target that was not in a blind reading": {"reading . . . . . . . . ! ! ! .\nt ingress 1000x12\nt downstream 1000x8 1100 1900 2300 2480",
			alerts.CauseRetries, "attempts +148%, ingress +0% since 12:01:45Z"},
	} {
		e := alerts.New(alerts.Documented())
		for _, r := range readings(t, in, c.text) {
			e.Eval(r)
		}
		if d := e.Diagnose(alertstest.Target("t").ID); d.Cause != c.want || !strings.Contains(d.Text, c.says) {
			t.Errorf("%s: %s (%s), want %s (%s)", name, d.Cause, d.Text, c.want, c.says)
		}
	}
}

// TestGoneTrafficIsNoCause: a target that falls silent, or is not there.
func TestGoneTrafficIsNoCause(t *testing.T) {
	for text, want := range map[string]alerts.Cause{
		"t ingress 1000x5 0\nt downstream 1000x5 0":                                        alerts.CauseNone,
		"t ingress 1000x5 500\nt downstream 1000x5 500":                                    alerts.CauseNone,
		"t ingress 1000x5 _\nt downstream 1000x5 _\no ingress 1000x6\no downstream 1000x6": alerts.CauseUnclear,
	} {
		e := alerts.New(alerts.Documented())
		play(t, e, text)
		if d := e.Diagnose(alertstest.Target("t").ID); d.Cause != want {
			t.Errorf("%s: %s (%s), want %s", text, d.Cause, d.Text, want)
		}
	}
}

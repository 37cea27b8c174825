package alerts_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

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

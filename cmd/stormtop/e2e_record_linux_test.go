package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

// The storm that the simulation makes, by its target and the rule that tells it.
const (
	stormTarget = "demo/payments"
	stormRule   = "RetryAmplificationHigh"
)

// record is a line of JSON, a reading or an event, as docs/formats.md has it.
type record struct {
	Schema, Profile string
	At              time.Time
	RateRange       string `json:"rate_range"`
	Targets         []struct {
		Name    string
		Signals map[string]measured
	}
	Rules    []ruleState
	Judged   struct{ Rules, Of int }
	Failures []struct {
		Signal     *string
		Kind, Text string
	}

	Kind, Rule, Target, Text string // of an event
}

type measured struct {
	Value *float64
	State string
}

type ruleState struct {
	Name, Target, State, Evaluated, Reason string
	Held                                   bool
	Since                                  *time.Time
}

func (r record) isReading() bool { return strings.HasPrefix(r.Schema, "stormtop/reading/") }

func (r record) aboutTheStorm() bool { return r.Rule == stormRule && r.Target == stormTarget }

// blind reports whether nothing could be read.
func (r record) blind() bool {
	for _, f := range r.Failures {
		if f.Signal == nil {
			return true
		}
	}
	return false
}

// value is a number of a target; NaN when there is none.
func (r record) value(target, signal string) float64 {
	for _, row := range r.Targets {
		if v := row.Signals[signal]; row.Name == target && v.Value != nil {
			return *v.Value
		}
	}
	return math.NaN()
}

// storm is a number of the target that storms.
func (r record) storm(signal string) float64 { return r.value(stormTarget, signal) }

// rule is the state of a rule on a target.
func (r record) rule(name, target string) ruleState {
	for _, st := range r.Rules {
		if st.Name == name && st.Target == target {
			return st
		}
	}
	return ruleState{}
}

func (r record) stormState() ruleState { return r.rule(stormRule, stormTarget) }

// calm reports whether every rule was judged and none holds.
func (r record) calm() bool {
	for _, st := range r.Rules {
		if st.State != "inactive" || st.Held {
			return false
		}
	}
	return r.isReading() && len(r.Rules) > 0
}

// stretchOfTime is a stretch of time, both ends included.
type stretchOfTime struct{ from, to time.Time }

func (s stretchOfTime) covers(r record, rate time.Duration) bool {
	return r.isReading() && !r.At.Add(-rate).Before(s.from) && !r.At.After(s.to)
}

// course sums what a simulation counted in each second.
type course []record

// over is the mean of a signal of the storm over the seconds of (at-rate, at].
func (c course) over(t *testing.T, at time.Time, rate time.Duration, signal string) float64 {
	t.Helper()
	sum, n := 0.0, 0
	for _, r := range c {
		if r.isReading() && r.At.After(at.Add(-rate)) && !r.At.After(at) {
			sum += r.storm(signal)
			n++
		}
	}
	if n == 0 {
		t.Fatalf("the simulation wrote nothing in the %s before %s", rate, at)
	}
	return sum / float64(n)
}

// agree compares the means of readings with the simulation's own over the same
// rate ranges.
func (c course) agree(t *testing.T, what string, readings []record) {
	t.Helper()
	if len(readings) < 10 {
		t.Fatalf("%s: only %d readings of the plateau", what, len(readings))
	}
	var in, down, ratio, ownIn, ownDown float64
	for _, r := range readings {
		rate, err := time.ParseDuration(r.RateRange)
		if err != nil {
			t.Fatal(err)
		}
		in, down, ratio = in+r.storm("ingress"), down+r.storm("downstream"), ratio+r.storm("amplification")
		ownIn, ownDown = ownIn+c.over(t, r.At, rate, "ingress"), ownDown+c.over(t, r.At, rate, "downstream")
	}
	n := float64(len(readings))
	t.Logf("%s: %.0f readings: ingress %.1f/s, attempts %.1f/s, amplification %.4f; the simulation %.1f/s, %.1f/s, %.4f",
		what, n, in/n, down/n, ratio/n, ownIn/n, ownDown/n, ownDown/ownIn)
	near(t, what+": amplification", ratio/n, ownDown/ownIn)
	near(t, what+": attempts", down/n, ownDown/n)
	near(t, what+": ingress", in/n, 200)
}

// near fails unless a figure is within 3 % of what it should be.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	between(t, what, got, want, want)
}

// between fails unless a figure is between two others, or within 3 % of one.
func between(t *testing.T, what string, got, a, b float64) {
	t.Helper()
	if !(got >= 0.97*min(a, b) && got <= 1.03*max(a, b)) {
		t.Errorf("%s is %v, want %v to %v within 3%%", what, got, a, b)
	}
}

package alerts_test

import (
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/collector"
)

// TestStatesOverSeries plays series of one rule against the states they must
// give. Ingress is 100/s where only downstream matters, so that 200 is 2.0x.
func TestStatesOverSeries(t *testing.T) {
	amp := func(hold, keep time.Duration) collector.RuleSpec {
		return rule(alerts.RetryAmplificationHigh, func(r *collector.RuleSpec) { r.For, r.KeepFiring = hold, keep })
	}
	retry := rule(alerts.RetryRateHigh, nil)
	atLimit := rule(alerts.AttemptLimitReached, nil)
	tests := []struct {
		name  string
		rule  collector.RuleSpec
		step  time.Duration
		text  string // of target "t", and of "o" where others remain
		state string
		shown string // "" is the same
		why   alerts.Why
	}{
		{"for 1m fires at the evaluation one minute later", amp(time.Minute, 0), 15 * time.Second,
			"t ingress 100x6\nt downstream 200x5 100", "ppppF.", "", alerts.WhyFalse},
		{"one clear evaluation restarts the clock", amp(time.Minute, 0), 15 * time.Second,
			"t ingress 100x10\nt downstream 200x4 100 200x5", "pppp.ppppF", "", alerts.WhyTrue},
		{"for below the interval fires at the second evaluation", amp(10*time.Second, 0), 30 * time.Second,
			"t ingress 100x3\nt downstream 200x3", "pFF", "", alerts.WhyTrue},
		{"for equal to the interval fires at the second evaluation", amp(30*time.Second, 0), 30 * time.Second,
			"t ingress 100x3\nt downstream 200x3", "pFF", "", alerts.WhyTrue},
		{"for 0 fires at once, never pending", amp(0, 0), 15 * time.Second,
			"t ingress 100x4\nt downstream 100 200 100 200", ".F.F", "", alerts.WhyTrue},
		{"keep holds only after firing", amp(30*time.Second, 45*time.Second), 15 * time.Second,
			"t ingress 100x12\nt downstream 200x2 100 200x3 100x6", "pp.ppFFFF...", "", alerts.WhyFalse},
		{"a breach within keep starts keep anew, and firing has no break", amp(0, 30*time.Second), 15 * time.Second,
			"t ingress 100x8\nt downstream 200 100x2 200 100x4", "FFFFFF..", "", alerts.WhyFalse},
		{"keep below the interval still lasts one evaluation", amp(0, time.Second), 15 * time.Second,
			"t ingress 100x4\nt downstream 200 100x3", "FF..", "", alerts.WhyFalse},

		{"no firing on 4 attempts for 2 requests a minute", amp(0, 0), 15 * time.Second,
			"t ingress 0.033x3\nt downstream 0.066x3", "...", "", alerts.WhyLowTraffic},
		{"no firing on 1 of 2 requests retried", retry, 15 * time.Second,
			"t ingress 0.033x2\nt downstream 0.05x2\nt retries 0.017x2", "..", "", alerts.WhyLowTraffic},
		{"the floor of the retry rate is on attempts, not on ingress", retry, 15 * time.Second,
			"t ingress 100x2\nt downstream 0.5x2\nt retries 0.4x2", "..", "", alerts.WhyLowTraffic},
		{"falling below the floor ends firing", amp(0, 0), 15 * time.Second,
			"t ingress 100x2 0.1x2\nt downstream 200x2 0.2x2", "FF..", "", alerts.WhyLowTraffic},
		{"attempts alone reach the floor", amp(0, 0), 15 * time.Second,
			"t ingress 0.1x2\nt downstream 50x2", "FF", "", alerts.WhyTrue},

		{"ten minutes of 0/0 and then 1.2x never alarm", amp(0, 0), 15 * time.Second,
			"t ingress 0x40 100x4\nt downstream 0x40 120x4", dots(44), "", alerts.WhyFalse},
		{"firing that turns idle ends as in Prometheus", amp(0, 0), 15 * time.Second,
			"t ingress 100x2 0x2\nt downstream 200x2 0x2", "FF..", "", alerts.WhyIdle},
		{"attempts without ingress fire", amp(0, 0), 15 * time.Second,
			"t ingress 0x2\nt downstream 50x2", "FF", "", alerts.WhyTrue},
		{"attempts without ingress below the floor do not", amp(0, 0), 15 * time.Second,
			"t ingress 0x2\nt downstream 0.5x2", "..", "", alerts.WhyLowTraffic},
		{"no ingress series cannot be judged", amp(0, 0), 15 * time.Second,
			"t downstream 50x2", "??", "", alerts.WhyNotExported},
		{"no downstream series cannot be judged", amp(0, 0), 15 * time.Second,
			"t ingress 50x2", "??", "", alerts.WhyNotExported},
		{"nothing at all cannot be judged and is not held", amp(0, 0), 15 * time.Second,
			"t ingress _x2 1\nt downstream _x2 1", "??.", "", alerts.WhyFalse},

		{"45 s without data end the state, not what is shown", amp(30*time.Second, 0), 15 * time.Second,
			"t ingress 100x4 _x3 100x4\nt downstream 200x4 _x3 200x4", "ppFF...ppFF", "ppFFHHHHHFF", alerts.WhyTrue},
		{"after a gap a false condition resolves at once", amp(30*time.Second, 0), 15 * time.Second,
			"t ingress 100x4 _x2 100x2\nt downstream 200x4 _x2 100x2", "ppFF....", "ppFFHH..", alerts.WhyFalse},
		{"a pending that was held starts its clock anew", amp(30*time.Second, 0), 15 * time.Second,
			"t ingress 100 _ 100x3\nt downstream 200 _ 200x3", "p.ppF", "phppF", alerts.WhyTrue},
		{"one side alone missing holds as well", amp(0, 0), 15 * time.Second,
			"t ingress 100 _x2 100\nt downstream 200x4", "F..F", "FHHF", alerts.WhyTrue},
		{"a calm rule without data is held, not green", amp(0, 0), 15 * time.Second,
			"t ingress 100 _x2 100\nt downstream 100 _x2 100", "....", ".--.", alerts.WhyFalse},
		{"one vanished target among others is an end", amp(0, 0), 15 * time.Second,
			"t ingress 100x2 _x2\nt downstream 200x2 _x2\no ingress 100x4\no downstream 100x4", "FF..", "", alerts.WhyNoData},
		{"a failed query changes nothing", amp(30*time.Second, 0), 15 * time.Second,
			"t ingress 100x6\nt downstream 200x2 !x2 200x2", "ppppFF", "pphhFF", alerts.WhyTrue},
		{"a reading that fails as a whole changes nothing", amp(0, 0), 15 * time.Second,
			"t ingress 100x5\nt downstream 200x4 100\nreading . ! ! . .", "FFFF.", "FHHF.", alerts.WhyFalse},
		{"a target that is gone while the query failed is untouched", amp(0, 0), 15 * time.Second,
			"t ingress 100 ! 100\nt downstream 200 _ 200\no ingress 100 ! 100\no downstream 100 100 100", "FFF", "FHF", alerts.WhyTrue},
		{"partial data is a sample for the state and holds what is shown", amp(0, 0), 15 * time.Second,
			"t ingress 100 p50x2 100x2\nt downstream 100x5", ".FF..", ".--..", alerts.WhyFalse},
		{"partial data does not resolve either", amp(0, 0), 15 * time.Second,
			"t ingress 100 p100x2 100\nt downstream 200 p100x2 200", "F..F", "FHHF", alerts.WhyTrue},
		{"partial ingress of 0 is no infinite ratio to show", amp(0, 0), 15 * time.Second,
			"t ingress 100 p0 100\nt downstream 100x3", ".F.", ".-.", alerts.WhyFalse},
		{"stale data is judged", amp(0, 0), 15 * time.Second,
			"t ingress 100 s100x2\nt downstream 200x3", "FFF", "", alerts.WhyTrue},

		{"exactly 1.5 does not fire with >", amp(0, 0), 15 * time.Second,
			"t ingress 2.4x2\nt downstream 3.6x2", "..", "", alerts.WhyFalse},
		{"4.7 for 2.8 fires", amp(0, 0), 15 * time.Second,
			"t ingress 2.8x2\nt downstream 4.7x2", "FF", "", alerts.WhyTrue},
		{"at limit that nobody exports is not judged", atLimit, 15 * time.Second,
			"t ingress 100x2\nt downstream 200x2", "??", "", alerts.WhyNotExported},
		{"at limit fires at once above 0", atLimit, 15 * time.Second,
			"t ingress 100x3\nt downstream 200x3\nt at_limit 0 0.1 0", ".F.", "", alerts.WhyFalse},
		{"a source without traffic figures has no floor", atLimit, 15 * time.Second,
			"t at_limit 0 0.1 0", ".F.", "", alerts.WhyFalse},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := alerts.New([]collector.RuleSpec{tt.rule})
			var got letters
			var last alerts.Status
			for _, r := range readings(t, alertstest.Input{Step: tt.step}, tt.text) {
				e.Eval(r)
				if last = status(e, tt.rule.Name, "t"); last.Rule.Name == "" {
					last = e.Statuses()[0] // the target was never there
				}
				got.add(last)
			}
			want := tt.shown
			if want == "" {
				want = tt.state
			}
			if got.state.String() != tt.state || got.shown.String() != want {
				t.Errorf("state %s, want %s\nshown %s, want %s", got.state.String(), tt.state, got.shown.String(), want)
			}
			if last.Why != tt.why {
				t.Errorf("at the end: %s, want %s", last.Why, tt.why)
			}
		})
	}
}

// TestAFloorWaitsForTheTrafficThatIsAskedFor: the expression that is exported has it
// as a condition, and knows nothing of a server's first moments, in which a scrape
// may come in between two of its signals.
func TestAFloorWaitsForTheTrafficThatIsAskedFor(t *testing.T) {
	for _, tt := range []struct {
		name   string
		asked  collector.Signal
		sides  string
		states string
		shown  string
		why    alerts.Why
	}{
		{"not asked for", collector.NoSignal, "", "FFF", "FFF", alerts.WhyTrue},
		{"never there", collector.Downstream, "", "...", "...", alerts.WhyNoData},
		{"late", collector.Ingress, "\nt ingress _ _ 100", "..F", "..F", alerts.WhyTrue},
		{"late and little", collector.Ingress, "\nt ingress _ _ 0.5", "...", "...", alerts.WhyLowTraffic},
		{"gone again", collector.Downstream, "\nt downstream 100 100 _", "FF.", "FFH", alerts.WhyNoData},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sys := collector.System{Profile: "s"}
			if tt.asked != collector.NoSignal {
				sys.Asked[tt.asked] = true
			}
			e := alerts.New([]collector.RuleSpec{rule(alerts.AttemptLimitReached, nil)})
			var got letters
			var last alerts.Status
			for _, r := range readings(t, alertstest.Input{Systems: []collector.System{sys}}, "t@s at_limit 5x3"+strings.ReplaceAll(tt.sides, "t ", "t@s ")) {
				e.Eval(r)
				last = e.Statuses()[0]
				got.add(last)
			}
			if got.state.String() != tt.states || got.shown.String() != tt.shown || last.Why != tt.why {
				t.Errorf("state %s, want %s\nshown %s, want %s\nat the end %s, want %s", got.state.String(), tt.states, got.shown.String(), tt.shown, last.Why, tt.why)
			}
		})
	}
}

func dots(n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = '.'
	}
	return string(out)
}

// TestFourKindsOfZeroDenominatorDiffer is case A3: the difference between infinite,
// idle, no ingress and no downstream in what is told.
func TestFourKindsOfZeroDenominatorDiffer(t *testing.T) {
	tests := []struct {
		name, text string
		state      alerts.State
		why        alerts.Why
		value      collector.State
		missing    collector.Signal
	}{
		{"infinite", "t ingress 0x9\nt downstream 50x9", alerts.Firing, alerts.WhyTrue, collector.Infinite, collector.NoSignal},
		{"idle", "t ingress 0x9\nt downstream 0x9", alerts.Inactive, alerts.WhyIdle, collector.Idle, collector.NoSignal},
		{"no ingress", "t downstream 50x9", alerts.Unknown, alerts.WhyNotExported, collector.Missing, collector.Ingress},
		{"no downstream", "t ingress 50x9", alerts.Unknown, alerts.WhyNotExported, collector.Missing, collector.Downstream},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := alerts.New([]collector.RuleSpec{rule(alerts.RetryAmplificationHigh, nil)})
			for _, r := range readings(t, alertstest.Input{}, tt.text) {
				e.Eval(r)
			}
			s := e.Statuses()[0]
			if s.State != tt.state || s.Shown != tt.state || s.Why != tt.why || s.Value.State != tt.value {
				t.Errorf("state %s, shown %s, why %q, value %s", s.State, s.Shown, s.Why, s.Value.State)
			}
			c := e.Coverage()
			if tt.missing == collector.NoSignal {
				if c.Judged != 1 || c.Of != 1 || len(c.Missing) != 0 {
					t.Errorf("coverage %+v, want all judged", c)
				}
			} else if c.Judged != 0 || len(c.Missing) != 1 || c.Missing[0].Signal != tt.missing || c.Missing[0].Why != alerts.WhyNotExported {
				t.Errorf("coverage %+v, want %s missing", c, tt.missing)
			}
		})
	}
}

// TestPastReadingsRebuildTheState: after a restart in mid-incident the filled-in
// readings give the state that was there, with the true instants.
func TestPastReadingsRebuildTheState(t *testing.T) {
	past := readings(t, alertstest.Input{Past: true}, "t ingress 100x20\nt downstream 100x4 200x16")
	e := alerts.New(alerts.Documented())
	for _, r := range past {
		e.Eval(r)
	}
	s := status(e, alerts.RetryAmplificationHigh, "t")
	if s.Shown != alerts.Firing || !s.ActiveAt.Equal(clock("12:01:00")) || !s.FiredAt.Equal(clock("12:02:00")) || s.AtLeast {
		t.Errorf("got %+v", s)
	}
}

// TestABreachFromTheStartIsMarked: without a past it began at that instant or earlier.
func TestABreachFromTheStartIsMarked(t *testing.T) {
	e := alerts.New(alerts.Documented())
	for _, r := range readings(t, alertstest.Input{}, "t ingress 100x3\nt downstream 200x3\no ingress 100x3\no downstream 100 200x2") {
		e.Eval(r)
	}
	if s := status(e, alerts.RetryAmplificationHigh, "t"); s.Shown != alerts.Pending || !s.AtLeast {
		t.Errorf("in breach from the start: %s, at least %v", s.Shown, s.AtLeast)
	}
	if s := status(e, alerts.RetryAmplificationHigh, "o"); s.Shown != alerts.Pending || s.AtLeast {
		t.Errorf("in breach later: %s, at least %v", s.Shown, s.AtLeast)
	}
}

// TestTargetsComeBackOneByOneAfterAGap: a firing target that needs longer than
// another to be measured again is not called resolved.
func TestTargetsComeBackOneByOneAfterAGap(t *testing.T) {
	spec := rule(alerts.RetryAmplificationHigh, func(r *collector.RuleSpec) { r.For = 0 })
	e := alerts.New([]collector.RuleSpec{spec})
	var got letters
	text := "t ingress 100x2 _x4 100\nt downstream 200x2 _x4 200\no ingress 100x2 _x2 100x3\no downstream 100x2 _x2 100x3"
	for _, r := range readings(t, alertstest.Input{RateRange: time.Minute}, text) {
		e.Eval(r)
		got.add(status(e, spec.Name, "t"))
	}
	if got.state.String() != "FF....F" || got.shown.String() != "FFHHHHF" {
		t.Errorf("state %s, shown %s", got.state.String(), got.shown.String())
	}
}

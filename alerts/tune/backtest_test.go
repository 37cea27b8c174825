package tune_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

// build reads the notation of alertstest into the history of one rule.
func build(t testing.TB, in alertstest.Input, text string, spec collector.RuleSpec) *tune.History {
	t.Helper()
	rs, err := in.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	b := tune.NewBuilder([]collector.RuleSpec{spec})
	for _, r := range rs {
		b.Add(r)
	}
	return b.History(0)
}

func amplification(change ...func(*collector.RuleSpec)) collector.RuleSpec {
	spec := alerts.Documented()[0]
	for _, f := range change {
		f(&spec)
	}
	return spec
}

func at(s int) time.Time { return alertstest.Start.Add(time.Duration(s) * time.Second) }

func incident(from, to int) tune.Incident {
	return tune.Incident{From: at(from), To: at(to), Text: "marked"}
}

// TestWhenForFires is case C1: the state is decided at evaluations only.
func TestWhenForFires(t *testing.T) {
	for _, tt := range []struct {
		name  string
		step  time.Duration
		hold  time.Duration
		text  string
		fires []int // seconds
	}{
		{"at the evaluation at which for has passed", 15 * time.Second, time.Minute, "200x5", []int{60}},
		{"one evaluation without a result starts the clock again", 15 * time.Second, time.Minute, "200x4 100 200x5", []int{135}},
		{"a for below the interval fires at the second evaluation", 30 * time.Second, 10 * time.Second, "200x3", []int{30}},
		{"for 0 fires at once", 30 * time.Second, 0, "100 200 100 200", []int{30, 90}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := 16
			h := build(t, alertstest.Input{Step: tt.step}, fmt.Sprintf("a ingress 100x%d\na downstream %s 100x9", n, tt.text),
				amplification())
			got := tune.Backtest(h, amplification(func(r *collector.RuleSpec) { r.For = tt.hold }))
			var fires []int
			for _, e := range got.Episodes {
				fires = append(fires, int(e.Firing.Sub(alertstest.Start).Seconds()))
			}
			if !slices.Equal(fires, tt.fires) {
				t.Errorf("fires at %v, want %v", fires, tt.fires)
			}
		})
	}
}

// TestFiguresOfAStorm reads like the picture: an incident from 60 to 180, in
// breach from 75 to 165, and a short breach for nothing at 600.
func TestFiguresOfAStorm(t *testing.T) {
	h := build(t, alertstest.Input{Step: 15 * time.Second, RateRange: time.Minute},
		"a ingress 100x60\na downstream 100x5 200x7 100x28 300x3 100x17", amplification())
	h.Incidents = []tune.Incident{incident(60, 180), incident(800, 860)}
	spec := amplification(func(r *collector.RuleSpec) { r.For = 30 * time.Second })
	got := tune.Backtest(h, spec)
	want := tune.Figures{
		Firings: 2, Firing: 75*time.Second + 15*time.Second, False: 15 * time.Second,
		Incidents: 2, Found: 1, Lead: 45 * time.Second, Median: 45 * time.Second,
	}
	if diff := cmp.Diff(want, got.Figures); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	first := got.Episodes[0]
	if !first.Pending.Equal(at(75)) || !first.Firing.Equal(at(105)) || !first.Ended.Equal(at(180)) || first.Why != alerts.WhyFalse || first.False {
		t.Errorf("%+v", first)
	}
	if !got.Episodes[1].False || got.Missed() != 1 {
		t.Errorf("%+v", got)
	}
	if w := got.Warned; !w[0].Found || !w[0].At.Equal(at(105)) || w[1].Found {
		t.Errorf("%+v", w)
	}
}

// TestTheGraceIsTheRangeOfTheRatesAndKeep: firing right after an incident is no
// false alarm as long as the rates still hold some of it.
func TestTheGraceIsTheRangeOfTheRatesAndKeep(t *testing.T) {
	h := build(t, alertstest.Input{Step: 15 * time.Second, RateRange: time.Minute}, "a ingress 100x60\na downstream 100x4 200x16 100x40", amplification())
	h.Incidents = []tune.Incident{incident(60, 120)}
	for _, tt := range []struct{ keep, firing, wrong time.Duration }{
		{0, 240 * time.Second, 120 * time.Second},
		{time.Minute, 300 * time.Second, 120 * time.Second},
	} {
		got := tune.Backtest(h, amplification(func(r *collector.RuleSpec) { r.For, r.KeepFiring = 0, tt.keep }))
		if got.Firing != tt.firing || got.False != tt.wrong {
			t.Errorf("keep %s: firing %s, wrongly %s, want %s and %s", tt.keep, got.Firing, got.False, tt.firing, tt.wrong)
		}
	}
}

// TestCasesOfTheEcosystem are C3, C4, C5 and C10 as far as they concern a
// back-test: what must not fire does not, and why a firing ended is told.
func TestCasesOfTheEcosystem(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		change     func(*collector.RuleSpec)
		firings    int
		why        alerts.Why
	}{
		{"C3: 4 attempts for 2 requests in a minute are too few", "a ingress 0.033x40\na downstream 0.067x40", nil, 0, 0},
		{"C3: without a floor they would fire", "a ingress 0.033x40\na downstream 0.067x40", func(r *collector.RuleSpec) { r.MinTraffic = 0 }, 1, 0},
		{"C4: 0/0 does not fire, nor does what follows", "a ingress 0x40 100x20\na downstream 0x40 120x20", nil, 0, 0},
		{"C4: a firing that goes idle ends, and says so", "a ingress 100x10 0x5\na downstream 200x10 0x5", nil, 1, alerts.WhyIdle},
		{"C5: empty answers end it as in Prometheus", "a ingress 100x10 _x3 100x10\na downstream 200x10 _x3 200x10", nil, 2, alerts.WhyNoData},
		{"C5: keep_firing_for carries it over", "a ingress 100x10 _x3 100x10\na downstream 200x10 _x3 200x10", func(r *collector.RuleSpec) { r.KeepFiring = 2 * time.Minute }, 1, 0},
		{"C5: a query that failed ends nothing", "a ingress 100x10 !x3 100x10\na downstream 200x10 !x3 200x10", nil, 1, 0},
		{"C10: exactly on the threshold is not above it", "a ingress 2.4x20\na downstream 3.6x20", nil, 0, 0},
		{"C10: but at least it", "a ingress 2.4x20\na downstream 3.6x20", func(r *collector.RuleSpec) { r.Compare = collector.AtLeast }, 1, 0},
		{"C10: 4.7 for 2.8 is above", "a ingress 2.8x20\na downstream 4.7x20", nil, 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spec := amplification()
			if tt.change != nil {
				tt.change(&spec)
			}
			got := tune.Backtest(build(t, alertstest.Input{Step: 15 * time.Second}, tt.text, spec), spec)
			if got.Firings != tt.firings {
				t.Fatalf("%d firings, want %d: %+v", got.Firings, tt.firings, got.Episodes)
			}
			if tt.firings > 0 && tt.why != 0 && got.Episodes[0].Why != tt.why {
				t.Errorf("ended because of %s, want %s", got.Episodes[0].Why, tt.why)
			}
		})
	}
}

// drawText draws the courses of three targets with every kind of sample.
func drawText(rt *rapid.T) string {
	var b strings.Builder
	n := rapid.IntRange(2, 60).Draw(rt, "readings")
	line := func(target, sig string, tokens ...string) {
		fmt.Fprintf(&b, "%s %s", target, sig)
		for left := n; left > 0; {
			k := rapid.IntRange(1, 4).Draw(rt, "times")
			fmt.Fprintf(&b, " %sx%d", rapid.SampledFrom(tokens).Draw(rt, sig), k)
			left -= k
		}
		b.WriteByte('\n')
	}
	for _, target := range []string{"a", "b", "edge:c"} {
		line(target, "ingress", "100", "100", "100", "100", "0", "0.2", "_", "!", "p50", "s100", "1000")
		line(target, "downstream", "100", "160", "150", "300", "300", "0", "0.3", "_", "!", "p200", "s200")
		line(target, "at_limit", "0", "0", "5", "_", "!", "p1")
		if rapid.Bool().Draw(rt, "retries") {
			line(target, "retries", "0", "50", "_", "!")
		}
	}
	b.WriteString("reading")
	for range n {
		b.WriteString(" " + rapid.SampledFrom([]string{".", ".", ".", ".", ".", "!"}).Draw(rt, "fails"))
	}
	return b.String()
}

var draws = rapid.SampledFrom([]time.Duration{0, time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 3 * time.Minute})

func drawSpec(rt *rapid.T) collector.RuleSpec {
	spec := rapid.SampledFrom(alerts.Documented()[:3]).Draw(rt, "rule")
	spec.For, spec.KeepFiring = draws.Draw(rt, "for"), draws.Draw(rt, "keep")
	spec.MinTraffic = rapid.SampledFrom([]float64{0, 0.25, 1, 150}).Draw(rt, "floor")
	spec.Compare = rapid.SampledFrom([]collector.Comparison{collector.Above, collector.Above, collector.AtLeast, collector.Below, collector.AtMost}).Draw(rt, "comparison")
	spec.Scope = rapid.SampledFrom([]collector.Scope{collector.ScopeTarget, collector.ScopeTarget, collector.ScopeEdge, collector.ScopeTotal}).Draw(rt, "scope")
	if spec.Signal == collector.Amplification {
		spec.Threshold = rapid.SampledFrom([]float64{1, 1.5, 1.6, 2.5}).Draw(rt, "threshold")
	}
	return spec
}

// TestABacktestIsTheEngine: whatever is read and however it is tuned, the states
// are those of the engine, of every target at every reading.
func TestABacktestIsTheEngine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := drawSpec(rt)
		rs, err := alertstest.Input{Step: 15 * time.Second, RateRange: time.Minute}.Readings(drawText(rt))
		if err != nil {
			rt.Fatal(err)
		}
		e, b := alerts.New([]collector.RuleSpec{spec}), tune.NewBuilder([]collector.RuleSpec{spec})
		states := map[string][]alerts.State{}
		for i, r := range rs {
			e.Eval(r)
			b.Add(r)
			for _, id := range []string{"a", "b", "edge:c", "total"} {
				id = alertstest.Target(id).ID
				state := alerts.Inactive
				for _, s := range e.For(id) {
					state = max(s.State, alerts.Inactive)
				}
				if len(states[id]) != i {
					rt.Fatal("a reading was left out")
				}
				states[id] = append(states[id], state)
			}
		}
		h := b.History(0)
		for i := range h.Courses {
			c := &h.Courses[i]
			if got := tune.States(c, spec); !slices.Equal(got, states[c.Target.ID]) {
				rt.Fatalf("%s: the back-test says\n%v, the engine\n%v", c.Target.Name, got, states[c.Target.ID])
			}
		}
		if len(h.Courses) == 0 && spec.Scope != collector.ScopeEdge && len(states) == 0 {
			rt.Fatal("no target was judged")
		}
	})
}

// TestAPairIsTheEngine: the same of the rule that is made of two others.
func TestAPairIsTheEngine(t *testing.T) {
	fired := 0
	rapid.Check(t, func(rt *rapid.T) {
		rules := alerts.Documented()
		for i := range rules[:3] {
			rules[i].For, rules[i].KeepFiring = draws.Draw(rt, "for"), draws.Draw(rt, "keep")
		}
		rs, err := alertstest.Input{Step: 15 * time.Second}.Readings(drawText(rt))
		if err != nil {
			rt.Fatal(err)
		}
		e, b := alerts.New(rules), tune.NewBuilder(rules)
		firings, was := 0, map[string]bool{}
		for _, r := range rs {
			e.Eval(r)
			b.Add(r)
			for _, id := range []string{"a", "b", "edge:c"} {
				for _, s := range e.For(alertstest.Target(id).ID) {
					if s.Rule.Name != alerts.RetryStorm {
						continue
					}
					if is := s.State == alerts.Firing; is != was[id] {
						if was[id] = is; is {
							firings++
						}
					}
				}
			}
		}
		got := tune.Pair(rules[3], b.History(0), b.History(2), rules[0], rules[2])
		if got.Firings != firings || got.Rule.Name != alerts.RetryStorm {
			rt.Fatalf("%d firings of %s, the engine has %d", got.Firings, got.Rule.Name, firings)
		}
		fired += firings
	})
	if fired == 0 {
		t.Error("no pair ever fired: this proves nothing")
	}
}

// TestTheMapIsBacktests: every cell has the figures of a back-test of its own.
func TestTheMapIsBacktests(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := drawSpec(rt)
		var list []*tune.History
		for range rapid.IntRange(1, 3).Draw(rt, "histories") {
			h := drawHistory(rt, spec)
			list = append(list, h)
		}
		thresholds := []float64{spec.Threshold, 1, 1.5, 2, 0, 0.5, 3}
		fors := []time.Duration{spec.For, 0, 10 * time.Second, 15 * time.Second, 45 * time.Second, 5 * time.Minute}
		m := tune.NewMap(list, spec, thresholds, fors)
		for x, threshold := range m.Thresholds {
			for y, hold := range m.Fors {
				one := spec
				one.Threshold, one.For = threshold, hold
				j := tune.BacktestAll(list, one)
				want := tune.Cell{Firings: j.All.Firings, Missed: j.All.Missed(), False: j.All.False, Worst: j.Worst.False, Lead: j.All.Lead, Median: j.All.Median}
				if diff := cmp.Diff(want, *m.At(x, y)); diff != "" {
					rt.Fatalf("%v for %s (-back-test +map):\n%s", threshold, hold, diff)
				}
			}
		}
	})
}

func drawHistory(rt *rapid.T, spec collector.RuleSpec) *tune.History {
	rs, err := alertstest.Input{Step: 15 * time.Second, RateRange: 30 * time.Second}.Readings(drawText(rt))
	if err != nil {
		rt.Fatal(err)
	}
	b := tune.NewBuilder([]collector.RuleSpec{spec})
	for _, r := range rs {
		b.Add(r)
	}
	h := b.History(0)
	var marked []tune.Incident
	for range rapid.IntRange(0, 3).Draw(rt, "incidents") {
		from := rapid.IntRange(-50, 900).Draw(rt, "from")
		marked = append(marked, incident(from, from+rapid.IntRange(0, 300).Draw(rt, "length")))
	}
	from, to := h.Span()
	h.Incidents, h.Begun = tune.Split(marked, from, to, h.Step())
	return h
}

// TestFalseAlarmAndTruthAddUp: what fires is inside or outside, never both.
func TestFalseAlarmAndTruthAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := drawSpec(rt)
		h := drawHistory(rt, spec)
		r := tune.Backtest(h, spec)
		if r.False > r.Firing || r.Found > r.Incidents || r.Median > r.Lead || len(r.Episodes) != r.Firings || r.Flaps > r.Firings {
			rt.Fatalf("%+v", r.Figures)
		}
		h.Incidents = []tune.Incident{incident(-10000, 100000)}
		if r = tune.Backtest(h, spec); r.False != 0 || (r.Firings > 0) != (r.Found == 1) {
			rt.Fatalf("all of it an incident: %+v", r.Figures)
		}
		h.Incidents, h.Begun = nil, []tune.Incident{incident(-10000, 100000)}
		if r = tune.Backtest(h, spec); r.False != 0 || r.Incidents != 0 || r.Found != 0 {
			rt.Fatalf("all of it the rest of an incident: %+v", r.Figures)
		}
		h.Begun = nil
		if r = tune.Backtest(h, spec); r.False != r.Firing {
			rt.Fatalf("none of it an incident: %+v", r.Figures)
		}
	})
}

func TestIncidentsThatOverlapAreOne(t *testing.T) {
	got := tune.Sorted([]tune.Incident{incident(100, 200), incident(0, 50), incident(150, 300), incident(90, 80), incident(50, 60)})
	want := []tune.Incident{incident(0, 60), incident(100, 300)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEvaluatingLessOften: at every third slot, as a server with a longer
// interval does, counted from the epoch.
func TestEvaluatingLessOften(t *testing.T) {
	h := build(t, alertstest.Input{Step: 5 * time.Second}, "a ingress 100x40\na downstream 100x7 200x4 100x29", amplification())
	spec := amplification(func(r *collector.RuleSpec) { r.For = 0 })
	slow, err := h.Every(30 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if got := tune.Backtest(h, spec); got.Firings != 1 || got.Firing != 20*time.Second {
		t.Errorf("every 5s: %+v", got.Figures)
	}
	if got := tune.Backtest(slow, spec); got.Firings != 0 {
		t.Errorf("every 30s the breach from 35 to 50 s is not seen: %+v", got.Figures)
	}
	if c := slow.Courses[0]; c.Len() != 7 || c.Time(1).Sub(c.Time(0)) != 30*time.Second {
		t.Errorf("%d evaluations", c.Len())
	}
	if _, err := h.Every(7 * time.Second); err == nil || !strings.Contains(err.Error(), "multiple") {
		t.Errorf("every 7s: %v", err)
	}
}

func TestWhichRuleWarnedFirst(t *testing.T) {
	rules := alerts.Documented()
	rs, err := alertstest.Input{Step: 15 * time.Second}.Readings("a ingress 100x40\na downstream 100x4 120x4 200x12 100x20\na retries 0x4 20x4 100x12 0x20")
	if err != nil {
		t.Fatal(err)
	}
	b := tune.NewBuilder(rules)
	for _, r := range rs {
		b.Add(r)
	}
	var results []tune.Result
	for i, spec := range rules[:2] {
		h := b.History(i)
		h.Incidents = []tune.Incident{incident(60, 300)}
		results = append(results, tune.Backtest(h, spec))
	}
	got := tune.WarnedFirst(results)
	if len(got) != 1 || got[0].Rule != alerts.RetryRateHigh || got[0].Lead != 0 || got[0].Next != alerts.RetryAmplificationHigh || got[0].Ahead != 2*time.Minute {
		t.Errorf("%+v", got)
	}
}

// TestTheRetryShareWarnsLongBeforeTheFactor is case D2: capacity 10,000/s,
// offered 10,100/s, every refused attempt is tried again after a second. The
// share passes 10 % after about 12 s, the factor 1.5 after about 51 s.
func TestTheRetryShareWarnsLongBeforeTheFactor(t *testing.T) {
	const calm, storm = 60, 120
	var down, retries strings.Builder
	refused := 0.0
	for s := range calm + storm {
		offered := 10_100.0
		if s < calm {
			offered = 10_000
		}
		attempts := offered + refused
		fmt.Fprintf(&down, " %g", attempts)
		fmt.Fprintf(&retries, " %g", refused)
		refused = max(attempts-10_000, 0)
	}
	text := fmt.Sprintf("a ingress 10000x%d 10100x%d\na downstream%s\na retries%s", calm, storm, down.String(), retries.String())
	rules := alerts.Documented()
	rs, err := alertstest.Input{Step: time.Second, RateRange: time.Second}.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	b := tune.NewBuilder(rules)
	for _, r := range rs {
		b.Add(r)
	}
	var results []tune.Result
	for i, spec := range rules[:2] {
		h := b.History(i)
		h.Incidents = []tune.Incident{incident(calm, calm+storm)}
		spec.For = 0
		results = append(results, tune.Backtest(h, spec))
	}
	factor, share := results[0].Warned[0].Lead, results[1].Warned[0].Lead
	if math.Abs(factor.Seconds()-51) > 1.5 || math.Abs(share.Seconds()-12) > 1.5 {
		t.Errorf("the factor is passed after %s, the share after %s; want about 51s and 12s", factor, share)
	}
	if first := tune.WarnedFirst(results)[0]; first.Rule != alerts.RetryRateHigh {
		t.Errorf("%+v", first)
	}
}

// TestAFiringAfterTheIncidentFindsNothing, though it is no false alarm within the grace.
func TestAFiringAfterTheIncidentFindsNothing(t *testing.T) {
	h := build(t, alertstest.Input{Step: 15 * time.Second, RateRange: time.Minute}, "a ingress 100x20\na downstream 100x5 200x3 100x12", amplification())
	h.Incidents = []tune.Incident{incident(0, 60)}
	got := tune.Backtest(h, amplification(func(r *collector.RuleSpec) { r.For = 0 }))
	if got.Found != 0 || got.Missed() != 1 || got.False != 0 || got.Firings != 1 || got.Episodes[0].False {
		t.Errorf("%+v", got)
	}
}

// TestAFiringThatEndsAsTheIncidentBeginsFindsNothing: at its end it fires no more,
// so that all of it was false alarm; one that fires a moment longer finds it, and so
// does one that begins with it.
func TestAFiringThatEndsAsTheIncidentBeginsFindsNothing(t *testing.T) {
	const step = 15 * time.Second
	for _, tt := range []struct {
		from  int // of the incident, in seconds
		found int
		wrong time.Duration
		apart bool
	}{
		{120, 0, 45 * time.Second, true}, // fires from 75 s on, and at 120 s no more
		{119, 1, 44 * time.Second, false},
		{75, 1, 0, false},
		{121, 0, 45 * time.Second, true},
	} {
		h := build(t, alertstest.Input{Step: step}, "a ingress 100x20\na downstream 100x5 200x3 100x12", amplification())
		h.Incidents = []tune.Incident{incident(tt.from, 280)}
		rule := amplification(func(r *collector.RuleSpec) { r.For = 0 })
		got := tune.Backtest(h, rule)
		if got.Found != tt.found || got.False != tt.wrong || got.Episodes[0].False != tt.apart {
			t.Errorf("incident from %ds: found %d, false alarm %s, %+v", tt.from, got.Found, got.False, got.Episodes)
		}
		if cell := tune.NewMap([]*tune.History{h}, rule, []float64{rule.Threshold}, []time.Duration{0}).At(0, 0); cell.Missed != 1-tt.found || cell.False != tt.wrong {
			t.Errorf("incident from %ds: the map says %+v", tt.from, *cell)
		}
	}
}

// TestAFlapIsAFiringSoonAfterTheLastOnTheSameTarget.
func TestAFlapIsAFiringSoonAfterTheLastOnTheSameTarget(t *testing.T) {
	h := build(t, alertstest.Input{Step: time.Minute}, `
		a ingress 100x30
		a downstream 200x2 100x3 200x1 100x6 200x1 100x17
		b ingress 100x30
		b downstream 100x3 200x1 100x26`, amplification())
	// a fires at 0, at 5m (3m after its end) and at 12m (6m after): one flap. b
	// fires in between, on another target.
	got := tune.Backtest(h, amplification(func(r *collector.RuleSpec) { r.For = 0 }))
	if got.Firings != 4 || got.Flaps != 1 {
		t.Errorf("%d firings, %d flaps, want 4 and 1", got.Firings, got.Flaps)
	}
}

// TestAHistoryThatBeginsInAFiringFiresAnew is case C6 for a back-test: what was
// before the first evaluation is not known, so that for runs from there, as in a
// server that has just been started.
func TestAHistoryThatBeginsInAFiringFiresAnew(t *testing.T) {
	h := build(t, alertstest.Input{Step: 15 * time.Second}, "a ingress 100x40\na downstream 200x40", amplification())
	h.Incidents = []tune.Incident{incident(-600, 585)}
	got := tune.Backtest(h, amplification())
	if len(got.Episodes) != 1 || !got.Episodes[0].Firing.Equal(at(60)) || !got.Episodes[0].Ended.IsZero() || got.Found != 1 || got.False != 0 {
		t.Errorf("%+v", got)
	}
}

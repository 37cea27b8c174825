package alerts_test

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/collector"
)

func play(t testing.TB, e *alerts.Engine, text string) []collector.Event {
	t.Helper()
	var out []collector.Event
	for _, r := range readings(t, alertstest.Input{}, text) {
		out = append(out, e.Eval(r)...)
	}
	return out
}

func TestDocumentedRulesAreValid(t *testing.T) {
	if err := alerts.Validate(alerts.Documented()); err != nil {
		t.Error(err)
	}
	alerts.Documented()[0].Threshold = 99
	if got := alerts.Documented()[0].Threshold; got != 1.5 {
		t.Errorf("a change reached the next caller: %v", got)
	}
}

func TestValidateReportsEverythingAtOnce(t *testing.T) {
	tests := []struct {
		name string
		edit func(rules []collector.RuleSpec) []collector.RuleSpec
		want []string
	}{
		{"duplicate name", func(r []collector.RuleSpec) []collector.RuleSpec { return append(r, r[0]) }, []string{"has the name of rule 1"}},
		{"no name", func(r []collector.RuleSpec) []collector.RuleSpec { r[1].Name = ""; return r }, []string{"rule 2 has no name"}},
		{"hostile name", func(r []collector.RuleSpec) []collector.RuleSpec { r[1].Name = "a\x1b[2J"; return r }, []string{"control characters"}},
		{"no signal", func(r []collector.RuleSpec) []collector.RuleSpec { r[1].Signal = 0; return r }, []string{"no known signal"}},
		{"several numbers", func(r []collector.RuleSpec) []collector.RuleSpec {
			r[0].Threshold, r[0].For, r[0].KeepFiring, r[1].MinTraffic = math.NaN(), -1, -1, math.Inf(1)
			return r
		}, []string{"threshold NaN", "for is -1ns", "keep_firing_for is -1ns", "minimum traffic is +Inf"}},
		{"unknown part", func(r []collector.RuleSpec) []collector.RuleSpec { r[3].Both[1] = "Nope"; return r }, []string{`"Nope", which does not exist`}},
		{"half a pair", func(r []collector.RuleSpec) []collector.RuleSpec { r[3].Both[1] = ""; return r }, []string{`"", which does not exist`}},
		{"part of itself", func(r []collector.RuleSpec) []collector.RuleSpec { r[3].Both[1] = r[3].Name; return r }, []string{"itself made of two rules"}},
		{"the same twice", func(r []collector.RuleSpec) []collector.RuleSpec { r[3].Both[1] = r[3].Both[0]; return r }, []string{"twice"}},
		{"pair with for", func(r []collector.RuleSpec) []collector.RuleSpec { r[3].For = time.Second; return r }, []string{"exactly while"}},
		{"pair across scopes", func(r []collector.RuleSpec) []collector.RuleSpec { r[0].Scope = collector.ScopeTotal; return r }, []string{"never meet"}},
		{"out of range", func(r []collector.RuleSpec) []collector.RuleSpec {
			r[1].Scope, r[1].Compare, r[1].Severity = 9, 9, 9
			return r
		}, []string{"scope Scope(9)", "comparison Comparison(9)", "severity Severity(9)"}},
		{"selector on the total", func(r []collector.RuleSpec) []collector.RuleSpec {
			r[1].Scope, r[1].Select = collector.ScopeTotal, map[string]*regexp.Regexp{"a": nil}
			return r
		}, []string{"no labels to select", `label "a" is empty`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules := tt.edit(alerts.Documented())
			err := alerts.Validate(rules)
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			play(t, alerts.New(rules), "t ingress 100x2\nt downstream 300x2\nt at_limit 3x2") // and does no harm
		})
	}
}

func TestScopeAndSelectorSayWhichTargetsCount(t *testing.T) {
	text := "orders ingress 100x2\norders downstream 200x2\nedge:gateway ingress 100x2\nedge:gateway downstream 300x2\npay ingress 100x2\npay downstream 100x2"
	tests := []struct {
		name string
		edit func(*collector.RuleSpec)
		want []string
	}{
		{"target", func(r *collector.RuleSpec) {}, []string{"gateway", "orders"}},
		{"edge", func(r *collector.RuleSpec) { r.Scope = collector.ScopeEdge }, []string{"gateway"}},
		{"total", func(r *collector.RuleSpec) { r.Scope = collector.ScopeTotal }, []string{"total"}},
		{"selector", func(r *collector.RuleSpec) {
			r.Select = map[string]*regexp.Regexp{"service": regexp.MustCompile("o.*|pay")}
		}, []string{"orders"}},
		{"a selector matches whole values", func(r *collector.RuleSpec) {
			r.Select = map[string]*regexp.Regexp{"service": regexp.MustCompile("order")}
		}, nil},
		{"all selectors must match", func(r *collector.RuleSpec) {
			r.Select = map[string]*regexp.Regexp{"service": regexp.MustCompile("orders"), "zone": regexp.MustCompile("a+")}
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := alerts.New([]collector.RuleSpec{rule(alerts.RetryAmplificationHigh, func(r *collector.RuleSpec) { r.For = 0; tt.edit(r) })})
			play(t, e, text)
			var got []string
			for _, s := range e.Statuses() {
				if s.Active() {
					got = append(got, s.Target.Name)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("firing on %v, want %v", got, tt.want)
			}
		})
	}
}

func TestTheOrderIsSeverityThenStateThenAmplification(t *testing.T) {
	e := alerts.New(alerts.Documented())
	play(t, e, strings.Join([]string{
		"a-calm ingress 100x5", "a-calm downstream 104x5",
		"b-calm ingress 100x5", "b-calm downstream 108x5",
		"big ingress 100x5", "big downstream 900x5", // warning
		"storm ingress 100x5", "storm downstream 200x5", "storm at_limit 1x5", // critical
		"endless ingress 0x5", "endless downstream 50x5", // warning, infinite
		"pending ingress 100x5", "pending downstream 104x2 700x3", "pending retries 0x5", // warning, not yet
		"info ingress 100x5", "info downstream 100x5", "info at_limit 1x5",
		"idle ingress 0x5", "idle downstream 0x5",
		"tiny ingress 0.1x5", "tiny downstream 0.3x5",
	}, "\n"))
	var got []string
	list := e.Statuses()
	for _, s := range list {
		if s.Active() && !slices.Contains(got, s.Target.Name) {
			got = append(got, s.Target.Name)
		}
	}
	want := []string{"storm", "endless", "big", "pending", "info"}
	if !slices.Equal(got, want) {
		t.Errorf("active: %v\nwant    %v", got, want)
	}
	if s := list[0]; s.Rule.Name != alerts.RetryStorm || s.Target.Name != "storm" || s.Shown != alerts.Firing {
		t.Errorf("leading: %s on %s", s.Rule.Name, s.Target.Name)
	}
	if !slices.IsSortedFunc(list, alerts.Rank) {
		t.Error("statuses are not in the order of Rank")
	}
}

func TestWithoutAnAlertTheWorstTargetLeads(t *testing.T) {
	e := alerts.New(alerts.Documented())
	play(t, e, "a ingress 100x2\na downstream 101x2\nb ingress 100x2\nb downstream 108x2\nc ingress 0.1x2\nc downstream 0.9x2\nd ingress 0x2\nd downstream 0x2")
	list := e.Statuses()
	if len(list) != 4 || list[0].Target.Name != "b" || list[0].Amplification.V != 1.08 {
		t.Errorf("%d statuses, leading %s %v; want the worst one that can be judged", len(list), list[0].Target.Name, list[0].Amplification)
	}
}

func TestGrowthIsTrafficAndNeverAlarms(t *testing.T) {
	e := alerts.New(alerts.Documented())
	events := play(t, e, "t ingress 1000x40 2000x4 5000x4 10000x8\nt downstream 1000x40 2000x4 5000x4 10000x8\nt retries 0x56\nt at_limit 0x56")
	if len(events) != 0 {
		t.Errorf("alarmed: %v", events)
	}
	d := e.Diagnose(alertstest.Target("t").ID)
	if d.Cause != alerts.CauseTraffic || d.Ingress < 8.9 || d.Ingress > 9.1 {
		t.Errorf("cause %s, ingress %+v", d.Cause, d.Ingress)
	}
	if all := e.Diagnose(collector.TotalID); all.Cause != alerts.CauseTraffic {
		t.Errorf("cause of the total: %s", all.Cause)
	}
}

func TestAPairFiresExactlyWhileBothDo(t *testing.T) {
	e := alerts.New(alerts.Documented())
	var got letters
	var both strings.Builder
	text := "t ingress 100x12\nt downstream 200x10 100x2\nt at_limit 0x5 1x2 0 1x4\nt retries 0x12"
	for _, r := range readings(t, alertstest.Input{}, text) {
		e.Eval(r)
		s := status(e, alerts.RetryStorm, "t")
		got.add(s)
		a, b := status(e, alerts.RetryAmplificationHigh, "t"), status(e, alerts.AttemptLimitReached, "t")
		if a.State == alerts.Firing && b.State == alerts.Firing {
			both.WriteByte('F')
		} else {
			both.WriteByte('.')
		}
		if s.Rule.Threshold != 1.5 || s.Rule.Signal != collector.Amplification {
			t.Errorf("a pair has the signal and threshold of its first rule, not %v %v", s.Rule.Signal, s.Rule.Threshold)
		}
	}
	if got.state.String() != ".....FF.FF.." || both.String() != got.state.String() {
		t.Errorf("pair %s, both %s", got.state.String(), both.String())
	}
}

func TestAPairWithAPartOffIsOff(t *testing.T) {
	rules := alerts.Documented()
	rules[2].Off = true
	e := alerts.New(rules)
	play(t, e, "t ingress 100x9\nt downstream 200x9\nt at_limit 5x9")
	for _, s := range e.Statuses() {
		if s.Rule.Name == alerts.RetryStorm || s.Rule.Name == alerts.AttemptLimitReached {
			t.Errorf("%s has a status", s.Rule.Name)
		}
	}
	if c := e.Coverage(); c.Of != 2 || c.Judged != 2 {
		t.Errorf("coverage %+v", c)
	}
}

func TestReadingsOutOfOrderAreIgnored(t *testing.T) {
	e := alerts.New(alerts.Documented())
	rs := readings(t, alertstest.Input{}, "t ingress 100x3\nt downstream 100 200 100")
	e.Eval(rs[1])
	if ev := e.Eval(rs[0]); ev != nil || e.Eval(rs[1]) != nil || e.Eval(nil) != nil {
		t.Error("an old reading was judged")
	}
	if s := status(e, alerts.RetryAmplificationHigh, "t"); s.State != alerts.Pending {
		t.Errorf("state %s", s.State)
	}
}

func TestWhatIsReturnedStaysAsItIs(t *testing.T) {
	e := alerts.New([]collector.RuleSpec{rule(alerts.RetryAmplificationHigh, func(r *collector.RuleSpec) { r.For = 0 })})
	rs := readings(t, alertstest.Input{}, "t ingress 100x4\nt downstream 200 100 200 100")
	e.Eval(rs[0])
	was, events := e.Statuses(), []collector.Event(nil)
	first := was[0]
	events = e.Eval(rs[1])
	ended, episodes := events[0], e.Episodes()
	e.Eval(rs[2])
	e.Eval(rs[3])
	if was[0].State != first.State || was[0].Value != first.Value || events[0] != ended || len(episodes) != 1 || len(e.Episodes()) != 2 {
		t.Error("a later evaluation changed what was handed out before")
	}
}

func TestTheSameTargetTwiceCountsOnce(t *testing.T) {
	e := alerts.New(alerts.Documented())
	rs := readings(t, alertstest.Input{}, "t ingress 100\nt downstream 200\nt retries 100")
	rs[0].Targets = append(rs[0].Targets, rs[0].Targets[0])
	if ev := e.Eval(rs[0]); len(ev) != 2 {
		t.Errorf("%d events: %v", len(ev), ev)
	}
	if list := e.Statuses(); len(list) != 4 {
		t.Errorf("%d statuses", len(list))
	}
}

func TestEpisodesAreBounded(t *testing.T) {
	e := alerts.New([]collector.RuleSpec{rule(alerts.AttemptLimitReached, nil)})
	play(t, e, "t at_limit "+strings.Repeat("1 0 ", 1500))
	eps := e.Episodes()
	if len(eps) != 500 || !eps[499].Ended.Equal(alertstest.Start.Add(2999*15*time.Second)) || !eps[0].Ended.Before(eps[1].Ended) {
		t.Errorf("%d episodes, the last ended %v", len(eps), eps[len(eps)-1].Ended)
	}
}

func TestTargetsThatAreGoneAreForgotten(t *testing.T) {
	e := alerts.New(alerts.Documented())
	play(t, e, "gone ingress 100x2\ngone downstream 100x2\nstays ingress 100x600\nstays downstream 100x600")
	if e.For(alertstest.Target("gone").ID) != nil {
		t.Error("a target that left two hours ago is still known")
	}
	if e.For(alertstest.Target("stays").ID) == nil {
		t.Error("a target that is there was forgotten")
	}
}

func TestBelowHasTheSmallestValueAsPeak(t *testing.T) {
	low := collector.RuleSpec{Name: "DeliveredLow", Signal: collector.Delivered, Compare: collector.Below, Threshold: 0.9}
	e := alerts.New([]collector.RuleSpec{low})
	play(t, e, "t ingress 100x4\nt successes 100 80 40 60")
	if s := status(e, "DeliveredLow", "t"); s.Shown != alerts.Firing || s.Peak.V != 0.4 {
		t.Errorf("%s, peak %v", s.Shown, s.Peak)
	}
}

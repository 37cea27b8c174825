package alerts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/collector"
)

// TestASystemIsJudgedAsIfItWereAlone: whatever another system does beside it,
// nothing changes in what is said of a system's targets.
func TestASystemIsJudgedAsIfItWereAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := drawRules(rt)
		one := in(drawText(rt), "proxy")
		two := in(drawText(rt), "library")
		input := alertstest.Input{RateRange: rapid.SampledFrom(ranges).Draw(rt, "range")}
		both, err := input.Readings(one + withoutFails(two))
		if err != nil {
			rt.Fatal(err)
		}
		alone, err := input.Readings(one)
		if err != nil {
			rt.Fatal(err)
		}
		a, b := alerts.New(rules), alerts.New(rules)
		for i := range alone {
			a.Eval(alone[i])
			b.Eval(both[i])
			for _, name := range []string{"a@proxy", "b@proxy", "edge:c@proxy"} {
				id := alertstest.Target(name).ID
				if diff := cmp.Diff(a.For(id), b.For(id), cmp.Comparer(sameSpec)); diff != "" {
					rt.Fatalf("%s at reading %d: alone (-), beside another (+):\n%s", name, i, diff)
				}
			}
		}
	})
}

func sameSpec(a, b collector.RuleSpec) bool { return a.Name == b.Name }

// in puts the targets of a text into a system.
func in(text, system string) string {
	var out strings.Builder
	for _, line := range strings.Split(text, "\n") {
		name, rest, _ := strings.Cut(line, " ")
		if name != "reading" {
			name += "@" + system
		}
		fmt.Fprintf(&out, "%s %s\n", name, rest)
	}
	return out.String()
}

func withoutFails(text string) string {
	before, _, _ := strings.Cut(text, "reading")
	return before
}

// TestTheLossOfASystemIsNotHiddenByTheOneBesideIt: a side that is gone in one
// system resolves nothing there, though the other system still has it.
func TestTheLossOfASystemIsNotHiddenByTheOneBesideIt(t *testing.T) {
	calm := "web@proxy ingress 100x6\nweb@proxy downstream 100x6\n"
	const edge = "edge:pay@proxy"
	tests := []struct{ name, text, shown string }{
		{"the edge pair of a system beside its hops", edge + " ingress 100x2 _x2 100x2\n" + edge + " downstream 300x6\n", "FFHHFF"},
		{"ingress missing", "pay@lib ingress 100x2 _x2 100x2\npay@lib downstream 300x6\n", "FFHHFF"},
		{"both sides missing", "pay@lib ingress 100x2 _x2 100x2\npay@lib downstream 300x2 _x2 100x2\n", "FFHH.."},
		{"query failed", "pay@lib ingress 100x2 !x2 100x2\npay@lib downstream 300x4 100x2\n", "FFHH.."},
		{"partial", "pay@lib ingress 100x2 p100x2 100x2\npay@lib downstream 300x2 100x4\n", "FFHH.."},
		{"one target of the system is gone", "pay@lib ingress 100x2 _x4\npay@lib downstream 300x2 _x4\nuser@lib ingress 100x6\nuser@lib downstream 100x6\n", "FF...."},
	}
	spec := rule(alerts.RetryAmplificationHigh, func(r *collector.RuleSpec) { r.For = 0 })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := alerts.New([]collector.RuleSpec{spec})
			name, _, _ := strings.Cut(tt.text, " ")
			var got letters
			for _, r := range readings(t, alertstest.Input{}, calm+tt.text) {
				e.Eval(r)
				got.add(status(e, spec.Name, name))
				if s := status(e, spec.Name, "web@proxy"); s.Shown != alerts.Inactive || s.Held {
					t.Errorf("the calm system is %s, held %v", s.Shown, s.Held)
				}
			}
			if got.shown.String() != tt.shown {
				t.Errorf("shown %s, want %s", got.shown.String(), tt.shown)
			}
		})
	}
}

// TestARuleIsJudgedWhenOneSystemCanJudgeIt, and the others are named with the reason.
func TestARuleIsJudgedWhenOneSystemCanJudgeIt(t *testing.T) {
	full := "pay@lib ingress 100x4\npay@lib downstream 110x4\npay@lib at_limit 0x4\n"
	pool := "db@go_sql pool_wait 0.2x4\n"
	proxy := "pay@istio ingress 100x4\npay@istio downstream 100x4\n"
	missing := func(rule string, s collector.Signal, why alerts.Why, systems ...string) alerts.Missing {
		return alerts.Missing{Rule: rule, Signal: s, Why: why, Systems: systems}
	}
	const amp, rate, limit = alerts.RetryAmplificationHigh, alerts.RetryRateHigh, alerts.AttemptLimitReached
	tests := []struct {
		name, text string
		want       alerts.Coverage
		lost       bool
	}{
		{"all of one system", full, alerts.Coverage{Judged: 3, Of: 3}, false},
		{"a proxy that does not know the limit", proxy, alerts.Coverage{Judged: 2, Of: 3, Missing: []alerts.Missing{
			missing(limit, collector.AtLimit, alerts.WhyNotExported)}}, false},
		{"two that do not", proxy + pool, alerts.Coverage{Judged: 2, Of: 3, Missing: []alerts.Missing{
			missing(limit, collector.AtLimit, alerts.WhyNotExported, "go_sql", "istio")}, Elsewhere: []alerts.Missing{
			missing(amp, collector.Ingress, alerts.WhyNotExported, "go_sql"),
			missing(rate, collector.Ingress, alerts.WhyNotExported, "go_sql")}}, false},
		{"one that does", full + proxy, alerts.Coverage{Judged: 3, Of: 3, Elsewhere: []alerts.Missing{
			missing(limit, collector.AtLimit, alerts.WhyNotExported, "istio")}}, false},
		{"one that is lost beside one that never was", "pay@lib ingress 100 _x3\npay@lib downstream 100x4\n" + pool,
			alerts.Coverage{Judged: 0, Of: 3, Missing: []alerts.Missing{
				missing(amp, collector.Ingress, alerts.WhyNoData, "lib"), missing(rate, collector.Ingress, alerts.WhyNoData, "lib"),
				missing(limit, collector.AtLimit, alerts.WhyNotExported, "go_sql", "lib")}}, false},
		{"one that is lost beside one that judges", "pay@lib ingress 100 _x3\npay@lib downstream 100x4\n" + proxy,
			alerts.Coverage{Judged: 2, Of: 3, Missing: []alerts.Missing{
				missing(limit, collector.AtLimit, alerts.WhyNotExported, "istio", "lib")}, Elsewhere: []alerts.Missing{
				missing(amp, collector.Ingress, alerts.WhyNoData, "lib"), missing(rate, collector.Ingress, alerts.WhyNoData, "lib")}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := alerts.New(alerts.Documented())
			for _, r := range readings(t, alertstest.Input{}, tt.text) {
				e.Eval(r)
			}
			if diff := cmp.Diff(tt.want, e.Coverage()); diff != "" || e.Coverage().Lost() != tt.lost {
				t.Errorf("lost %v: %s", e.Coverage().Lost(), diff)
			}
		})
	}
}

// TestASystemThatIsGoneStaysTheOneThatIsTold: a pool exporter that cannot judge
// the ratio does not take the place of the system whose data is missing.
func TestASystemThatIsGoneStaysTheOneThatIsTold(t *testing.T) {
	e := alerts.New([]collector.RuleSpec{rule(alerts.RetryAmplificationHigh, nil)})
	text := "pay@lib ingress 100x2 _x2\npay@lib downstream 100x2 _x2\ndb@go_sql pool_wait 0.2x4"
	for _, r := range readings(t, alertstest.Input{}, text) {
		e.Eval(r)
	}
	if s := e.Statuses()[0]; s.Target.Name != "pay" || s.Shown != alerts.Inactive || !s.Held || s.HeldWhy != alerts.WhyNoData {
		t.Errorf("%s is %s, held %v because of %q", s.Target.Name, s.Shown, s.Held, s.HeldWhy)
	}
}

// TestHalfOfTheReportersGone: partial and held, not resolved, and nothing new
// fires of it (case A6). The state goes on as Prometheus's would.
func TestHalfOfTheReportersGone(t *testing.T) {
	tests := []struct{ name, text, state, shown string }{
		{"a firing is kept, not resolved",
			"t ingress 100x8\nt downstream 200x3 100x3 100x2\nreporters downstream 40/40x3 20/40x3 40/40x2", "FFF.....", "FFFHHH.."},
		{"a breach that is only one of missing reporters does not fire",
			"t ingress 100x3 50x3 100x2\nt downstream 100x8\nreporters ingress 40/40x3 20/40x3 40/40x2", "...FFF..", "...---.."},
		{"a real breach fires once the reporters are back",
			"t ingress 100x3 50x3 100x2\nt downstream 100x4 200x4\nreporters ingress 40/40x3 20/40x3 40/40x2", "...FFFFF", "...---FF"},
		{"one of forty may restart",
			"t ingress 100x4\nt downstream 200x4\nreporters downstream 40/40x2 39/40x2", "FFFF", "FFFF"},
		{"a usual number that is not known holds nothing",
			"t ingress 100x4\nt downstream 200x4\nreporters downstream 3/0x4", "FFFF", "FFFF"},
		{"the reporters of another system are not its own",
			"t@a ingress 100x3\nt@a downstream 200x3\no@b ingress 100x3\no@b downstream 100x3\nreporters@b ingress 40/40 20/40x2", "FFF", "FFF"},
	}
	spec := rule(alerts.RetryAmplificationHigh, func(r *collector.RuleSpec) { r.For = 0 })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := alerts.New([]collector.RuleSpec{spec})
			name, _, _ := strings.Cut(tt.text, " ")
			var got letters
			for _, r := range readings(t, alertstest.Input{}, tt.text) {
				e.Eval(r)
				got.add(status(e, spec.Name, name))
			}
			if got.state.String() != tt.state || got.shown.String() != tt.shown {
				t.Errorf("state %s, want %s\nshown %s, want %s", got.state.String(), tt.state, got.shown.String(), tt.shown)
			}
		})
	}
}

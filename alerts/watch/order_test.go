package watch_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// ordered plays one reading of targets with the given amplifications and
// requests at their limit, and lists their names in order.
func ordered(rules []collector.RuleSpec, amplification, atLimit map[string]float64) []string {
	storm := watchtest.Storm{Targets: 4, Calm: true}
	var rs []*collector.Reading
	for i := range 2 {
		rs = append(rs, watchtest.Edit(storm.Reading(time.Duration(i)*time.Minute), func(row *collector.Row) {
			row.Values[collector.Amplification] = collector.Num(amplification[row.Target.Name], collector.Ratio, collector.Exact)
			row.Values[collector.RetryRate] = collector.Num(0, collector.Fraction, collector.Exact)
			row.Values[collector.AtLimit].V = atLimit[row.Target.Name]
		}))
	}
	s := watchtest.Play(rules, rs...)
	var out []string
	for _, i := range s.Order {
		out = append(out, s.Good.Targets[i].Target.Name)
	}
	if s.Worst.Target.Name != out[0] {
		out = append(out, "but the worst is "+s.Worst.Target.Name)
	}
	return out
}

func TestTargetsAreInTheOrderOfTrouble(t *testing.T) {
	calm := map[string]float64{"cart": 1.01, "orders": 1.02, "payments-channel": 1.01, "users": 1}
	with := func(base map[string]float64, name string, f float64) map[string]float64 {
		out := map[string]float64{name: f}
		for k, v := range base {
			if k != name {
				out[k] = v
			}
		}
		return out
	}
	tests := []struct {
		name    string
		ampl    map[string]float64
		atLimit map[string]float64
		want    []string
	}{
		{"calm: by amplification, then name", calm, nil, []string{"orders", "cart", "payments-channel", "users"}},
		{"an alert before a larger ratio", with(calm, "users", 1.4), map[string]float64{"cart": 1}, []string{"cart", "users", "orders", "payments-channel"}},
		{"severity before amplification", with(with(calm, "users", 1.6), "cart", 9), map[string]float64{"users": 1}, []string{"users", "cart", "orders", "payments-channel"}},
		{"the worse of two firing", with(with(calm, "users", 1.6), "cart", 1.7), nil, []string{"cart", "users", "orders", "payments-channel"}},
	}
	for _, tt := range tests {
		if got := ordered(alerts.Documented(), tt.ampl, tt.atLimit); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestARatioOfTooLittleTrafficDoesNotLead(t *testing.T) {
	rates := map[string][2]float64{"cart": {0.2, 0.9}, "orders": {100, 101}, "payments-channel": {0, 0.5}, "users": {0.5, 3}}
	r := watchtest.Edit(watchtest.Storm{Targets: 4, Calm: true}.Reading(0), func(row *collector.Row) {
		row.Values[collector.Ingress].V, row.Values[collector.Downstream].V = rates[row.Target.Name][0], rates[row.Target.Name][1]
	})
	for name, c := range map[string]struct {
		rules []collector.RuleSpec
		want  string
	}{
		"documented": {only(alerts.RetryAmplificationHigh), "users orders cart payments-channel"},
		"no rule":    {nil, "payments-channel users cart orders"},
	} {
		s := watchtest.Play(c.rules, r)
		var got []string
		for _, i := range s.Order {
			got = append(got, s.Good.Targets[i].Target.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// only is one of the documented rules.
func only(name string) []collector.RuleSpec {
	for _, r := range alerts.Documented() {
		if r.Name == name {
			return []collector.RuleSpec{r}
		}
	}
	panic("no rule " + name)
}

package verdict_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"stormtop/collector"
	"stormtop/views/verdict"
)

func TestALongNameKeepsBothEndsAndItsPlace(t *testing.T) {
	long := "payments-" + strings.Repeat("x", 150) + "-eu1"
	got := verdict.Name(long)
	if utf8.RuneCountInString(got) != 40 || !strings.HasPrefix(got, "payments-") || !strings.HasSuffix(got, "-eu1") {
		t.Errorf("%q", got)
	}
	if got := verdict.Name("payments"); got != "payments" {
		t.Errorf("%q", got)
	}
}

func TestAShareOfNothingIsNotIdleWhileThereIsTraffic(t *testing.T) {
	row := func(ingress, attempts, successes float64) collector.Row {
		var r collector.Row
		for s, f := range map[collector.Signal]float64{
			collector.Ingress: ingress, collector.Downstream: attempts, collector.Successes: successes, collector.Rescued: 0,
		} {
			r.Values[s] = collector.Num(f, collector.PerSecond, collector.Exact)
		}
		r.Values.Derive(1)
		return r
	}
	for _, tt := range []struct {
		name   string
		row    collector.Row
		signal collector.Signal
		want   string
	}{
		{"an outage", row(200, 1200, 0), collector.RescuedShare, "0 of 0"},
		{"nothing at all", row(0, 0, 0), collector.RescuedShare, "idle"},
		{"a ratio of nothing", row(0, 0, 0), collector.Amplification, "idle"},
		{"some success", row(200, 400, 100), collector.RescuedShare, "0.0%"},
	} {
		if got := verdict.Number(tt.row, tt.signal); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestNoMoreIsDeliveredThanAll without a word, in every state that has a number.
func TestNoMoreIsDeliveredThanAll(t *testing.T) {
	for share, want := range map[float64]string{0: "0.0%", 0.987: "98.7%", 1: "100%", 1.0049: "100%", 1.0051: "100%+", 1.01: "100%+", 1.9: "100%+", 40: "100%+"} {
		for _, state := range []collector.State{collector.Ok, collector.Stale, collector.Partial} {
			var row collector.Row
			row.Values[collector.Delivered] = collector.Num(share, collector.Fraction, collector.Exact).With(state)
			row.Values[collector.AtLimit] = collector.Num(share, collector.PerSecond, collector.Exact)
			if got := verdict.Number(row, collector.Delivered); !strings.HasPrefix(got, want) || strings.Contains(got, "+") != verdict.BacklogToo(row, collector.Delivered) {
				t.Errorf("%v, %v: %q, want %q", share, state, got, want)
			}
			if got := verdict.Number(row, collector.AtLimit); strings.Contains(got, "+") || verdict.BacklogToo(row, collector.AtLimit) {
				t.Errorf("%v at limit: %q", share, got)
			}
		}
	}
}

package collector

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestNamesParseBack(t *testing.T) {
	for _, s := range Signals() {
		if got, err := ParseSignal(s.String()); err != nil || got != s {
			t.Errorf("ParseSignal(%q) = %v, %v", s, got, err)
		}
	}
	for s := Missing; s <= Failed; s++ {
		if got, err := ParseState(s.String()); err != nil || got != s {
			t.Errorf("ParseState(%q) = %v, %v", s, got, err)
		}
	}
	for u := Ratio; u <= Count; u++ {
		if got, err := ParseUnit(u.String()); err != nil || got != u {
			t.Errorf("ParseUnit(%q) = %v, %v", u, got, err)
		}
	}
	for l := Exact; l <= Heuristic; l++ {
		if got, err := ParseTrust(l.String()); err != nil || got != l {
			t.Errorf("ParseTrust(%q) = %v, %v", l, got, err)
		}
	}
	for s := ScopeTarget; s <= ScopeTotal; s++ {
		if got, err := ParseScope(s.String()); err != nil || got != s {
			t.Errorf("ParseScope(%q) = %v, %v", s, got, err)
		}
	}
}

func TestAnUnknownNameIsQuotedWithTheChoices(t *testing.T) {
	parsers := map[string]func(string) error{
		"delivered":   func(s string) error { _, err := ParseSignal(s); return err },
		"state":       func(s string) error { _, err := ParseState(s); return err },
		"per_second":  func(s string) error { _, err := ParseUnit(s); return err },
		"lower_bound": func(s string) error { _, err := ParseTrust(s); return err },
		"edge":        func(s string) error { _, err := ParseScope(s); return err },
	}
	for hint, parse := range parsers {
		for _, bad := range []string{"", "nonsense", "Ok", "ev\x1bil"} {
			err := parse(bad)
			if err == nil || !strings.Contains(err.Error(), hint) || strings.ContainsRune(err.Error(), 0x1b) {
				t.Errorf("parsing %q (%s): %v", bad, hint, err)
			}
		}
	}
	for _, name := range []string{"none", "unknown"} {
		if _, err := ParseSignal(name); err == nil {
			t.Errorf("%q is no signal", name)
		}
		if _, err := ParseUnit(name); err == nil {
			t.Errorf("%q is no unit", name)
		}
		if _, err := ParseTrust(name); err == nil {
			t.Errorf("%q is no trust", name)
		}
	}
}

func TestEveryEnumerationNamesEveryNumber(t *testing.T) {
	for i := range 256 {
		n := uint8(i)
		for _, s := range []fmt.Stringer{
			Signal(n), State(n), Unit(n), Trust(n), Scope(n), Severity(n),
			Comparison(n), FailureKind(n), EventKind(n), RatioKind(n),
		} {
			if s.String() == "" {
				t.Errorf("%T(%d) has no name", s, i)
			}
		}
		if u := Signal(n).Unit(); Signal(n) >= NumSignals && u != NoUnit {
			t.Errorf("Signal(%d) has the unit %v", i, u)
		}
	}
}

func TestSignalsAreInputsThenDerived(t *testing.T) {
	for i, s := range Signals() {
		if s.Derived() != (i >= len(Inputs())) || s.Unit() == NoUnit || int(s) != i+1 {
			t.Errorf("%v at %d: derived %v, unit %v", s, i, s.Derived(), s.Unit())
		}
	}
}

func TestComparisonsFollowPromQL(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		c    Comparison
		text string
		v    float64
		want bool
	}{
		{Above, ">", 1.5, false}, {Above, ">", math.Nextafter(1.5, 2), true}, {Above, ">", inf, true}, {Above, ">", nan, false},
		{AtLeast, ">=", 1.5, true}, {AtLeast, ">=", 1.4, false}, {AtLeast, ">=", nan, false},
		{Below, "<", 1.5, false}, {Below, "<", 1.4, true}, {Below, "<", math.Inf(-1), true}, {Below, "<", nan, false},
		{AtMost, "<=", 1.5, true}, {AtMost, "<=", 1.6, false}, {AtMost, "<=", nan, false},
		{Comparison(9), "Comparison(9)", 2, false},
	}
	for _, tt := range tests {
		if got := tt.c.Holds(tt.v, 1.5); got != tt.want || tt.c.String() != tt.text {
			t.Errorf("%v %v 1.5 = %v, want %v", tt.v, tt.c, got, tt.want)
		}
	}
}

package collector

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func below(f float64) float64 { return math.Nextafter(f, math.Inf(-1)) }

func TestFormatCountAtItsThresholds(t *testing.T) {
	tests := []struct {
		f    float64
		want string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{5e-324, "4.9e-324"},
		{0.00012, "0.00012"},
		{below(0.0005), "0.0005"},
		{0.0005, "0.001"}, {0.0016, "0.002"},
		{below(0.0995), "0.099"},
		{0.0995, "0.10"},
		{0.1, "0.10"},
		{below(1), "1.00"},
		{1, "1"},
		{1.25, "1.25"},
		{below(9.995), "9.99"},
		{9.995, "10.0"},
		{42, "42"},
		{42.25, "42.2"},
		{below(99.95), "99.9"},
		{99.95, "100"},
		{below(100), "100"},
		{100, "100"},
		{below(999.5), "999"},
		{999.5, "1,000"},
		{1998, "1,998"},
		{below(9999.5), "9,999"},
		{9999.5, "10,000"},
		{54321, "54,320"},
		{below(99995), "99,990"},
		{99995, "100,000"},
		{1234567, "1,235,000"},
		{9994999, "9,995,000"},
		{below(1e7), "10,000,000"},
		{1e7, "10.00M"},
		{12345678, "12.35M"},
		{below(99.995e6), "99.99M"},
		{99.995e6, "100.0M"},
		{123456789, "123.5M"},
		{below(999.95e6), "999.9M"},
		{999.95e6, "1,000M"},
		{1234567890, "1,235M"},
		{below(1e10), "10,000M"},
		{1e10, "1e+10"},
		{12345678901, "1.235e+10"},
		{math.MaxFloat64, "1.798e+308"},
		{-1998, "-1,998"},
		{-0.25, "-0.25"},
		{-12345678, "-12.35M"},
		{math.NaN(), "–"},
		{math.Inf(1), "–"},
		{math.Inf(-1), "–"},
	}
	for _, tt := range tests {
		if got := FormatCount(tt.f); got != tt.want {
			t.Errorf("FormatCount(%v) = %q, want %q", tt.f, got, tt.want)
		}
	}
}

func TestRatioAndFractionAtTheirThresholds(t *testing.T) {
	tests := []struct {
		f    float64
		u    Unit
		want string
	}{
		{0, Ratio, "0.00x"},
		{math.Copysign(0, -1), Ratio, "0.00x"},
		{0.0004, Ratio, "<0.01x"},
		{below(0.005), Ratio, "<0.01x"},
		{0.005, Ratio, "0.01x"},
		{1, Ratio, "1.00x"},
		{2.48, Ratio, "2.48x"},
		{below(9.995), Ratio, "9.99x"},
		{9.995, Ratio, "10.0x"},
		{26.97, Ratio, "27.0x"},
		{below(99.95), Ratio, "99.9x"},
		{99.95, Ratio, "100x"},
		{below(999.5), Ratio, "999x"},
		{999.5, Ratio, "1,000x"},
		{below(1e10), Ratio, "10,000,000,000x"},
		{1e10, Ratio, "1e+10x"},
		{-1.5, Ratio, "-1.50x"},
		{0, Fraction, "0.0%"},
		{0.0004, Fraction, "<0.1%"},
		{below(0.0005), Fraction, "<0.1%"},
		{0.0005, Fraction, "0.1%"},
		{0.07, Fraction, "7.0%"},
		{0.1, Fraction, "10.0%"},
		{0.597, Fraction, "59.7%"},
		{below(0.9995), Fraction, "99.9%"},
		{0.9996, Fraction, "100%"},
		{1, Fraction, "100%"},
		{12.5, Fraction, "1,250%"},
	}
	for _, tt := range tests {
		if got := Num(tt.f, tt.u, Exact).String(); got != tt.want {
			t.Errorf("%v as %v = %q, want %q", tt.f, tt.u, got, tt.want)
		}
	}
}

func TestSecondsAtTheirThresholds(t *testing.T) {
	tests := []struct {
		f    float64
		want string
	}{
		{0, "0ms"},
		{1e-9, "0.001µs"},
		{0.49e-6, "0.49µs"},
		{0.51e-6, "1µs"},
		{123e-6, "123µs"},
		{0.00099949999, "999µs"},
		{0.0009995, "1.0ms"},
		{0.00994999999, "9.9ms"},
		{0.00995, "10ms"},
		{0.24, "240ms"},
		{0.99949999999, "999ms"},
		{0.9995, "1.00s"},
		{below(9.995), "9.99s"},
		{9.995, "10.0s"},
		{below(99.95), "99.9s"},
		{99.95, "1m40s"},
		{3599.4, "59m59s"},
		{3599.5, "1h"},
		{below(1e9), "11574d1h"},
		{1e9, "1e+09s"},
		{-0.24, "-240ms"},
		{-300, "-5m"},
	}
	for _, tt := range tests {
		if got := Num(tt.f, Seconds, Exact).String(); got != tt.want {
			t.Errorf("%v seconds = %q, want %q", tt.f, got, tt.want)
		}
	}
}

func TestEveryStateHasTextOfItsOwn(t *testing.T) {
	seen := map[string]State{}
	for s := Missing; s <= Failed; s++ {
		text := Num(2.48, Ratio, Exact).With(s).String()
		if s.HasNumber() {
			text = Value{V: 2.48, State: s, Unit: Ratio, Trust: Exact}.String()
		}
		if other, taken := seen[text]; taken {
			t.Errorf("%v and %v both read %q", s, other, text)
		}
		seen[text] = s
		if strings.Contains(text, "0") {
			t.Errorf("%v reads %q, which looks like a zero", s, text)
		}
	}
	if got := (Value{V: 3, State: State(99)}).String(); got != "?" {
		t.Errorf("a state that does not exist reads %q", got)
	}
}

func TestTrustIsMarkedInFrontOfTheNumber(t *testing.T) {
	tests := []struct {
		trust Trust
		state State
		want  string
	}{
		{Exact, Ok, "1,998/s"},
		{NoTrust, Ok, "1,998/s"},
		{Approx, Ok, "~1,998/s"},
		{Heuristic, Ok, "~1,998/s"},
		{LowerBound, Ok, "≥1,998/s"},
		{LowerBound, Stale, "≥1,998/s old"},
		{Approx, Partial, "~1,998/s part"},
		{Approx, Missing, "–"},
		{LowerBound, Infinite, "∞"},
	}
	for _, tt := range tests {
		v := Value{V: 1998, State: tt.state, Unit: PerSecond, Trust: tt.trust}
		if got := v.String(); got != tt.want {
			t.Errorf("%v %v = %q, want %q", tt.trust, tt.state, got, tt.want)
		}
	}
}

func TestAgainstShowsTheDifference(t *testing.T) {
	tests := []struct {
		v, threshold float64
		u            Unit
		want         string
	}{
		{3.6 / 2.4, 1.5, Ratio, "1.50x"}, // exactly the threshold
		{1.5004, 1.5, Ratio, "1.5004x"},
		{1.496, 1.5, Ratio, "1.496x"},
		{1.5049, 1.505, Ratio, "1.5049x"},
		{1.50000001, 1.5, Ratio, "1.50000001x"},
		{math.Nextafter(1.5, 2), 1.5, Ratio, "1.5000000000000002x"},
		{1.52, 1.5, Ratio, "1.52x"},
		{2.48, 1.5, Ratio, "2.48x"},
		{0.10003, 0.1, Fraction, "10.003%"},
		{0.0997, 0.1, Fraction, "9.97%"}, {0.09999, 0.1, Fraction, "9.999%"},
		{1499.6, 1500, PerSecond, "1,499.6/s"},
		{1500, 1500, PerSecond, "1,500/s"},
		{0.0001, 0, PerSecond, "0.0001/s"},
		{0.2403, 0.24, Seconds, "240.3ms"},
		{100.25, 100, Seconds, "100.2s"},
	}
	for _, tt := range tests {
		if got := Num(tt.v, tt.u, Exact).Against(tt.threshold); got != tt.want {
			t.Errorf("%v against %v = %q, want %q", tt.v, tt.threshold, got, tt.want)
		}
	}
	if got := Num(math.NaN(), Ratio, Exact).Against(1.5); got != "idle" {
		t.Errorf("idle against a threshold = %q", got)
	}
	if got := Num(1.5004, Ratio, Approx).Against(1.5); got != "~1.5004x" {
		t.Errorf("an approximate value lost its mark: %q", got)
	}
}

func TestFormatThresholdKeepsAllDigits(t *testing.T) {
	tests := []struct {
		f    float64
		u    Unit
		want string
	}{
		{1.5, Ratio, "1.5x"},
		{1.125, Ratio, "1.125x"},
		{0.1, Fraction, "10%"},
		{0.07, Fraction, "7%"},
		{0.005, Fraction, "0.5%"},
		{0, PerSecond, "0/s"},
		{1234567, PerSecond, "1,234,567/s"},
		{1e-5, PerSecond, "0.00001/s"},
		{1e-6, PerSecond, "1e-06/s"},
		{1e15, Count, "1e+15"},
		{-1500.5, Count, "-1,500.5"},
		{0.25, Seconds, "250ms"},
		{0, Seconds, "0s"},
		{1.8, Seconds, "1.8s"},
		{300, Seconds, "300s"},
		{math.NaN(), Ratio, "–"},
		{1e308, Fraction, "1e+308%"},
	}
	for _, tt := range tests {
		if got := FormatThreshold(tt.f, tt.u); got != tt.want {
			t.Errorf("FormatThreshold(%v, %v) = %q, want %q", tt.f, tt.u, got, tt.want)
		}
	}
}

// anyFloat draws every float64 there is, often one with few digits.
func anyFloat() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.Uint64(), math.Float64frombits),
		rapid.Float64Range(-1e11, 1e11),
		rapid.Float64Range(0, 200),
		rapid.Float64Range(0, 0.01),
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, math.MaxFloat64}),
	)
}

func anyUnit() *rapid.Generator[Unit] { return rapid.Map(rapid.IntRange(0, 5), toUnit) }

func toUnit(i int) Unit { return Unit(i) }

// significantDigits counts the digits of a plain or scientific number that say
// something: not leading zeros, not zeros that only fill the places before the point.
func significantDigits(s string) int {
	s, _, _ = strings.Cut(s, "e")
	s = strings.TrimLeft(strings.ReplaceAll(strings.TrimLeft(s, "-~≥"), ",", ""), "0.")
	s = strings.TrimRight(s, "Mx%/sµ")
	if !strings.Contains(s, ".") {
		s = strings.TrimRight(s, "0")
	}
	return strings.Count(s, "") - 1 - strings.Count(s, ".")
}

func TestAnyNumberIsShortAndHasFourDigitsAtMost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, u := anyFloat().Draw(t, "f"), anyUnit().Draw(t, "unit")
		s := formatNumber(f, u)
		// The longest: a large ratio "-1,235,000,000x", a rate "-1.798e+308/s", a long wait "-11574d23h".
		if n := utf8.RuneCountInString(s); n == 0 || n > 15 {
			t.Errorf("%v as %v is %d wide: %q", f, u, n, s)
		}
		if u != Seconds && significantDigits(s) > 4 {
			t.Errorf("%v as %v has more than four digits: %q", f, u, s)
		}
		if f > 0 && !math.IsInf(f, 0) && u != Seconds && !strings.ContainsAny(s, "123456789") {
			t.Errorf("%v as %v looks like zero: %q", f, u, s)
		}
		if got := formatNumber(-f, u); f > 0 && !math.IsInf(f, 0) && got != "-"+s {
			t.Errorf("%v is %q but its negative is %q", f, s, got)
		}
	})
}

func TestAnyNumberAgainstAnyThresholdIsToldApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threshold, u := rapid.Float64Range(0, 5000).Draw(t, "threshold"), anyUnit().Draw(t, "unit")
		v := threshold + rapid.SampledFrom([]float64{0, 1e-12, 1e-6, -1e-6, 0.004, -0.004, 0.1, 100}).Draw(t, "difference")
		got := Num(v, u, Exact).Against(threshold)
		same := Num(threshold, u, Exact).String()
		if (v == threshold) != (got == same) {
			t.Errorf("%v against %v reads %q, the threshold itself %q", v, threshold, got, same)
		}
	})
}

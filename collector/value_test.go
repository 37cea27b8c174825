package collector

import (
	"math"
	"testing"
)

func TestNumIsNeverNaNOrInfinite(t *testing.T) {
	tests := []struct {
		f    float64
		want Value
	}{
		{2.48, Value{2.48, Ok, Ratio, Exact}},
		{0, Value{0, Ok, Ratio, Exact}},
		{math.NaN(), Value{0, Idle, Ratio, Exact}},
		{math.Inf(1), Value{0, Infinite, Ratio, Exact}},
		{math.Inf(-1), Value{0, Infinite, Ratio, Exact}},
	}
	for _, tt := range tests {
		if got := Num(tt.f, Ratio, Exact); got != tt.want {
			t.Errorf("Num(%v) = %+v, want %+v", tt.f, got, tt.want)
		}
	}
}

func TestFloatIsWhatPromQLSees(t *testing.T) {
	tests := []struct {
		state  State
		sample bool
		fires  bool // whether "> 1.5" returns a sample
	}{
		{Missing, false, false},
		{Ok, true, true},
		{Idle, true, false},
		{Infinite, true, true},
		{Stale, true, true},
		{Partial, true, true},
		{Failed, false, false},
		{State(99), false, false},
	}
	for _, tt := range tests {
		v := Value{V: 2.48}.With(tt.state)
		f, ok := v.Float()
		if ok != tt.sample || ok && Above.Holds(f, 1.5) != tt.fires {
			t.Errorf("%v: Float() = %v, %v", tt.state, f, ok)
		}
		n, ok := v.Number()
		if ok != tt.state.HasNumber() || ok && n != 2.48 || !ok && n != 0 {
			t.Errorf("%v: Number() = %v, %v", tt.state, n, ok)
		}
	}
}

func TestWithKeepsUnitAndTrust(t *testing.T) {
	v := Num(5, PerSecond, Approx).With(Failed)
	if want := (Value{0, Failed, PerSecond, Approx}); v != want {
		t.Errorf("got %+v, want %+v", v, want)
	}
}

func TestWorseOrdersAmplifications(t *testing.T) {
	worstFirst := []Value{
		Value{}.With(Infinite), ratio(27), ratio(2.48), ratio(1.02).With(Stale), ratio(0.94), ratio(0),
	}
	for i, a := range worstFirst {
		for j, b := range worstFirst {
			if got := Worse(a, b); got != (i < j) {
				t.Errorf("Worse(%v, %v) = %v", a, b, got)
			}
		}
		for _, s := range []State{Missing, Idle, Failed} {
			if unknown := (Value{}).With(s); !Worse(a, unknown) || Worse(unknown, a) {
				t.Errorf("%v does not come before %v", a, s)
			}
		}
	}
}

func ratio(f float64) Value { return Num(f, Ratio, Exact) }

package collector

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func rate(f float64) Value { return Num(f, PerSecond, Exact) }

func TestDeriveTellsTheKindsOfNoNumberApart(t *testing.T) {
	tests := []struct {
		name             string
		in, down         Value
		ampl, retry      State
		amplText, rtText string
	}{
		{"storm", rate(1998), rate(4955), Ok, Ok, "2.48x", "~59.7%"},
		{"attempts with no ingress", rate(0), rate(50), Infinite, Ok, "∞", "~100%"},
		{"nothing asked, nothing sent", rate(0), rate(0), Idle, Idle, "idle", "idle"},
		{"breaker open", rate(50), rate(0), Ok, Idle, "0.00x", "idle"},
		{"fewer attempts than requests", rate(100), rate(94), Ok, Ok, "0.94x", "~0.0%"},
		{"no ingress series", Value{}, rate(50), Missing, Missing, "–", "–"},
		{"no downstream series", rate(50), Value{}, Missing, Missing, "–", "–"},
		{"neither", Value{}, Value{}, Missing, Missing, "–", "–"},
		{"ingress failed", rate(0).With(Failed), rate(50), Failed, Failed, "×", "×"},
		{"downstream failed, ingress missing", Value{}, rate(0).With(Failed), Failed, Failed, "×", "×"},
		{"exactly the threshold", rate(2.4), rate(3.6), Ok, Ok, "1.50x", "~33.3%"},
		{"linkerd's example", rate(2.8), rate(4.7), Ok, Ok, "1.68x", "~40.4%"},
	}
	for _, tt := range tests {
		var v Values
		v[Ingress], v[Downstream] = tt.in, tt.down
		v.Derive(1)
		if v[Amplification].State != tt.ampl || v[Amplification].String() != tt.amplText {
			t.Errorf("%s: amplification is %v %q, want %v %q", tt.name, v[Amplification].State, v[Amplification], tt.ampl, tt.amplText)
		}
		if v[RetryRate].State != tt.retry || v[RetryRate].String() != tt.rtText {
			t.Errorf("%s: retry rate is %v %q, want %v %q", tt.name, v[RetryRate].State, v[RetryRate], tt.retry, tt.rtText)
		}
	}
	if Above.Holds(3.6/2.4, 1.5) {
		t.Error("3.6/2.4 is above 1.5")
	}
}

func TestDeriveCarriesTheStateOfItsParts(t *testing.T) {
	states := []State{Missing, Ok, Stale, Partial, Failed}
	for _, num := range states {
		for _, den := range states {
			var want State
			switch {
			case num == Failed || den == Failed:
				want = Failed
			case num == Missing || den == Missing:
				want = Missing
			case num == Partial || den == Partial:
				want = Partial
			case num == Stale || den == Stale:
				want = Stale
			default:
				want = Ok
			}
			var v Values
			v[Downstream], v[Retries] = rate(30).With(num), rate(10).With(num)
			v[Ingress], v[Successes] = rate(20).With(den), rate(20).With(den)
			v[Rescued] = rate(5).With(num)
			v.Derive(1)
			for _, s := range []Signal{Amplification, RescuedShare} {
				if v[s].State != want {
					t.Errorf("%v of %v and %v is %v, want %v", s, num, den, v[s].State, want)
				}
			}
		}
	}
}

func TestDeriveUsesTheRetriesItIsGiven(t *testing.T) {
	var v Values
	v[Ingress], v[Downstream], v[Retries] = rate(100), rate(300), rate(120)
	v.Derive(1)
	if want := Num(0.4, Fraction, Exact); v[RetryRate] != want {
		t.Errorf("with retries: %+v, want %+v", v[RetryRate], want)
	}
	v[RetryRate], v[Retries] = Value{}, Value{}
	v.Derive(1)
	if want := Num(200.0/300, Fraction, Approx); v[RetryRate] != want {
		t.Errorf("without retries: %+v, want %+v", v[RetryRate], want)
	}
	v[RetryRate], v[Retries] = Value{}, rate(0).With(Failed)
	v.Derive(1)
	if v[RetryRate].State != Failed {
		t.Errorf("retries that could not be read were replaced by a guess: %+v", v[RetryRate])
	}
	v[RetryRate], v[Retries], v[Ingress] = Value{}, Value{}, Num(100, PerSecond, LowerBound)
	v.Derive(1)
	if v[RetryRate].Trust != LowerBound {
		t.Errorf("trust %v of a guess from a lower bound", v[RetryRate].Trust)
	}
}

func TestDerivedGivenDirectlyWins(t *testing.T) {
	given := Num(7, Ratio, Heuristic)
	var v Values
	v[Ingress], v[Downstream], v[Amplification] = rate(100), rate(300), given
	v[RescuedShare] = Value{State: Idle, Unit: Fraction}
	v[Delivered] = Num(0.5, Fraction, Exact)
	v.Derive(2)
	if v[Amplification] != given || v[RescuedShare].State != Idle || v[Delivered].V != 0.5 {
		t.Errorf("replaced: %+v", v)
	}
}

func TestBaselineDividesTheAmplification(t *testing.T) {
	tests := []struct{ baseline, want float64 }{
		{1, 9}, {3.6, 2.5}, {0, 9}, {-1, 9}, {math.NaN(), 9}, {math.Inf(1), 9},
	}
	for _, tt := range tests {
		var v Values
		v[Ingress], v[Downstream] = rate(100), rate(900)
		v.Derive(tt.baseline)
		if got := v[Amplification]; got.State != Ok || got.V != tt.want {
			t.Errorf("baseline %v: %+v, want %v", tt.baseline, got, tt.want)
		}
	}
	var v Values
	v[Ingress], v[Downstream] = rate(1), rate(900)
	v.Derive(5e-324)
	if v[Amplification].State != Infinite || v[Amplification].V != 0 {
		t.Errorf("a baseline next to zero: %+v", v[Amplification])
	}
	v = Values{}
	v[Ingress], v[Downstream] = rate(0), rate(900)
	v.Derive(3.6)
	if v[Amplification].State != Infinite {
		t.Errorf("infinite with a baseline: %+v", v[Amplification])
	}
}

// anyValue draws a value of any state with a number that fits it.
func anyValue() *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		v := Num(rapid.Float64Range(0, 1e6).Draw(t, "v"), anyUnit().Draw(t, "unit"), Trust(rapid.IntRange(0, 4).Draw(t, "trust")))
		return v.With(State(rapid.IntRange(0, 6).Draw(t, "state")))
	})
}

func TestDerivedValuesNeverHoldWhatIsNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var v Values
		for _, s := range Inputs() {
			v[s] = anyValue().Draw(t, s.String())
		}
		before := v
		v.Derive(rapid.Float64().Draw(t, "baseline"))
		for _, s := range Signals() {
			if !s.Derived() {
				if v[s] != before[s] {
					t.Errorf("%v was changed to %+v", s, v[s])
				}
				continue
			}
			if f, ok := v[s].Number(); notFinite(f) || !ok && f != 0 {
				t.Errorf("%v is %+v", s, v[s])
			}
			if v[s].Trust < before[Downstream].Trust && (s == Amplification || s == RetryRate) {
				t.Errorf("%v is trusted more (%v) than the attempts (%v)", s, v[s].Trust, before[Downstream].Trust)
			}
		}
		again := v
		again.Derive(1)
		for _, s := range Signals() {
			if v[s].State != Missing && again[s] != v[s] {
				t.Errorf("deriving again changed %v: %s", s, cmp.Diff(v[s], again[s]))
			}
		}
	})
}

package draw

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func ulps(got, want float64) float64 {
	return math.Abs(got-want) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
}

func TestLogAndExpAreWithinTwoUlp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Ldexp(rapid.Float64Range(1, 2).Draw(t, "mantissa"), rapid.IntRange(-1022, 1020).Draw(t, "exponent"))
		if d := ulps(Log(x), math.Log(x)); d > 2 && math.Abs(Log(x)-math.Log(x)) > 1e-16 {
			t.Fatalf("Log(%v) = %v, %v ulp from %v", x, Log(x), d, math.Log(x))
		}
		y := rapid.Float64Range(-700, 700).Draw(t, "y")
		if d := ulps(Exp(y), math.Exp(y)); d > 2 {
			t.Fatalf("Exp(%v) = %v, %v ulp from %v", y, Exp(y), d, math.Exp(y))
		}
		z := rapid.Float64Range(-20, 20).Draw(t, "z")
		if d := math.Abs(Tanh(z) - math.Tanh(z)); d > 1e-14 {
			t.Fatalf("Tanh(%v) = %v, want %v", z, Tanh(z), math.Tanh(z))
		}
	})
	if Exp(-800) != 0 || !math.IsInf(Exp(800), 1) || Log(1) != 0 || Exp(0) != 1 {
		t.Error("the ends and the middle are wrong")
	}
}

// TestStreamsAreIndependent correlates the streams of neighbouring seeds,
// purposes and entities: the correlation of n pairs has a standard deviation of
// 1/sqrt(n), and five of them are tolerated.
func TestStreamsAreIndependent(t *testing.T) {
	const n = 100_000
	base := NewStream(1, Work, 0)
	for name, other := range map[string]Stream{
		"next seed":    NewStream(2, Work, 0),
		"next purpose": NewStream(1, Faults, 0),
		"next entity":  NewStream(1, Work, 1),
		"seed below 0": NewStream(-1, Work, 0),
	} {
		a, sum := base, 0.0
		for range n {
			sum += (a.Float64() - 0.5) * (other.Float64() - 0.5) * 12
		}
		if c := sum / n; math.Abs(c) > 5/math.Sqrt(n) {
			t.Errorf("%s: correlation %v", name, c)
		}
	}
}

func TestAStreamIsTheSameEverywhere(t *testing.T) {
	s := NewStream(1, Arrivals, 0)
	got := [3]uint64{s.Uint64(), s.Uint64(), s.Uint64()}
	if want := [3]uint64{0x96c9f513020798b9, 0xf7dd055ed9ec356f, 0xed35e8a386754903}; got != want {
		t.Errorf("the first numbers of seed 1 are %#x, want %#x: a change of the generator is a change of EngineVersion", got, want)
	}
}

// TestDistributionsHaveTheirMoments draws n numbers; a mean is within five
// standard errors, a quantile within five of the density's.
func TestDistributionsHaveTheirMoments(t *testing.T) {
	const n = 200_000
	for _, test := range []struct {
		dist      Dist
		deviation float64 // of one draw, in means
	}{
		{Const(180 * time.Millisecond), 0},
		{Expo(5 * time.Millisecond), 1},
		{LogN(40*time.Millisecond, 400*time.Millisecond), 1.3},
	} {
		s := NewStream(7, Work, 0)
		sampler := test.dist.Sampler()
		sum, below50, below99 := 0.0, 0, 0
		for range n {
			d := sampler.Draw(&s, 1)
			sum += float64(d)
			if d < test.dist.P50 {
				below50++
			}
			if d < test.dist.P99 {
				below99++
			}
		}
		want := float64(test.dist.Average())
		if got := sum / n; math.Abs(got-want) > 5*test.deviation*want/math.Sqrt(n)+1 {
			t.Errorf("%v: mean %v, want %v", test.dist, time.Duration(got), time.Duration(want))
		}
		if test.dist.Shape == LogNormal {
			for q, below := range map[float64]int{0.5: below50, 0.99: below99} {
				if got := float64(below) / n; math.Abs(got-q) > 5*math.Sqrt(q*(1-q)/n) {
					t.Errorf("%v: a share of %v is below the quantile %v", test.dist, got, q)
				}
			}
		}
	}
}

func TestADrawIsStretchedAndBounded(t *testing.T) {
	s := NewStream(1, Work, 0)
	long := Const(20 * time.Hour).Sampler()
	if got := long.Draw(&s, 5); got != MaxTime {
		t.Errorf("20h x 5 is %v, want %v", got, MaxTime)
	}
	if got := long.Draw(&s, math.Inf(1)); got != MaxTime {
		t.Errorf("20h x infinity is %v, want %v", got, MaxTime)
	}
	if got := long.Draw(&s, 0); got != 0 {
		t.Errorf("20h x 0 is %v", got)
	}
}

func TestDistributionsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(1, int64(MaxTime)/2)
		a := time.Duration(ns.Draw(t, "a"))
		d := Dist{Shape: Shape(rapid.IntRange(0, 2).Draw(t, "shape"))}
		if d.Shape == LogNormal {
			d.P50, d.P99 = a, a+time.Duration(ns.Draw(t, "b"))
		} else {
			d.Mean = a
		}
		got, err := ParseDist(d.String())
		if err != nil || got != d {
			t.Fatalf("%+v is written %q and read %+v, %v", d, d.String(), got, err)
		}
	})
}

func TestBadDistributionsAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "5", "-5ms", "25h", "gauss 5ms", "exponential", "exponential -1s", "lognormal p50=40ms", "lognormal p50=40ms p50=50ms",
		"lognormal p50=0s p99=1s", "lognormal p50=2s p99=1s", "lognormal p50=1s p98=2s", "5ms 6ms", "constant x",
	} {
		if d, err := ParseDist(text); err == nil {
			t.Errorf("%q is read as %v", text, d)
		}
	}
}

func FuzzParseDist(f *testing.F) {
	for _, text := range []string{"180ms", "constant 1s", "exponential 5ms", "lognormal p50=40ms p99=400ms", "lognormal p99=1s p50=1ms", "-1s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDist(text)
		if err != nil {
			return
		}
		again, err := ParseDist(d.String())
		if err != nil || again != d {
			t.Fatalf("%q is %+v, and read again %+v, %v", text, d, again, err)
		}
	})
}

package chain

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func someRate(t *rapid.T) Rate {
	var r Rate
	at := time.Duration(0)
	for i := range rapid.IntRange(1, 6).Draw(t, "points") {
		p := RatePoint{At: at, PerSecond: rapid.Float64Range(0, 1000).Draw(t, "rate"), Ramp: i > 0 && rapid.Bool().Draw(t, "ramp")}
		r.Points = append(r.Points, p)
		at += time.Duration(rapid.Int64Range(0, int64(100*time.Second)).Draw(t, "step"))
	}
	return r
}

func TestRatesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := someRate(t)
		got, err := ParseRate(r.String())
		if err != nil || got.String() != r.String() {
			t.Fatalf("%q is read as %q, %v", r, got, err)
		}
	})
}

// TestArrivalsFollowTheArea: the time after which an area is reached has that
// area before it. Areas are of up to 1e5 arrivals, and times whole nanoseconds
// of rates up to 1e-6 a nanosecond, so both are within 1e-5.
func TestArrivalsFollowTheArea(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCourse(someRate(t), rapid.Float64Range(0, 2).Draw(t, "factor"))
		from := rapid.Int64Range(0, int64(500*time.Second)).Draw(t, "from")
		area := rapid.Float64Range(0, 1000).Draw(t, "area")
		at := c.after(from, area)
		if at == never {
			// Even the longest simulation does not come so far.
			if got := c.area(from, int64(MaxLength)); got > area+1e-5 {
				t.Fatalf("%v never comes, but there are %v", area, got)
			}
			return
		}
		if at < from {
			t.Fatalf("%d is before %d", at, from)
		}
		if got := c.area(from, at); math.Abs(got-area) > 1e-5 && area > 0 && c.area(from, at+1) < area {
			t.Fatalf("%v arrivals until %d, want %v", got, at, area)
		}
	})
}

func TestARateIsAFunctionOfTime(t *testing.T) {
	r, err := ParseRate("100/s, 60s 200/s, ramp 120s 400/s")
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Duration]float64{
		0: 100, 59 * time.Second: 100, 60 * time.Second: 200, 90 * time.Second: 300, 120 * time.Second: 400, time.Hour: 400,
	} {
		if got := r.At(at); math.Abs(got-want) > 1e-9 {
			t.Errorf("at %v: %v/s, want %v", at, got, want)
		}
	}
	if r.Max() != 400 || (Rate{}).Max() != 0 || (Rate{}).At(0) != 0 {
		t.Error("the highest rate is wrong")
	}
}

func FuzzParseRate(f *testing.F) {
	for _, text := range []string{"2010/s", "100/s, 60s 200/s, ramp 120s 400/s", "ramp 1/s", "1e12/s", ",", "5"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRate(text)
		if err != nil {
			return
		}
		if again, err := ParseRate(r.String()); err != nil || again.String() != r.String() {
			t.Fatalf("%q is %q, and read again %q, %v", text, r, again, err)
		}
	})
}

package pace

import (
	"testing"
	"time"
)

const s = time.Second

func TestSlots(t *testing.T) {
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		last, now time.Duration
		want      time.Duration
		missed    int
	}{
		{0, 1 * s, 5 * s, 0},
		{0, 5 * s, 5 * s, 0},
		{0, 9 * s, 5 * s, 0},
		{0, 10 * s, 10 * s, 1},
		{0, 61 * s, 60 * s, 11},
		{3 * s, 4 * s, 5 * s, 0},
		{20 * s, 1 * s, 25 * s, 0}, // the clock went back
	} {
		slot, missed := Next(base.Add(c.last), base.Add(c.now), time.Time{}, 5*s)
		if slot.Sub(base) != c.want || missed != c.missed {
			t.Errorf("last %v now %v: %v, %d missed", c.last, c.now, slot.Sub(base), missed)
		}
	}
	if got := Slot(time.Unix(-1, 0), 10*s); got.Unix() != -10 {
		t.Errorf("before 1970: %v", got)
	}
}

func TestNoSlotIsTakenBeforeItIsDue(t *testing.T) {
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		now, due, want time.Duration
		missed         int
	}{
		{1 * s, 4 * s, 5 * s, 0},
		{1 * s, 11 * s, 15 * s, 2},
		{21 * s, 11 * s, 20 * s, 3},
		{1 * s, 10 * s, 10 * s, 1},
	} {
		slot, missed := Next(base, base.Add(c.now), base.Add(c.due), 5*s)
		if slot.Sub(base) != c.want || missed != c.missed {
			t.Errorf("now %v, due %v: %v, %d missed", c.now, c.due, slot.Sub(base), missed)
		}
	}
	if !From(time.Time{}, s).IsZero() {
		t.Error("no time is no slot")
	}
}

func TestRateRangeIsAtLeastFourTimesTheSpacing(t *testing.T) {
	for spacing, want := range map[time.Duration]time.Duration{
		0: time.Minute, 100 * time.Millisecond: 2 * s, 500 * time.Millisecond: 2 * s, 1 * s: 4 * s, 1100 * time.Millisecond: 5 * s,
		2 * s: 10 * s, 2500 * time.Millisecond: 10 * s, 3 * s: 15 * s, 5 * s: 20 * s, 6 * s: 30 * s, 10 * s: 60 * s,
		15 * s: 60 * s, 16 * s: 120 * s, 30 * s: 120 * s, 60 * s: 300 * s, 120 * s: 600 * s, 150 * s: 600 * s, 151 * s: 660 * s, 300 * s: 1200 * s,
	} {
		if got := RateRange(spacing); got != want {
			t.Errorf("%v: %v, want %v", spacing, got, want)
		}
	}
}

func TestBackoffDoublesUpToABoundWithJitter(t *testing.T) {
	for _, random := range []float64{0, 0.5, 0.999} {
		var b Backoff
		var sum time.Duration
		for i := range 12 {
			d := b.Next(s, time.Minute, random)
			full := min(time.Duration(1<<i)*s, time.Minute)
			if d < full/2 || d > full {
				t.Errorf("try %d, random %v: %v", i, random, d)
			}
			sum += d
		}
		if sum < 3*time.Minute {
			t.Errorf("12 tries within %v", sum)
		}
	}
	var b Backoff
	for range 100 {
		if d := b.Next(5*time.Minute, time.Minute, 0.999); d > 5*time.Minute {
			t.Errorf("%v with an interval above a minute", d)
		}
	}
}

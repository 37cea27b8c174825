package simfeed

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestSpeedsAreReadWithAndWithoutTheX(t *testing.T) {
	for text, want := range map[string]float64{"1x": 1, "10": 10, "2.5x": 2.5, " 1000x ": 1000} {
		if got, err := ParseSpeed(text); err != nil || got != want {
			t.Errorf("ParseSpeed(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "0", "0.5x", "-1x", "1001x", "NaN", "Inf", "fast", "10xx"} {
		if got, err := ParseSpeed(text); err == nil {
			t.Errorf("ParseSpeed(%q) = %v, want an error", text, got)
		}
	}
}

func TestDueTimesFollowFromTheStartAlone(t *testing.T) {
	start := time.Date(2026, 7, 25, 12, 0, 0, 900e6, time.UTC)
	for _, test := range []struct {
		speed   float64
		virtual time.Duration
		want    time.Duration
	}{
		{1, 100 * time.Millisecond, 100 * time.Millisecond},
		{1, 1_000_000 * time.Second, 1_000_000 * time.Second},
		{1000, 3600 * time.Second, 3600 * time.Millisecond},
		{3, time.Second, 333333333},
		{3, 3_000_000 * time.Second, 1_000_000 * time.Second},
	} {
		var until time.Time
		p := NewPacer(start, test.speed, func(_ context.Context, t time.Time) error { until = t; return nil })
		if err := p.Wait(t.Context(), start.Add(test.virtual)); err != nil {
			t.Fatal(err)
		}
		if got := until.Sub(start); got != test.want {
			t.Errorf("%v at %vx is due after %v, want %v", test.virtual, test.speed, got, test.want)
		}
	}
}

func TestWithoutASpeedEverythingIsDueAtOnce(t *testing.T) {
	p := NewPacer(time.Unix(0, 0), 0, func(context.Context, time.Time) error { return errors.New("slept") })
	if err := p.Wait(t.Context(), time.Unix(1e6, 0)); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Wait(ctx, time.Unix(1e6, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v, want %v", err, context.Canceled)
	}
}

func TestAClockSleepEndsWithItsContext(t *testing.T) {
	now := time.Unix(1000, 0)
	sleep := ClockSleep(func() time.Time { return now })
	if err := sleep(t.Context(), now); err != nil {
		t.Errorf("what is due at once: %v", err)
	}
	if err := sleep(t.Context(), now.Add(time.Nanosecond)); err != nil {
		t.Errorf("what is due soon: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, now.Add(time.Hour)); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v, want %v", err, context.Canceled)
	}
}

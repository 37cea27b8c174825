package simfeed

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
)

// Sleep waits until a clock shows until, and returns at once when it already
// does. The error is the context's when ctx is done first. The caller of a
// simulation decides which clock that is.
type Sleep func(ctx context.Context, until time.Time) error

// ClockSleep is a Sleep by a clock that runs as fast as a wall clock.
func ClockSleep(now func() time.Time) Sleep {
	return func(ctx context.Context, until time.Time) error {
		left := until.Sub(now())
		if left <= 0 {
			return ctx.Err()
		}
		timer := time.NewTimer(left)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		}
	}
}

// The range of speeds, in virtual seconds for a second of the clock.
const (
	MinSpeed = 1
	MaxSpeed = 1000
)

// ParseSpeed reads a speed such as "10x" or "10".
func ParseSpeed(text string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "x"), 64)
	if err != nil || math.IsNaN(f) || f < MinSpeed || f > MaxSpeed {
		return 0, fmt.Errorf("speed %q: give a number from %dx to %dx, such as 10x", collector.Clean(text), MinSpeed, MaxSpeed)
	}
	return f, nil
}

// A Pacer says when each instant of virtual time is due. Due times follow from
// the start alone, so that neither waiting nor a slow reader makes it drift;
// what is late is made up for.
type Pacer struct {
	start time.Time // of the clock and of virtual time alike
	speed float64
	sleep Sleep
}

// NewPacer makes a pacer for virtual time that begins at start. With a speed of
// 0, or without a sleep, everything is due at once.
func NewPacer(start time.Time, speed float64, sleep Sleep) Pacer {
	return Pacer{start: start.Round(0), speed: speed, sleep: sleep}
}

// Wait waits until the instant at of virtual time is due.
func (p Pacer) Wait(ctx context.Context, at time.Time) error {
	if p.speed <= 0 || p.sleep == nil {
		return ctx.Err()
	}
	return p.sleep(ctx, p.start.Add(time.Duration(float64(at.Sub(p.start))/p.speed)))
}

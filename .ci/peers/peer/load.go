package peer

import (
	"context"
	"time"
)

// Pace is a constant rate of calls a second.
type Pace float64

// Due is how many calls should have begun after a time.
func (p Pace) Due(elapsed time.Duration) int64 { return int64(float64(p) * elapsed.Seconds()) }

// Drive makes calls at a pace until ctx ends, at most atOnce at a time. Calls
// that fall due while none is free are made as soon as one is.
func Drive(ctx context.Context, pace Pace, atOnce int, call func(context.Context)) {
	free := make(chan struct{}, atOnce)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	start := time.Now()
	for made := int64(0); ; {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			for due := pace.Due(now.Sub(start)); made < due; made++ {
				select {
				case <-ctx.Done():
					return
				case free <- struct{}{}:
				}
				go func() {
					defer func() { <-free }()
					call(ctx)
				}()
			}
		}
	}
}

// Share says which of a row of events are chosen, so that any stretch of the
// row holds the same share of them: no chance, no noise.
type Share float64

// Takes reports whether the n-th event is one of the share; n counts from 1.
func (s Share) Takes(n int64) bool {
	return int64(float64(s)*float64(n)) != int64(float64(s)*float64(n-1))
}

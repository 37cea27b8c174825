package pace

import "time"

// Backoff counts failed tries and says how long to wait. The zero one has had none.
type Backoff struct{ tries int }

// Next is the wait after one more failed try: it doubles from the interval up
// to most (or the interval, where that is longer); the upper half of it is
// random, so that many watchers do not return at once. random is in [0,1).
func (b *Backoff) Next(interval, most time.Duration, random float64) time.Duration {
	top := max(most, interval)
	d := interval
	for range min(b.tries, 30) {
		d = min(2*d, top)
	}
	b.tries++
	return d/2 + time.Duration(random*float64(d/2))
}

// Reset forgets the tries: the next failure is the first.
func (b *Backoff) Reset() { b.tries = 0 }

package scrape

import "time"

// maxBackoff is the longest wait for an endpoint that fails: short, since one
// that restarts in the middle of an incident is what people look for.
const maxBackoff = 15 * time.Second

// backoff counts failed scrapes and says how long to wait.
type backoff struct{ tries int }

// next is the wait after one more failed scrape: it doubles from the interval up
// to maxBackoff (or the interval, where that is longer); the upper half of it is
// random, so that many watchers do not return at once.
func (b *backoff) next(interval time.Duration, random float64) time.Duration {
	top := max(maxBackoff, interval)
	d := interval
	for range min(b.tries, 30) {
		d = min(2*d, top)
	}
	b.tries++
	return d/2 + time.Duration(random*float64(d/2))
}

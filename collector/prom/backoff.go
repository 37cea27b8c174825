package prom

import "time"

const (
	maxBackoff    = time.Minute
	lookAgain     = 30 * time.Second // after nothing was found, and sooner the first few times
	lookSoon      = 5 * time.Second
	maxRetryAfter = time.Hour
)

// backoff counts failed tries and says how long to wait.
type backoff struct{ tries int }

// next is the wait after one more failed try: it doubles from the interval up
// to a minute (or the interval, where that is longer); the upper half of it is
// random, so that many watchers do not return at once.
func (b *backoff) next(interval time.Duration, random float64) time.Duration {
	top := max(maxBackoff, interval)
	d := interval
	for range min(b.tries, 30) {
		if d *= 2; d >= top {
			d = top
			break
		}
	}
	b.tries++
	return max(d/2+time.Duration(random*float64(d/2)), interval/2)
}

func (b *backoff) reset() { b.tries = 0 }

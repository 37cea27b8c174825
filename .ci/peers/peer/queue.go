package peer

import (
	"sync"
	"time"
)

// Queue is what those who wait measure themselves, without asking what they
// wait for. The zero value is an empty queue.
type Queue struct {
	mu      sync.Mutex
	waits   int64
	waited  time.Duration // all waits that ended, together
	longest time.Duration
	waiting int           // who wait now
	stood   time.Duration // their number, summed over the time up to since
	since   time.Time
}

// Join notes that somebody begins to wait.
func (q *Queue) Join(now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sum(now)
	q.waiting++
}

// Leave notes the end of a wait that began at an instant.
func (q *Queue) Leave(now, began time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sum(now)
	wait := now.Sub(began)
	q.waiting--
	q.waits++
	q.waited += wait
	q.longest = max(q.longest, wait)
}

// sum brings the time stood up to now.
func (q *Queue) sum(now time.Time) {
	if !q.since.IsZero() && now.After(q.since) {
		q.stood += time.Duration(q.waiting) * now.Sub(q.since)
	}
	q.since = now
}

// Count is what was measured until now: the waits and their seconds, counted
// when they end; the longest of them; and the seconds stood, as they pass.
func (q *Queue) Count(now time.Time) map[string]float64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sum(now)
	return map[string]float64{
		"waits": float64(q.waits), "waited_seconds": q.waited.Seconds(),
		"longest_seconds": q.longest.Seconds(), "stood_seconds": q.stood.Seconds(),
	}
}

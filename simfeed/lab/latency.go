package lab

import "time"

// latencies counts delivered requests by their wait in whole milliseconds, so
// that exact percentiles need neither the single values nor a sort.
type latencies struct {
	counts []uint32
	n      int64
	sum    int64 // of the waits, in ms
}

// newLatencies makes room for every wait that can succeed under c: none is
// beyond the deadline, nor beyond the sum of all backoffs.
func newLatencies(c Config) latencies {
	worst := int64(0)
	for a := range c.Retries {
		worst += c.Base.Milliseconds() << a
	}
	return latencies{counts: make([]uint32, min(worst, c.Deadline.Milliseconds())+1)}
}

// percentile is the nearest rank (the ceil(p/100 x n)-th smallest) of the
// latencies in ms, and false when nothing was delivered.
func (l *latencies) percentile(p int64) (ms int64, ok bool) {
	if l.n == 0 {
		return 0, false
	}
	rank := (p*l.n + 99) / 100
	for wait, count := range l.counts {
		if rank -= int64(count); rank <= 0 {
			return int64(wait) + ServiceTime.Milliseconds(), true
		}
	}
	return 0, false
}

// total is the sum of all latencies in ms.
func (l *latencies) total() int64 { return l.sum + l.n*int64(ServiceTime/time.Millisecond) }

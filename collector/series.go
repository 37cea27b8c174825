package collector

import "time"

// Series is the course of one signal of one target: one point for each reading
// of the history, oldest first, points that are not known included. It is
// immutable and costs nothing to copy.
type Series struct {
	times []int64 // Unix nanoseconds, shared by all series of a view
	column
}

// NewSeries makes a series of values at times (ascending); points for which
// there is no value are missing. The slices are copied. A series has one unit
// and trust: those of the last value that names a unit.
func NewSeries(at []time.Time, values []Value) Series {
	s := Series{times: make([]int64, len(at))}
	for i, t := range at {
		s.times[i] = t.UnixNano()
	}
	for i := range values[:min(len(values), len(at))] {
		s.put(i, &values[i], len(at))
	}
	return s
}

// Len is the number of points.
func (s Series) Len() int { return len(s.times) }

// Nanos is the time of point i in Unix nanoseconds.
func (s Series) Nanos(i int) int64 { return s.times[i] }

// Time is the time of point i.
func (s Series) Time(i int) time.Time { return time.Unix(0, s.times[i]).UTC() }

// State is the state of point i; Missing where the target was not there.
func (s Series) State(i int) State { return s.state(i) }

// Raw is the number of point i; meaningful only where State(i).HasNumber().
func (s Series) Raw(i int) float64 {
	if i >= len(s.values) {
		return 0
	}
	return s.values[i]
}

// Value is point i.
func (s Series) Value(i int) Value { return s.value(i) }

// Since returns the points at or after t.
func (s Series) Since(t time.Time) Series {
	lo := searchNanos(s.times, t.UnixNano())
	return Series{s.times[lo:], s.since(lo)}
}

// searchNanos is the index of the first time not before t.
func searchNanos(times []int64, t int64) int {
	lo, hi := 0, len(times)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if times[mid] < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

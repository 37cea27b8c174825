package eval

import (
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// Point is one sample of a series. T is in milliseconds since 1970.
type Point struct {
	T int64
	V float64
}

// Series is what is held of one series.
type Series struct {
	Labels labels.Labels // with __name__
	Points []Point       // oldest first, T strictly ascending
	// Ended says that the newest look did not find the series any more: it has
	// no value now, while ranges still reach back to its points.
	Ended bool
}

// Selector picks series. Two mentions of the same selector in an expression are
// two Selectors.
type Selector struct {
	Matchers []*labels.Matcher
	Range    time.Duration // how far back its points are needed; 0: only the newest
}

// Matches reports whether all matchers accept a label set.
func (s *Selector) Matches(set labels.Labels) bool {
	for _, m := range s.Matchers {
		if !m.Matches(set.Get(m.Name)) {
			return false
		}
	}
	return true
}

// String is the selector as PromQL writes it, without its range.
func (s *Selector) String() string {
	out := "{"
	for i, m := range s.Matchers {
		if i > 0 {
			out += ","
		}
		out += m.String()
	}
	return out + "}"
}

// Data holds series. Select returns those that match, in any order; the answer
// is only read until the evaluation ends.
type Data interface {
	Select(s *Selector) []*Series
}

// Sample is one element of a result.
type Sample struct {
	Labels labels.Labels
	V      float64
}

// lookback is how old the newest point of a series that has not ended may be,
// as in Prometheus.
const lookback = 5 * time.Minute

// newest is the value of a series at an instant, if it has one.
func (s *Series) newest(at int64) (float64, bool) {
	if s.Ended {
		return 0, false
	}
	for i := len(s.Points) - 1; i >= 0; i-- {
		if p := s.Points[i]; p.T <= at {
			return p.V, p.T > at-lookback.Milliseconds()
		}
	}
	return 0, false
}

// within are the points of a range, which is open at its older end.
func (s *Series) within(at int64, size time.Duration) []Point {
	points := s.Points
	for len(points) > 0 && points[len(points)-1].T > at {
		points = points[:len(points)-1]
	}
	for len(points) > 0 && points[0].T <= at-size.Milliseconds() {
		points = points[1:]
	}
	return points
}

package prom

import (
	"fmt"
	"time"

	"stormtop/collector"
)

// stretchSteps are the factors by which an interval is stretched.
var stretchSteps = []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60}

const (
	maxShare   = 0.10 // of the interval may be spent in queries
	smoothing  = 0.3  // weight of the newest poll
	shrinkWait = 5    // polls that must be quick before the interval shrinks
)

// stretch keeps the time spent in queries under a tenth of the interval.
type stretch struct {
	smooth float64 // seconds of queries in one poll
	step   int     // index into stretchSteps
	polls  int
	quick  int // polls in a row that would fit a smaller step
}

// add takes the cost of a poll into account and reports a change.
func (s *stretch) add(took, base time.Duration) bool {
	if s.polls++; s.polls == 1 {
		s.smooth = took.Seconds()
	}
	s.smooth += smoothing * (took.Seconds() - s.smooth)
	if s.polls < 3 {
		return false // the first polls meet cold caches
	}
	before := s.step
	for s.step < len(stretchSteps)-1 && s.smooth > maxShare*s.interval(base).Seconds() {
		s.step++
		s.quick = 0
	}
	if s.step > 0 && s.step == before {
		smaller := base * time.Duration(stretchSteps[s.step-1])
		if s.smooth < 0.8*maxShare*smaller.Seconds() {
			s.quick++
		} else {
			s.quick = 0
		}
		if s.quick >= shrinkWait {
			s.step--
			s.quick = 0
		}
	}
	return s.step != before
}

// interval is the stretched interval.
func (s *stretch) interval(base time.Duration) time.Duration {
	return base * time.Duration(stretchSteps[s.step])
}

// note is the sentence for the header, or "".
func (s *stretch) note(base time.Duration) string {
	if s.step == 0 {
		return ""
	}
	return fmt.Sprintf("polling every %s instead of %s: the queries take %s a poll", collector.FormatInterval(s.interval(base)),
		collector.FormatInterval(base), time.Duration(s.smooth*float64(time.Second)).Round(time.Millisecond))
}

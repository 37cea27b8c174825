package prom

import (
	"fmt"
	"slices"
	"time"

	"stormtop/collector"
)

// stretchSteps are the factors by which an interval is stretched.
var stretchSteps = []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60}

const (
	maxShare    = 0.10 // of the interval may be spent in queries
	shrinkShare = 0.08 // of the interval it would return to, so that it does not swing
	judgedPolls = 5    // polls that are looked at
	fewestPolls = 3    // polls before anything is judged: the first ones meet cold caches
)

// stretch keeps the time spent in queries under a tenth of the interval. That
// time is the sum over the queries of a poll: what the server works for us,
// however many of them it answers at once. The median of the last polls decides,
// so that one query that hangs does not coarsen the picture.
type stretch struct {
	took []time.Duration // of the last polls, oldest first
	step int             // index into stretchSteps
}

// add takes the cost of a poll into account and reports a change.
func (s *stretch) add(took, base time.Duration) bool {
	if s.took = append(s.took, took); len(s.took) > judgedPolls {
		s.took = slices.Delete(s.took, 0, 1)
	}
	if len(s.took) < fewestPolls {
		return false
	}
	before := s.step
	if fit := s.fitting(s.typical(), base, maxShare); fit > s.step {
		s.step = fit
	} else if len(s.took) == judgedPolls {
		s.step = min(s.step, s.fitting(slices.Max(s.took), base, shrinkShare))
	}
	return s.step != before
}

// fitting is the first step at which polls of this cost stay within a share of
// the interval.
func (s *stretch) fitting(took, base time.Duration, share float64) int {
	for i, factor := range stretchSteps {
		if took.Seconds() <= share*float64(factor)*base.Seconds() {
			return i
		}
	}
	return len(stretchSteps) - 1
}

// typical is the cost of most polls.
func (s *stretch) typical() time.Duration {
	nanos := make([]int64, len(s.took))
	for i, d := range s.took {
		nanos[i] = int64(d)
	}
	return time.Duration(median(nanos))
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
		collector.FormatInterval(base), s.typical().Round(time.Millisecond))
}

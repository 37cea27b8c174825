package tune

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"stormtop/collector"
)

// History is one stretch of the past as one rule saw it, with what is known to
// have happened in it.
type History struct {
	Name      string        // of the range, the recording or the seed, for people
	Courses   []Course      // one for each target that the rule looks at
	Incidents []Incident    // that it is judged by, by From, apart from each other (see Split)
	Begun     []Incident    // that began before it: they are not judged, but firing in them is no false alarm
	RateRange time.Duration // range of the rates; with keep_firing_for the grace after an incident
}

// Span is the first and the last evaluation, zero when there is none.
func (h *History) Span() (from, to time.Time) {
	for i := range h.Courses {
		c := &h.Courses[i]
		if n := c.Len(); n > 0 {
			return c.Time(0), c.Time(n - 1)
		}
	}
	return from, to
}

// Step is the usual time between two evaluations, 0 where there are fewer than two.
func (h *History) Step() time.Duration {
	if len(h.Courses) == 0 {
		return 0
	}
	return usualStep(h.Courses[0].at) // they share their times
}

func usualStep(at []int64) time.Duration {
	var gaps []int64
	for k := 1; k < len(at); k++ {
		gaps = append(gaps, at[k]-at[k-1])
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.SortFunc(gaps, cmp.Compare)
	return time.Duration(gaps[len(gaps)/2])
}

// Every is the history as a server that evaluates at another interval would see
// it: the interval must be a multiple of the spacing of the data.
func (h *History) Every(interval time.Duration) (*History, error) {
	step := h.Step()
	switch {
	case interval == step || step == 0:
		return h, nil
	case interval < step || interval%step != 0:
		return nil, fmt.Errorf("the data comes every %s: evaluate at that, or at a multiple of it, not every %s", step, interval)
	}
	if from, to := h.Span(); to.Sub(from) < interval {
		return nil, fmt.Errorf("the history is of %s: evaluate more often than every %s",
			collector.FormatInterval(to.Sub(from)), collector.FormatInterval(interval))
	}
	out := *h
	out.Courses = make([]Course, len(h.Courses))
	var keep []int
	var at []int64
	for i := range h.Courses {
		c := &h.Courses[i]
		if i == 0 || len(c.at) > 0 && &c.at[0] != &h.Courses[i-1].at[0] {
			keep, at = nil, nil
			for k, t := range c.at {
				if t%int64(interval) == 0 || t/int64(interval) != (t-int64(step))/int64(interval) {
					keep, at = append(keep, k), append(at, t)
				}
			}
		}
		out.Courses[i] = c.every(keep, at)
	}
	return &out, nil
}

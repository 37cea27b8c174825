package tune

import (
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// Course is what a rule saw of one target: one sample for each evaluation. It
// is immutable.
type Course struct {
	Target  collector.Target
	at      []int64 // Unix nanoseconds, ascending, shared by the courses of a history
	samples []alerts.Sample
}

// NewCourse makes a course of samples at times (ascending, as many). Where the
// floor is not to apply, the Traffic of a sample is +Inf.
func NewCourse(target collector.Target, at []time.Time, samples []alerts.Sample) Course {
	c := Course{Target: target, at: make([]int64, len(at)), samples: samples[:min(len(samples), len(at))]}
	for i, t := range at {
		c.at[i] = t.UnixNano()
	}
	c.at = c.at[:len(c.samples)]
	return c
}

// Len is the number of evaluations.
func (c *Course) Len() int { return len(c.samples) }

// Time is the instant of evaluation i.
func (c *Course) Time(i int) time.Time { return time.Unix(0, c.at[i]).UTC() }

// Sample is that of evaluation i.
func (c *Course) Sample(i int) alerts.Sample { return c.samples[i] }

// every is the course with only those evaluations that are at multiples of a
// step, counted as Prometheus does, from the epoch.
func (c *Course) every(keep []int, at []int64) Course {
	out := Course{Target: c.Target, at: at, samples: make([]alerts.Sample, len(keep))}
	for k, i := range keep {
		out.samples[k] = c.samples[i]
	}
	return out
}

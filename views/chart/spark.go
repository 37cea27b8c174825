package chart

import (
	"math"
	"time"

	"stormtop/collector"
)

// SparkSpec says what a sparkline shows.
type SparkSpec struct {
	Timing Timing
	Series collector.Series
	Range  Range // from the lowest to the highest level; values beyond are drawn at the edges
	// Above is the threshold beyond which columns have the class Above; 0: none.
	Above  float64
	Course []Bucket // the series in the columns of the chart (Timing.Course); nil: made of Series
	Low    bool     // low is bad: a column shows the smallest number, not the largest
	Glyphs Glyphs
	Cursor time.Time // the column of this instant is under the cursor; zero: none
}

// Spark draws a chart of one row and w columns: eight levels, a blank where
// nothing is known, "·" where idle, "∞" where infinite.
func (c *Canvas) Spark(w int, spec *SparkSpec) {
	if !c.reset(w, 1) {
		return
	}
	set := spec.Glyphs.set()
	c.axis = spec.Timing.Axis(w)
	course := spec.Course
	if len(course) != w {
		if len(c.buckets) == 0 {
			c.buckets = append(c.buckets, nil)
		}
		c.buckets[0] = c.axis.buckets(c.buckets[0], spec.Series, 1, spec.Low)
		course = c.buckets[0]
	}
	for x, b := range course {
		switch b.Kind {
		case Idle:
			c.set(x, 0, set.idle, IdleMark)
		case Infinite:
			c.set(x, 0, set.beyond, Capped)
		case Number:
			class := Line
			if spec.Above != 0 && b.Max > spec.Above {
				class = Above
			}
			c.set(x, 0, set.levels[spec.Range.level(b.Max, len(set.levels))], class)
		}
	}
	c.at(w-1, 0).open = true
	if x, ok := c.axis.at(spec.Cursor); ok {
		if p := c.at(x, 0); p.r == ' ' {
			p.r, p.class = set.cursor, Cursor
		} else {
			p.class = Under
		}
	}
	c.finish()
}

// Course sorts the readings of s into the columns of a sparkline, for those who
// draw the same one again and again; low keeps the smallest number of each.
func (t Timing) Course(s collector.Series, columns int, low bool) []Bucket {
	return t.Axis(columns).buckets(nil, s, 1, low)
}

// level is the level of v among n. The lowest level is for the lower half of
// the first step only, the highest for what reaches the upper edge at least
// nearly.
func (r Range) level(v float64, n int) int {
	lo, hi := bounded(r.Lo), bounded(r.Hi)
	switch {
	case v <= lo:
		return 0
	case !(hi > lo):
		return n - 1
	}
	return int(math.Round(min((v-lo)/(hi-lo), 1) * float64(n-1)))
}

// Peak is the largest number among the points from one instant to another, both
// included; ok is false when there is none.
func Peak(s collector.Series, from, to time.Time) (peak float64, ok bool) {
	end := to.UnixNano()
	for i := searchSeries(&s, from.UnixNano()); i < s.Len() && s.Nanos(i) <= end; i++ {
		if ok && plain(&s, i) {
			peak = max(peak, s.Raw(i))
		} else if b := bucketOf(&s, i); b.Kind == Number && (!ok || b.Max > peak) {
			peak, ok = b.Max, true
		}
	}
	return peak, ok
}

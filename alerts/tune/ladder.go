package tune

import (
	"math"
	"slices"
	"strconv"
	"time"

	"stormtop/collector"
)

// The rungs of a decade: numbers that somebody would write into a rule.
var rungs = [...]float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}

// Bounds of the ladders, as distances from what is healthy.
const (
	leastRatio    = 0.01  // 1.01x
	leastFraction = 0.001 // 0.1 %
	leastSeconds  = 0.001
	leastRate     = 0.1
	leastCount    = 1
	mostRung      = 1e9
)

// ladder is what a number climbs by keys: rungs in the unit of a signal, counted
// from what is healthy.
type ladder struct {
	least, most float64
	of          func(rung float64) float64 // ascending, or descending
	zero        bool                       // what is healthy is a rung, too
	finest      float64                    // numbers are multiples of it; 0: all
}

func ladderOf(spec *collector.RuleSpec, unit collector.Unit) ladder {
	l := ladder{least: leastCount, most: mostRung, of: func(r float64) float64 { return r }, zero: true}
	switch unit {
	case collector.Ratio:
		l.least, l.of, l.zero, l.finest = leastRatio, func(r float64) float64 { return 1 + r }, false, leastRatio
	case collector.Fraction:
		l.least, l.most = leastFraction, 1
		if spec.Compare == collector.Below || spec.Compare == collector.AtMost {
			l.of = func(r float64) float64 { return 1 - r } // what is healthy is all
		}
	case collector.Seconds:
		l.least = leastSeconds
	case collector.PerSecond:
		l.least = leastRate
	}
	return l
}

// between are the rungs from lo to hi, ascending.
func (l ladder) between(lo, hi float64) []float64 {
	var out []float64
	add := func(f float64) {
		if f >= lo && f <= hi {
			out = append(out, f)
		}
	}
	if l.zero {
		add(l.of(0))
	}
	for exponent := math.Floor(math.Log10(l.least)); ; exponent++ {
		for _, r := range rungs {
			rung := exact(r * math.Pow(10, exponent))
			if rung > l.most {
				return sorted(out)
			}
			if f := exact(l.of(rung)); rung >= l.least && (l.finest == 0 || exact(math.Round(f/l.finest)*l.finest) == f) {
				add(f)
			}
		}
	}
}

// exact drops what binary fractions add to a decimal number.
func exact(f float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 12, 64), 64)
	if err != nil {
		return f
	}
	return out
}

// NextThreshold is the threshold that a step up or down leads to: the next rung
// of a ladder of plain numbers in a unit, or a stop where one is nearer. Without
// one the threshold stays.
func NextThreshold(spec collector.RuleSpec, unit collector.Unit, up bool, stops ...float64) float64 {
	return next(spec.Threshold, append(ladderOf(&spec, unit).between(math.Inf(-1), math.Inf(1)), stops...), up)
}

// NextFloor is that of the least traffic.
func NextFloor(floor float64, up bool, stops ...float64) float64 {
	l := ladder{least: leastRate, most: mostRung, of: func(r float64) float64 { return r }, zero: true}
	return next(floor, append(l.between(0, mostRung), stops...), up)
}

// NextFor is that of a time that a rule waits or holds on.
func NextFor(d time.Duration, up bool, stops ...time.Duration) time.Duration {
	return next(d, append(slices.Clone(usualFors), stops...), up)
}

// next is the nearest larger or smaller one of a list, else the value itself.
func next[T float64 | time.Duration](is T, list []T, up bool) T {
	out, found := is, false
	for _, x := range list {
		if up && x > is && (!found || x < out) || !up && x < is && (!found || x > out) {
			out, found = x, true
		}
	}
	return out
}

// mostColumns bounds how many thresholds are looked at.
const mostColumns = 60

// Columns are the rungs over which the values of a history pass, with what else
// is to be looked at: the thresholds of a map that is moved on by
// NextThreshold.
func Columns(h *History, spec collector.RuleSpec, unit collector.Unit, also ...float64) []float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range h.Courses {
		for k := range h.Courses[i].samples {
			if v := h.Courses[i].samples[k].Value; !math.IsInf(v, 0) && v == v {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	also = append(slices.Clone(also), spec.Threshold)
	for _, t := range also {
		lo, hi = min(lo, t), max(hi, t)
	}
	l := ladderOf(&spec, unit)
	list := l.between(lo, hi)
	if up := l.between(math.Nextafter(hi, math.Inf(1)), math.Inf(1)); len(up) > 0 && len(also) > 0 {
		list = append(list, up[0]) // beyond all that was seen
	}
	for len(list) > mostColumns { // the rungs next to nothing say the least
		list = list[1:]
	}
	return sorted(append(list, also...))
}

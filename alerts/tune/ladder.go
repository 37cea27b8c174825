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
	leastNumber   = 1e-6 // of what is in no unit that is known
	mostRung      = 1e9
)

// ladder is what a number climbs by keys: rungs in the unit of a signal, counted
// from what is healthy.
type ladder struct {
	least, most float64
	of          func(rung float64) float64 // ascending, or descending
	zero        bool                       // what is healthy is a rung, too
	finest      float64                    // numbers are multiples of it; 0: all
	signed      bool                       // each rung is one below zero, too
	scale       []float64                  // the rungs of all decades
}

func ladderOf(spec *collector.RuleSpec, unit collector.Unit) ladder {
	l := ladder{scale: scale, least: leastCount, most: mostRung, of: func(r float64) float64 { return r }, zero: true}
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
	case collector.NoUnit: // what people compare in expressions of their own may be anything
		l.least, l.signed, l.scale = leastNumber, true, fineScale
	}
	return l
}

// fineRungs are those where it is not known how far a number is from what is
// healthy, so that a step must be small beside the number itself.
var fineRungs = [...]float64{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9, 9.5}

var (
	scale     = decades(rungs[:])
	fineScale = decades(fineRungs[:])
)

// decades are the rungs of all decades.
func decades(rungs []float64) []float64 {
	var out []float64
	for exponent := -6; exponent < 9; exponent++ {
		for _, r := range rungs {
			out = append(out, exact(r*math.Pow10(exponent)))
		}
	}
	return append(out, mostRung)
}

// each tells the numbers of the ladder, but for what binary fractions add to them.
func (l ladder) each(tell func(f float64)) {
	if l.zero {
		tell(l.of(0))
	}
	for _, rung := range l.scale {
		if rung < l.least || rung > l.most {
			continue
		}
		if f := l.of(rung); l.finest == 0 || near(math.Round(f/l.finest)*l.finest, f) {
			tell(f)
			if l.signed {
				tell(-f)
			}
		}
	}
}

// near reports whether two numbers differ by no more than binary fractions do.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// between are the numbers of the ladder from lo to hi, ascending.
func (l ladder) between(lo, hi float64) []float64 {
	var out []float64
	l.each(func(f float64) {
		if f >= lo && f <= hi || near(f, lo) || near(f, hi) {
			out = append(out, exact(f))
		}
	})
	return sorted(out)
}

// next is the number of the ladder, or the stop, that a step leads to.
func (l ladder) next(is float64, up bool, stops []float64) float64 {
	out, found := is, false
	look := func(f float64) {
		if !near(f, is) && up == (f > is) && (!found || up == (f < out)) {
			out, found = f, true
		}
	}
	l.each(look)
	out = exact(out)
	for _, s := range stops {
		look(s)
	}
	if !found {
		return is
	}
	return out
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
	return ladderOf(&spec, unit).next(spec.Threshold, up, stops)
}

// NextFloor is that of the least traffic.
func NextFloor(floor float64, up bool, stops ...float64) float64 {
	l := ladder{scale: scale, least: leastRate, most: mostRung, of: func(r float64) float64 { return r }, zero: true}
	return l.next(floor, up, stops)
}

// NextFor is that of a time that a rule waits or holds on.
func NextFor(d time.Duration, up bool, stops ...time.Duration) time.Duration {
	out, found := d, false
	for _, x := range slices.Concat(usualFors, stops) {
		if x != d && up == (x > d) && (!found || up == (x < out)) {
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
	list = append(list, l.next(hi, true, nil)) // beyond all that was seen
	for len(list) > mostColumns {              // the rungs next to nothing say the least
		least := 0
		for i := range list {
			if abs(list[i]) < abs(list[least]) {
				least = i
			}
		}
		list = slices.Delete(list, least, least+1)
	}
	return sorted(append(list, also...))
}

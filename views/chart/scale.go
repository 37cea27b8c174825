package chart

import (
	"math"

	"stormtop/collector"
)

// Range is the range of values from the lower to the upper edge of a chart. The
// zero value lets the chart choose.
type Range struct{ Lo, Hi float64 }

// huge bounds what is drawn, so that differences stay finite.
const huge = 1e300

// scale maps values to dots, counted from the bottom of the plot. The baseline
// lies between two rows: what is above fills cells from their lower edge.
type scale struct {
	lo, base, hi float64
	rows, below  int // rows of the plot, and those of them below the baseline
}

// baseline is the value that an area is filled from.
func baseline(u collector.Unit) float64 {
	if u == collector.Ratio {
		return 1
	}
	return 0
}

// leastTop is the smallest upper edge a unit may have: a flat 1.02x must not
// fill the chart, and a flat 0 needs some room above.
func leastTop(u collector.Unit) float64 {
	switch u {
	case collector.Ratio:
		return 1.5
	case collector.Fraction:
		return 0.01
	case collector.Seconds:
		return 0.001
	}
	return 1e-3
}

// newScale chooses the range of values from lo to hi (lo > hi: there are none)
// and a threshold on a plot of the given rows.
func newScale(lo, hi, threshold float64, u collector.Unit, rows int) scale {
	base := baseline(u)
	lo, hi = max(lo, -huge), min(hi, huge)
	top := max(base+(hi-base)*1.04, leastTop(u))
	if hi <= base && threshold <= base {
		top = base + 1 // nothing to see but the baseline
	}
	if threshold = min(threshold, huge); threshold > base {
		top = max(top, base+(threshold-base)*1.2)
	}
	if u == collector.Fraction && hi <= 1 && threshold <= 1 {
		top = min(top, 1)
	}
	s := scale{base: base, lo: base, rows: max(rows, 1)}
	s.hi = roundUp(top, tickStep(top-base, rows).fine())
	if dot := (s.hi - base) / float64(4*rows); lo < base-dot {
		s.makeRoom(lo) // what is nearer to the baseline could not be told from it
	}
	return s
}

// fixedScale takes the range as it is given.
func fixedScale(r Range, u collector.Unit, rows int) scale {
	s := scale{base: baseline(u), rows: rows, hi: bounded(r.Hi)}
	lo := bounded(r.Lo)
	if lo > s.base || s.hi <= s.base {
		s.base = lo
	}
	if !(s.hi > s.base) {
		s.hi = s.base + 1 + math.Abs(s.base)
	}
	s.lo = s.base
	if lo < s.base {
		s.makeRoom(lo)
	}
	return s
}

// bounded makes any float one that can be calculated with.
func bounded(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return min(max(f, -huge), huge)
}

// makeRoom gives whole rows to what is below the baseline, as few as hold lo.
func (s *scale) makeRoom(lo float64) {
	for s.below < s.rows-1 {
		s.below++
		s.lo = s.base - (s.hi-s.base)/float64(s.rows-s.below)*float64(s.below)
		if s.lo <= lo {
			return
		}
	}
	s.lo = min(lo, s.lo)
}

// dot is the height of v in dots from the bottom, per dots a row; values beyond
// the edges are drawn at the edges. The smallest value at or above the baseline
// is the first dot above it.
func (s scale) dot(v float64, per int) int {
	floor := s.below * per
	if v >= s.base {
		up := s.rows*per - floor
		n := int(math.Round(min((v-s.base)/(s.hi-s.base), 1) * float64(up)))
		return floor + max(n, 1) - 1
	}
	if floor == 0 {
		return 0
	}
	n := int(min((s.base-v)/(s.base-s.lo), 1) * float64(floor))
	return floor - 1 - min(n, floor-1)
}

// ground is the first dot above the baseline.
func (s scale) ground(per int) int { return s.below * per }

// step is a distance between ticks: mantissa x 10^exp.
type step struct {
	mantissa int // 1, 2, 25 or 5
	exp      int
}

// tickStep is the smallest friendly distance with which a range has no more
// labels than a plot of that many rows has room for.
func tickStep(size float64, rows int) step {
	if !(size > 1e-12) {
		size = 1e-12
	}
	most := float64(min(max(rows/2, 1), 4)) // distances, one fewer than labels
	exp := int(math.Floor(math.Log10(size/most))) - 1
	for {
		for _, s := range [...]step{{1, exp}, {2, exp}, {25, exp - 1}, {5, exp}} {
			if math.Floor(size/s.of(1)) <= most {
				return s
			}
		}
		exp++
	}
}

// of is n steps, rounded correctly so that it prints in few digits.
func (s step) of(n float64) float64 {
	if s.exp < 0 {
		return n * float64(s.mantissa) / math.Pow10(-s.exp)
	}
	return n * float64(s.mantissa) * math.Pow10(s.exp)
}

// fine is a quarter of the step, to which upper edges are rounded.
func (s step) fine() float64 { return s.of(1) / 4 }

// decimals is the number of decimals that every tick can be told apart with.
func (s step) decimals() int { return max(-s.exp, 0) }

func roundUp(f, to float64) float64 {
	n := math.Ceil(f/to - 1e-9)
	return n * to
}

package chart

import (
	"math"

	"stormtop/collector"
)

var infinity = math.Inf(1)

// drawArea draws the first curve with the area below it.
func (f *frame) drawArea(spans []span) {
	per, sub := f.set.dots, f.set.sub
	hot, upward := f.hotRow()
	for x := range f.cols {
		cell := spans[x*sub : x*sub+sub]
		infinite, beyond := false, false
		lo, hi, tip := math.MaxInt, -1, -1
		for _, s := range cell {
			if !s.drawn() {
				continue
			}
			lo, hi, tip = min(lo, s.lo), max(hi, s.hi), max(tip, s.tip)
			infinite = infinite || s.kind == Infinite
			beyond = beyond || s.beyond
		}
		if hi < 0 {
			continue
		}
		for r := lo / per; r <= hi/per; r++ {
			class := Area
			switch {
			case beyond && (!upward || r >= hot):
				class = Above
			case r == tip/per:
				class = Line
			}
			if g := f.glyph(cell, r); g != ' ' {
				f.c.set(f.left+x, f.row(r), g, class)
			}
		}
		f.cut(x, hi)
		if infinite {
			f.c.set(f.left+x, 0, f.set.beyond, Capped)
		}
	}
}

// hotRow is the row, from the bottom, from which on cells beyond the first
// threshold are Above; upward is false where all of a column is, because the
// bad side of the threshold is the lower one.
func (f *frame) hotRow() (row int, upward bool) {
	if len(f.spec.Thresholds) == 0 || !f.spec.Thresholds[0].finite() {
		return f.rows, true
	}
	t := &f.spec.Thresholds[0]
	upward = t.Compare == collector.Above || t.Compare == collector.AtLeast
	return f.scale.dot(t.At, f.set.dots) / f.set.dots, upward
}

// glyph is the character of row r of one column of cells.
func (f *frame) glyph(cell []span, r int) rune {
	if f.set.sub == 2 {
		return brailleOf(column(cell[0], r), column(cell[1], r))
	}
	per := f.set.dots
	lo, hi := max(cell[0].lo-r*per, 0), min(cell[0].hi-r*per, per-1)
	switch {
	case hi < 0 || lo >= per || lo > hi:
		return ' '
	case lo == 0:
		return f.set.from[hi+1]
	case lo >= per*2/3:
		return f.set.high
	case hi < per/3:
		return f.set.low
	}
	return f.set.mid
}

// cut shows the threshold lines in a column that is drawn up to dot hi: cut out
// of what is filled, added above what ends below them in the same row.
func (f *frame) cut(x, hi int) {
	for i := range f.spec.Thresholds {
		t := &f.spec.Thresholds[i]
		if !f.shows(t) {
			continue
		}
		d := f.scale.dot(t.At, f.set.dots)
		row := d / f.set.dots
		top := hi / f.set.dots
		p := f.c.at(f.left+x, f.row(row))
		switch {
		case top < row, top == row && hi >= d:
		case top == row && f.set.sub == 2:
			if f.dashed(x) {
				p.r |= dots[0][d%f.set.dots] | dots[1][d%f.set.dots]
			}
		case top == row:
			if f.dashed(x) && hi <= f.scale.ground(f.set.dots) {
				p.r, p.class = f.set.dash, ThresholdLine
			}
		case f.set.sub == 2:
			p.r = without(p.r, d%f.set.dots)
		case row == f.scale.below: // without a foot the area would not look like one
		default:
			p.r, p.class = f.set.dash, ThresholdLine
		}
	}
}

// dashed reports whether a column carries a dash of what is drawn over it: every
// other one, told by its time, so that a column keeps its picture as it moves.
func (f *frame) dashed(x int) bool {
	return f.axis.step != 0 && (floorDiv(f.axis.start, f.axis.step)+int64(x))%2 == 0
}

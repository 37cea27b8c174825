package chart

import "time"

// Mark is an instant on the time axis, or with To a stretch of it.
type Mark struct{ From, To time.Time }

// drawMarked draws the marks on the time axis at row y. A stretch hides nothing
// that stands there, its ends and an instant do.
func (f *frame) drawMarked(y int) {
	for _, m := range f.spec.Marks {
		if lo, hi, ok := f.axis.columns(m.From, m.To); ok && !m.To.IsZero() {
			for x := lo; x <= hi; x++ {
				if f.c.at(f.left+x, y).class == Rule {
					f.c.set(f.left+x, y, f.set.during, MarkSign)
				}
			}
		}
	}
	for _, m := range f.spec.Marks {
		for _, t := range [...]time.Time{m.From, m.To} {
			if x, ok := f.axis.at(t); ok {
				f.c.set(f.left+x, y, f.set.mark, MarkSign)
			}
		}
	}
}

// drawCursor draws the time cursor over plot and time axis; the alert states
// below keep their signs.
func (f *frame) drawCursor() {
	x, ok := f.axis.at(f.spec.Cursor)
	if !ok {
		return
	}
	x += f.left
	for y := range f.rows {
		f.c.set(x, y, f.set.cursor, Cursor)
	}
	y := f.rows
	if f.timeAxis {
		f.c.set(x, y, f.set.cross, Cursor)
		y++
	}
	for ; y < f.c.h; y++ {
		f.c.at(x, y).class = Under
	}
}

// at is the column of an instant; ok is false for the zero time, and for what is
// off the axis.
func (a Axis) at(t time.Time) (col int, ok bool) {
	if t.IsZero() {
		return 0, false
	}
	return a.Column(t)
}

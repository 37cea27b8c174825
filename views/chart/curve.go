package chart

// Pieces of a curve that is drawn with lines, as indices into set.curve.
const (
	along = iota
	up
	endDown   // leaves the row downwards
	startDown // comes from above and goes on along
	endUp
	startUp
)

// drawCurve draws a further curve as a line of whole rows over what is there.
func (f *frame) drawCurve(spans []span) {
	per := f.set.dots
	var before span
	for x, s := range spans {
		if s.drawn() {
			row := s.tip / per
			piece := along
			if before.drawn() && before.tip/per != row {
				piece = f.climb(x, before.tip/per, row)
			}
			f.stroke(x, row, piece)
			if s.kind == Infinite {
				f.c.set(f.left+x, 0, f.set.beyond, Capped)
			}
		}
		before = s
	}
}

// climb draws the way from one row to another within column x, without its end,
// and returns the piece that belongs there.
func (f *frame) climb(x, from, to int) int {
	first, last, dir := endDown, startDown, -1
	if to > from {
		first, last, dir = endUp, startUp, 1
	}
	f.stroke(x, from, first)
	for r := from + dir; r != to; r += dir {
		f.stroke(x, r, up)
	}
	return last
}

func (f *frame) stroke(x, row, piece int) {
	f.c.set(f.left+x, f.row(row), f.set.curve[piece], Second)
}

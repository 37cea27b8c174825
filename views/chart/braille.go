package chart

// Dots of a braille cell, by column and by height from the bottom.
var dots = [2][4]rune{
	{0x40, 0x04, 0x02, 0x01},
	{0x80, 0x20, 0x10, 0x08},
}

const brailleBlank = 0x2800

// column returns the dots of row r that a stroke covers, as bits from the bottom.
func column(s span, r int) uint8 {
	if !s.drawn() {
		return 0
	}
	lo, hi := max(s.lo-r*4, 0), min(s.hi-r*4, 3)
	if lo > hi {
		return 0
	}
	return uint8(1<<(hi+1)-1) &^ uint8(1<<lo-1)
}

// brailleBits maps the bits of one column to the bits of the character.
var brailleBits = func() (out [2][16]rune) {
	for c := range out {
		for bits := range out[c] {
			for d := range 4 {
				if bits>>d&1 == 1 {
					out[c][bits] |= dots[c][d]
				}
			}
		}
	}
	return out
}()

func brailleOf(left, right uint8) rune {
	bits := brailleBits[0][left&15] | brailleBits[1][right&15]
	if bits == 0 {
		return ' '
	}
	return brailleBlank | bits
}

// without clears both dots of one height.
func without(r rune, d int) rune {
	if r < brailleBlank || r > brailleBlank+0xff {
		return r
	}
	return r &^ (dots[0][d] | dots[1][d])
}

// drawDots draws a further curve as dots over what is there, cut out of it where
// it runs inside an area.
func (f *frame) drawDots(spans []span) {
	for x := range f.cols {
		for side, s := range spans[x*2 : x*2+2] {
			if !s.drawn() {
				continue
			}
			for r := s.lo / 4; r <= s.hi/4; r++ {
				p := f.c.at(f.left+x, f.row(r))
				if p.r < brailleBlank || p.r > brailleBlank+0xff {
					if p.class == Capped {
						continue
					}
					p.r = brailleBlank
				}
				bits, under := column(s, r), f.buried(x*2+side, r)
				p.r |= brailleBits[side][bits&^under]
				p.r &^= brailleBits[side][bits&under]
				p.class = Second
			}
			if s.kind == Infinite {
				f.c.set(f.left+x, 0, f.set.beyond, Capped)
			}
		}
	}
}

// buried returns the dots of row r that lie inside the area, as bits from the
// bottom: below its top, which a curve may share.
func (f *frame) buried(i, r int) uint8 {
	a := f.c.area[i]
	a.hi--
	return column(a, r)
}

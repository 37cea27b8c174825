package chart

import "fmt"

// Glyphs selects the characters a chart is drawn with.
type Glyphs uint8

// The sets of glyphs. The zero value is Braille.
const (
	Braille Glyphs = iota // two by four dots a cell
	Block                 // eighth blocks, one column a cell
	ASCII                 // nothing beyond 7 bits
)

var glyphNames = [...]string{Braille: "braille", Block: "block", ASCII: "ascii"}

// String is the name used in configuration.
func (g Glyphs) String() string {
	if int(g) < len(glyphNames) {
		return glyphNames[g]
	}
	return fmt.Sprintf("Glyphs(%d)", uint8(g))
}

// ParseGlyphs finds a set of glyphs by its String name.
func ParseGlyphs(name string) (Glyphs, error) {
	for i, n := range glyphNames {
		if n == name {
			return Glyphs(i), nil
		}
	}
	return Braille, fmt.Errorf("unknown glyphs %q: the sets are braille, block, ascii", name)
}

// set is everything a renderer needs to know of a set of glyphs.
type set struct {
	sub  int // buckets a cell
	dots int // steps of height a cell

	from   []rune // cell filled from its bottom, by height 0..dots
	high   rune   // thin line in the upper third of a cell
	mid    rune
	low    rune
	curve  [6]rune // line of a further curve: along, up, and the four corners (see line.go)
	dash   rune    // threshold
	wall   rune    // left edge of the plot
	corner rune    // lower left corner
	floor  rune    // time axis
	tick   rune    // time axis, at a labelled time
	beyond rune    // infinite
	gap    rune
	idle   rune
	doubt  rune
	cursor rune // line of the time cursor
	cross  rune // where it meets the time axis
	mark   rune // time axis, at a mark
	during rune // time axis, between two marks
	band   [numStates]rune
	levels []rune // sparkline, lowest first
}

var sets = [...]set{
	Braille: {
		sub: 2, dots: 4,
		dash: '╌', wall: '│', corner: '└', floor: '─', tick: '┴',
		beyond: '∞', gap: '×', idle: '·', doubt: '?',
		cursor: '│', cross: '┼', mark: '▲', during: '═',
		band:   [numStates]rune{NoState: ' ', OK: '·', Blind: '×', Pending: '◔', Held: '◑', Firing: '●'},
		levels: []rune("▁▂▃▄▅▆▇█"),
	},
	Block: {
		sub: 1, dots: 8,
		from: []rune(" ▁▂▃▄▅▆▇█"), high: '▔', mid: '─', low: '▁',
		curve: [6]rune{'─', '│', '╮', '╰', '╯', '╭'},
		dash:  '╌', wall: '│', corner: '└', floor: '─', tick: '┴',
		beyond: '∞', gap: '×', idle: '·', doubt: '?',
		cursor: '│', cross: '┼', mark: '▲', during: '═',
		band:   [numStates]rune{NoState: ' ', OK: '·', Blind: '×', Pending: '◔', Held: '◑', Firing: '●'},
		levels: []rune("▁▂▃▄▅▆▇█"),
	},
	ASCII: {
		sub: 1, dots: 3,
		from: []rune(" _=#"), high: '\'', mid: '-', low: '_',
		curve: [6]rune{'*', '|', '*', '*', '*', '*'},
		dash:  '-', wall: '|', corner: '+', floor: '-', tick: '+',
		beyond: '^', gap: 'x', idle: '.', doubt: '?',
		cursor: '|', cross: '+', mark: '^', during: '=',
		band:   [numStates]rune{NoState: ' ', OK: '.', Blind: 'x', Pending: 'o', Held: '~', Firing: '#'},
		levels: []rune("_.-=+*%#"),
	},
}

func (g Glyphs) set() *set {
	if int(g) < len(sets) {
		return &sets[g]
	}
	return &sets[ASCII]
}

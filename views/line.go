package views

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// line builds one row of the screen out of styled spans and never lets it grow
// beyond its width.
type line struct {
	b     strings.Builder
	width int
	used  int
	open  style // the span that is open, so that neighbours of one style share it
	any   bool
	tail  string // what marks a cut cell
}

// put appends text in a style, cut at the right edge.
func (l *line) put(st style, text string) *line {
	room := l.width - l.used
	if room <= 0 || text == "" {
		return l
	}
	w := textWidth(text)
	if w > room {
		text = fit(text, room, l.tail)
		w = textWidth(text)
	}
	return l.span(st, text, w)
}

// runes appends text every rune of which is one cell wide, as that of a chart.
func (l *line) runes(st style, text []byte) *line {
	if w := utf8.RuneCount(text); w <= l.room() {
		return l.span(st, string(text), w)
	}
	return l.put(st, string(text))
}

func (l *line) span(st style, text string, w int) *line {
	if l.any && st != l.open {
		l.b.WriteString(l.open.close)
		l.any = false
	}
	if !l.any {
		l.b.WriteString(st.open)
		l.open, l.any = st, true
	}
	l.b.WriteString(text)
	l.used += w
	return l
}

// pad appends blanks up to column x.
func (l *line) pad(st style, x int) *line {
	if n := min(x, l.width) - l.used; n > 0 {
		l.put(st, spaces(n))
	}
	return l
}

// cell appends text in exactly width cells, at the left or at the right of them.
func (l *line) cell(st style, text string, width int, right bool) *line {
	text = fit(text, width, l.tail)
	gap := spaces(width - textWidth(text))
	if right {
		return l.put(st, gap+text)
	}
	return l.put(st, text+gap)
}

// String ends the row.
func (l *line) String() string {
	if l.any {
		l.b.WriteString(l.open.close)
		l.any = false
	}
	return l.b.String()
}

// room is how many cells are left.
func (l *line) room() int { return l.width - l.used }

const blanks = "                                                                                "

func spaces(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blanks) {
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

func textWidth(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// fit cuts text to width cells, with tail where it does not fit.
func fit(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	if textWidth(s) <= width {
		return s
	}
	if width == 1 {
		tail = ""
	}
	return ansi.Truncate(s, width, tail)
}

// fitEnds cuts a name to width cells in its middle: names of one system often begin
// alike, and both ends tell them apart.
func fitEnds(s string, width int, tail string) string {
	const least = 5 // cells in which two ends say more than one
	whole, room := textWidth(s), width-textWidth(tail)
	if whole <= width || width < least {
		return fit(s, width, tail)
	}
	end := ansi.TruncateLeft(s, whole-room/2, "")
	if textWidth(end) > room/2 { // half of a wide character would have been enough
		end = ansi.TruncateLeft(s, whole-room/2+1, "")
	}
	return ansi.Truncate(s, room-room/2, "") + tail + end
}

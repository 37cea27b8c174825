package doctor

import (
	"strings"
	"unicode/utf8"

	"stormtop/collector/usage"
)

const (
	pageWidth = 80
	markAt    = 2  // columns before the mark
	topicAt   = 6  // before what a line is about
	textAt    = 19 // before the text
)

// page collects lines of text, none wider than pageWidth where words allow it.
type page struct {
	strings.Builder
	ascii bool
}

// glyphs are the characters beyond ASCII that our own words use.
var glyphs = strings.NewReplacer("×", "x", "→", "->", "≥", ">=", "∞", "inf", "–", "-", "µ", "u", "…", "...")

// line writes one line.
func (p *page) line(text string) {
	if p.ascii {
		text = toASCII(glyphs.Replace(text))
	}
	p.WriteString(strings.TrimRight(text, " ") + "\n")
}

// toASCII puts a "?" for every other character.
func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '?'
		}
		return r
	}, s)
}

// spread writes one text to the left and one to the right edge, or below each
// other where there is no room.
func (p *page) spread(left, right string) {
	gap := pageWidth - width(left) - width(right)
	if gap < 2 {
		p.line(left)
		p.block(2, right)
		return
	}
	p.line(left + strings.Repeat(" ", gap) + right)
}

// row writes a mark, what it is about, and columns that are not wrapped.
func (p *page) row(mark, topic, columns string) { p.line(margin(mark, topic) + columns) }

// entry writes a mark, what it is about, and text beside it.
func (p *page) entry(mark, topic, text string) {
	head := margin(mark, topic)
	for i, l := range usage.Wrap(text, pageWidth-textAt) {
		if i > 0 {
			head = strings.Repeat(" ", textAt)
		}
		p.line(head + l)
	}
}

func margin(mark, topic string) string {
	return strings.Repeat(" ", markAt) + pad(mark, topicAt-markAt) + pad(topic, textAt-topicAt)
}

// advice writes a remedy under an entry.
func (p *page) advice(text string) {
	if text == "" {
		return
	}
	head := "→ "
	for _, l := range usage.Wrap(text, pageWidth-textAt-len("->")-1) {
		p.line(strings.Repeat(" ", textAt) + head + l)
		head = "  "
		if p.ascii {
			head = "   "
		}
	}
}

// blank writes an empty line.
func (p *page) blank() { p.line("") }

// block writes wrapped text with an indent; no text is no line.
func (p *page) block(indent int, text string) {
	if text == "" {
		return
	}
	for _, l := range usage.Wrap(text, pageWidth-indent) {
		p.line(strings.Repeat(" ", indent) + l)
	}
}

// width is the number of columns of our own words; names from outside may hold
// wider characters, for which a line may then be longer.
func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(n-width(s), 1))
}

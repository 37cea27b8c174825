// Package picture turns a frame of the screen into an SVG, for the documents.
// Every cell stands where a terminal puts it; braille and block characters are
// drawn as shapes, since fonts disagree about them.
package picture

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Sizes of the picture.
const (
	cellWidth  = 8.4
	cellHeight = 18
	padding    = 12
)

// Paper is what a terminal draws on: its background, and what it makes of text
// without a colour and of faint text.
type Paper struct{ Background, Foreground, Faint string }

// The papers that the themes are made for.
var (
	Dark  = Paper{"#161616", "#d8d8d8", "#8a8a8a"}
	Light = Paper{"#fbfbfb", "#1c1c1c", "#767676"}
)

// pen is the look of the text that follows an escape sequence.
type pen struct {
	paper                Paper
	fg, bg               string
	bold, faint, reverse bool
}

// SVG draws a frame, one line a row, of the given width in cells.
func SVG(frame string, width int, on Paper) string {
	rows := strings.Split(frame, "\n")
	w, h := float64(width)*cellWidth+2*padding, float64(len(rows))*cellHeight+2*padding
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`+"\n", num(w), num(h), num(w), num(h))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", on.Background)
	for y, row := range rows {
		drawRow(&b, row, y, on)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func drawRow(b *strings.Builder, row string, y int, on Paper) {
	p := pen{paper: on}
	x := 0
	text, from := "", 0
	flush := func() {
		if strings.TrimSpace(text) != "" {
			drawText(b, p, text, from, y)
		}
		text = ""
	}
	state := byte(0)
	for len(row) > 0 {
		seq, width, n, next := ansi.DecodeSequence(row, state, nil)
		state = next
		row = row[n:]
		if width == 0 {
			flush()
			if strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") {
				p = p.apply(seq[2 : len(seq)-1])
			}
			continue
		}
		if bg := p.back(); bg != "" {
			fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%d" fill="%s"/>`+"\n", num(left(x)), num(top(y)), num(cellWidth*float64(width)+0.3), cellHeight, bg)
		}
		r, _ := utf8.DecodeRuneInString(seq)
		switch shape := shapeOf(r, x, y); {
		case shape != "":
			flush()
			fmt.Fprintf(b, `<g fill="%s">%s</g>`+"\n", p.front(), shape)
		case r == ' ' && strings.HasSuffix(text, " "):
			flush() // fonts do not keep long blanks to the cell
		default:
			if text == "" {
				from = x
			}
			text += seq
		}
		x += width
	}
	flush()
}

func drawText(b *strings.Builder, p pen, text string, from, y int) {
	trimmed := strings.TrimLeft(text, " ")
	from += len(text) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, " ")
	weight := ""
	if p.bold {
		weight = ` font-weight="bold"`
	}
	n := ansi.StringWidth(trimmed)
	fmt.Fprintf(b, `<text x="%s" y="%s" fill="%s"%s textLength="%s" xml:space="preserve">%s</text>`+"\n",
		num(left(from)), num(top(y)+13.5), p.front(), weight, num(float64(n)*cellWidth), html.EscapeString(trimmed))
}

func left(x int) float64 { return padding + float64(x)*cellWidth }
func top(y int) float64  { return padding + float64(y)*cellHeight }

func num(f float64) string { return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64) }

// brailleDots maps the bits of a braille character to column and row.
var brailleDots = [8][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}

// shapeOf draws braille dots and the blocks that grow from below; "" for any
// other character.
func shapeOf(r rune, x, y int) string {
	switch {
	case r > 0x2800 && r <= 0x28ff:
		var b strings.Builder
		for bit, at := range brailleDots {
			if r&(1<<bit) != 0 {
				fmt.Fprintf(&b, `<circle cx="%s" cy="%s" r="1.5"/>`,
					num(left(x)+cellWidth*(0.25+0.5*float64(at[0]))), num(top(y)+cellHeight*(0.125+0.25*float64(at[1]))))
			}
		}
		return b.String()
	case r >= '▁' && r <= '█':
		h := cellHeight * float64(r-'▁'+1) / 8
		return fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s"/>`, num(left(x)), num(top(y)+cellHeight-h), num(cellWidth+0.3), num(h))
	}
	return ""
}

// apply changes the pen by the parameters of an SGR sequence.
func (p pen) apply(params string) pen {
	f := strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' })
	if len(f) == 0 {
		return pen{paper: p.paper}
	}
	for i := 0; i < len(f); i++ {
		switch f[i] {
		case "0":
			p = pen{paper: p.paper}
		case "1":
			p.bold = true
		case "2":
			p.faint = true
		case "7":
			p.reverse = true
		case "38", "48":
			if i+4 < len(f) && f[i+1] == "2" {
				r, _ := strconv.Atoi(f[i+2])
				g, _ := strconv.Atoi(f[i+3])
				bl, _ := strconv.Atoi(f[i+4])
				c := fmt.Sprintf("#%02x%02x%02x", r&255, g&255, bl&255)
				if f[i] == "38" {
					p.fg = c
				} else {
					p.bg = c
				}
				i += 4
			}
		}
	}
	return p
}

func (p pen) front() string {
	switch {
	case p.reverse:
		return p.paper.Background
	case p.fg != "":
		return p.fg
	case p.faint:
		return p.paper.Faint
	}
	return p.paper.Foreground
}

func (p pen) back() string {
	if p.reverse {
		return p.paper.Foreground
	}
	return p.bg
}

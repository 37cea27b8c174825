package views

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Theme is a set of colours. Each is colour-blind safe: the two trouble colours
// differ in lightness as well as in hue, and no meaning is carried by colour
// alone.
type Theme uint8

// The themes.
const (
	Dark Theme = iota
	Light
	Mono // no colours at all, only weight (NO_COLOR)
)

var themeNames = [...]string{Dark: "dark", Light: "light", Mono: "mono"}

// String is the name used by --theme.
func (t Theme) String() string { return themeNames[t%3] }

// Next is the theme that the theme key changes to. Without colours there is
// nothing to choose.
func (t Theme) Next() Theme {
	switch t {
	case Dark:
		return Light
	case Light:
		return Dark
	}
	return Mono
}

// style is a span's escape sequences, made once by Lip Gloss, so that drawing a
// frame only joins strings.
type style struct{ open, close string }

func newStyle(s lipgloss.Style) style {
	const probe = "\x00"
	open, rest, ok := strings.Cut(s.Render(probe), probe)
	if !ok {
		return style{}
	}
	return style{open: open, close: rest}
}

// styles are the roles that spans of the screen have.
type styles struct {
	plain    style // default text
	dim      style // labels, axes, calm lines
	strong   style // headings and the numbers that matter
	pending  style
	firing   style
	verdict  style // the verdict while firing
	calm     style // the word ok
	key      style // a key in the footer
	inverted style // frozen header
	area     style // chart below the threshold
	second   style // second series of a chart
}

func (t Theme) styles() styles {
	base := lipgloss.NewStyle()
	if t == Mono {
		return styles{
			dim: newStyle(base.Faint(true)), strong: newStyle(base.Bold(true)),
			pending: newStyle(base.Bold(true)), firing: newStyle(base.Bold(true)),
			verdict: newStyle(base.Bold(true).Reverse(true)), calm: newStyle(base.Bold(true)),
			key: newStyle(base.Bold(true)), inverted: newStyle(base.Reverse(true)),
			second: newStyle(base.Faint(true)),
		}
	}
	// Amber and vermilion after Okabe and Ito's colour-blind safe palette,
	// shifted in lightness for contrast on each background.
	dim, pending, firing, onFiring, key := "#8A8A8A", "#F0B429", "#FF5D4D", "#1A0500", "#BCBCBC"
	area, second := "#9E9E9E", "#5FAFD7"
	if t == Light {
		dim, pending, firing, onFiring, key = "#6C6C6C", "#8A5A00", "#B3261E", "#FFFFFF", "#444444"
		area, second = "#767676", "#005F87"
	}
	c := func(s string) lipgloss.Style { return base.Foreground(lipgloss.Color(s)) }
	return styles{
		dim:      newStyle(c(dim)),
		strong:   newStyle(base.Bold(true)),
		pending:  newStyle(c(pending).Bold(true)),
		firing:   newStyle(c(firing).Bold(true)),
		verdict:  newStyle(base.Bold(true).Foreground(lipgloss.Color(onFiring)).Background(lipgloss.Color(firing))),
		calm:     newStyle(base.Bold(true)),
		key:      newStyle(c(key).Bold(true)),
		inverted: newStyle(base.Reverse(true)),
		area:     newStyle(c(area)),
		second:   newStyle(c(second)),
	}
}

package views

import (
	"stormtop/alerts"
	"stormtop/views/chart"
	"stormtop/views/verdict"
)

// glyphs are the marks of one set. Each has a width of one cell.
type glyphs struct {
	ok, pending, firing, held, none, unknown  string
	selected, ellipsis, up, down, bar, record string
	less, more, documented, best              string
}

func marksOf(set chart.Glyphs) glyphs {
	sign := verdict.Mark.String
	g := glyphs{selected: "▸", ellipsis: "…", up: "▴", down: "▾", bar: "▇", record: "◉", less: "‹", more: "›", documented: "◆", best: "▪"}
	if set == chart.ASCII {
		sign = verdict.Mark.ASCII
		g = glyphs{selected: ">", ellipsis: ".", up: "^", down: "v", bar: "=", record: "@", less: "<", more: ">", documented: "*", best: "+"}
	}
	g.ok, g.pending, g.firing = sign(verdict.MarkOk), sign(verdict.MarkPending), sign(verdict.MarkFiring)
	g.held, g.none, g.unknown = sign(verdict.MarkHeld), sign(verdict.MarkNoData), sign(verdict.MarkUnjudged)
	return g
}

// mark is the sign of a shown state; blank while nothing is wrong.
func (g glyphs) mark(s alerts.State, held bool) string {
	switch {
	case held && s >= alerts.Pending:
		return g.held
	case s == alerts.Firing:
		return g.firing
	case s == alerts.Pending:
		return g.pending
	}
	return " "
}

// text makes fixed text and formatted numbers fit the set of glyphs. Names from
// outside keep their letters in every set but ASCII.
func (m *Model) text(s string) string {
	if m.set != chart.ASCII {
		return s
	}
	return verdict.ASCII(s)
}

// nextGlyphs is the set that the glyph key changes to.
func nextGlyphs(g chart.Glyphs) chart.Glyphs {
	switch g {
	case chart.Braille:
		return chart.Block
	case chart.Block:
		return chart.ASCII
	}
	return chart.Braille
}

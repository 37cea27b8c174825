package report

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"stormtop/views/verdict"
)

// grid lines up cells in columns, two blanks apart. Columns named in right are
// set to the right.
type grid struct {
	ascii bool   // cells are spelled in ASCII before they are lined up
	right string // one letter a column: "r" right, anything else left
	rows  [][]string
}

func (g *grid) add(cells ...string) {
	if g.ascii {
		for i, c := range cells {
			cells[i] = verdict.ASCII(c)
		}
	}
	g.rows = append(g.rows, cells)
}

// String is the grid, a line a row, without blanks at the ends of lines.
func (g *grid) String() string {
	var width []int
	for _, row := range g.rows {
		for i, c := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], ansi.StringWidth(c))
		}
	}
	var b strings.Builder
	for _, row := range g.rows {
		var line strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", width[i]-ansi.StringWidth(c))
			if i < len(g.right) && g.right[i] == 'r' {
				c, pad = pad+c, ""
			}
			if i > 0 {
				line.WriteString("  ")
			}
			line.WriteString(c + pad)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

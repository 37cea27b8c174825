package views

import "cmp"

// grid is rows of text in columns that are as wide as what is in them.
type grid struct {
	m       *Model
	columns []*gridColumn
	room    int // cells that it may take; 0: the width of the screen
}

// gridColumn is one column; of those that do not fit the lightest give way.
type gridColumn struct {
	m      *Model
	title  string
	right  bool
	weight int
	cells  []span
	wide   int
}

// column adds a column.
func (t *grid) column(title string, right bool, weight int) *gridColumn {
	c := &gridColumn{m: t.m, title: title, right: right, weight: weight, wide: len(title)}
	t.columns = append(t.columns, c)
	return c
}

// put adds a cell below the others.
func (c *gridColumn) put(st style, text string) {
	text = c.m.text(text)
	c.cells = append(c.cells, span{st, text, 0})
	c.wide = max(c.wide, textWidth(text))
}

// rows lays the table out, its heading first; none without cells. A column in
// which nothing stands is left out.
func (t *grid) rows() []textRow {
	if len(t.columns) == 0 || len(t.columns[0].cells) == 0 {
		return nil
	}
	var shown []*gridColumn
	for _, c := range t.columns {
		empty := true
		for _, p := range c.cells {
			empty = empty && p.text == ""
		}
		if !empty {
			shown = append(shown, c)
		}
	}
	for len(shown) > 1 && needed(shown) > cmp.Or(t.room, t.m.width) {
		least := 0
		for i, c := range shown {
			if c.weight < shown[least].weight {
				least = i
			}
		}
		shown = append(shown[:least:least], shown[least+1:]...)
	}
	if len(shown) == 0 {
		return nil
	}
	out := make([]textRow, 1+len(shown[0].cells))
	for i, c := range shown {
		gap, head := "  ", t.m.styles.dim
		if i == 0 {
			gap, head = " ", t.m.styles.strong
		}
		out[0] = append(out[0], span{t.m.styles.plain, gap, 0}, t.m.cell(head, c.title, c.wide, c.right))
		for y, p := range c.cells {
			out[y+1] = append(out[y+1], span{t.m.styles.plain, gap, 0}, t.m.cell(p.style, p.text, c.wide, c.right))
		}
	}
	return out
}

// needed is the width of columns.
func needed(columns []*gridColumn) int {
	n := 0
	for _, c := range columns {
		n += c.wide + 2
	}
	return n
}

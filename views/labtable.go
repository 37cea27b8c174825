package views

import (
	"slices"

	"stormtop/collector"
)

// leverTable is the matrix of the levers: their rows by the layers.
type leverTable struct {
	names  []string // of the rows
	layers []string
	cells  [][]string // values by row and layer; "" where there is no lever
	row    int        // of the selected lever, -1 without one
	layer  int
	left   int // cells of the names
	column int // cells of a layer
	first  int // the first layer on the screen
	shown  int // layers on the screen
	width  int // cells of the table
}

// Sizes of the table of levers, in cells.
const (
	leastName   = 6
	leastColumn = 8
	mostColumn  = 16
	mostName    = 12
)

// leverTable lays the levers out for the present width: where not all layers
// fit, those around the selected one.
func (m *Model) leverTable() leverTable {
	r := m.rig.shown
	t := leverTable{names: leverRows(r), row: -1, left: leastName}
	for _, name := range t.names {
		t.left = max(t.left, min(textWidth(m.text(name)), mostName))
	}
	t.column = leastColumn
	for _, layer := range r.Layers {
		t.layers = append(t.layers, m.text(layer))
		t.column = max(t.column, textWidth(m.text(layer))+2)
	}
	t.cells = make([][]string, len(t.names))
	for i := range t.cells {
		t.cells[i] = make([]string, len(t.layers))
	}
	for i := range r.Levers {
		l := &r.Levers[i]
		value := m.text(l.Value)
		if value == "" {
			value = m.text("–")
		}
		t.cells[slices.Index(t.names, l.Row)][l.Layer] = value
		t.column = max(t.column, textWidth(value)+3)
	}
	t.column = min(t.column, mostColumn)
	if s, _, ok := m.selectedSpot(); ok && s.kind == leverSpot {
		t.row, t.layer = slices.Index(t.names, r.Levers[s.i].Row), r.Levers[s.i].Layer
	}
	t.left += 2 // the margin, and a blank behind the names
	t.shown = min(max((m.width-t.left-1)/t.column, 1), len(t.layers))
	t.first = min(max(t.layer-t.shown/2, 0), len(t.layers)-t.shown)
	t.width = t.left + t.shown*t.column
	return t
}

// height is the rows of the table, its heading included.
func (t *leverTable) height() int { return 1 + len(t.names) }

// rows draws h rows of the table: without room for all of them the heading and
// those around the selected lever.
func (t *leverTable) rows(m *Model, h int) []textRow {
	var out []textRow
	if h > 1 {
		head := textRow{m.cell(m.styles.strong, " LEVER", t.left, false)}
		for i := range t.shown {
			head = append(head, m.cell(m.styles.dim, " "+t.layers[t.first+i], t.column, false))
		}
		out = append(out, head)
	}
	room := h - len(out)
	first := 0
	if len(t.names) > room {
		first = min(max(t.row-room/2, 0), len(t.names)-room)
	}
	for i := first; i < min(first+room, len(t.names)); i++ {
		row := textRow{m.cell(m.styles.plain, " "+m.text(t.names[i]), t.left, false)}
		if i == t.row {
			row[0].style = m.styles.strong
		}
		for c := t.first; c < t.first+t.shown; c++ {
			row = append(row, t.cell(m, i, c))
		}
		out = append(out, row)
	}
	return out
}

// cell is the value of a lever, in brackets where it is selected.
func (t *leverTable) cell(m *Model, row, layer int) span {
	value := t.cells[row][layer]
	switch {
	case value == "":
		return span{m.styles.plain, spaces(t.column), 0}
	case row == t.row && layer == t.layer:
		value = "[" + fit(value, t.column-3, m.glyphs.ellipsis) + "]"
		return m.cell(m.styles.strong, value, t.column, false)
	}
	return m.cell(m.styles.plain, " "+fit(value, t.column-2, m.glyphs.ellipsis), t.column, false)
}

// effectLeast is the width that what a change did needs beside the levers.
const effectLeast = 36

// effectRows say what the last change did, in rows of at most width cells, and
// what the worst case is now.
func (m *Model) effectRows(width int) []textRow {
	r := m.rig.shown
	title := textRow{{m.styles.strong, " LAST CHANGE", 0}}
	out := []textRow{title}
	if e := r.Effect; e != nil {
		out[0] = append(title, span{m.styles.dim, "  " + collector.FormatDuration(e.Ago) + " ago", 0})
		out = append(out, m.cut(textRow{{m.styles.plain, " " + m.text(e.Text), 0}}, width))
		out = append(out, m.effectTable(e, width)...)
	} else {
		out = append(out, m.cut(textRow{{m.styles.dim, " none yet", 0}}, width))
	}
	worst := textRow{{m.styles.dim, " worst case now  ", 0}, {m.styles.strong, m.text(worstCase(r)), 0}}
	return append(out, m.cut(worst, width))
}

// effectTable are the numbers before a change, now, and ten seconds after it.
func (m *Model) effectTable(e *collector.Effect, width int) []textRow {
	heads := [...]string{"before", "now", "after 10s"}
	cells := make([][3]string, len(e.Figures))
	name, column := leastName, len(heads[2])
	for i := range e.Figures {
		f := &e.Figures[i]
		cells[i] = [3]string{m.text(f.Before.String()), m.text(f.Now.String()), m.text(f.Later.String())}
		name = max(name, textWidth(m.text(f.Name)))
		for _, c := range cells[i] {
			column = max(column, textWidth(c))
		}
	}
	column++
	name = max(min(name, width-3*column-1), leastName)
	head := textRow{m.cell(m.styles.dim, "", name+1, false)}
	for _, h := range heads {
		head = append(head, m.cell(m.styles.dim, h, column, true))
	}
	out := []textRow{m.cut(head, width)}
	for i := range cells {
		row := textRow{
			m.cell(m.styles.dim, " "+m.text(e.Figures[i].Name), name+1, false), m.cell(m.styles.plain, cells[i][0], column, true),
			m.cell(m.styles.strong, cells[i][1], column, true), m.cell(m.styles.plain, cells[i][2], column, true),
		}
		out = append(out, m.cut(row, width))
	}
	return out
}

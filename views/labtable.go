package views

import (
	"cmp"
	"slices"
	"strconv"

	"stormtop/collector"
	"stormtop/views/verdict"
)

// leverTable is the matrix of the levers: their rows by the layers.
type leverTable struct {
	names  []string // of the rows
	layers []string
	cells  [][]string // values by row and layer; "" where there is no lever
	row    int        // of the selected lever, -1 without one
	layer  int
	left   int   // cells of the names
	wide   []int // cells of each layer
	first  int   // the first layer on the screen
	shown  int   // layers on the screen
	width  int   // cells of the table
}

// Sizes of the table of levers, in cells.
const (
	leastName   = 6
	leastColumn = 10
	goodColumn  = 8 // to which layers give way to what stands beside them
	mostColumn  = 20
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
	for _, layer := range r.Layers {
		t.layers = append(t.layers, m.text(layer))
		t.wide = append(t.wide, max(leastColumn, textWidth(m.text(layer))+2))
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
		t.wide[l.Layer] = max(t.wide[l.Layer], textWidth(value)+3)
	}
	for i := range t.wide {
		t.wide[i] = min(t.wide[i], mostColumn)
	}
	if s, _, ok := m.selectedSpot(); ok && s.kind == leverSpot {
		t.row, t.layer = slices.Index(t.names, r.Levers[s.i].Row), r.Levers[s.i].Layer
	}
	t.left += 2 // the margin, and a blank behind the names
	t.narrow(m.width - 1 - effectLeast)
	t.window(m.width - 1)
	return t
}

// narrow takes cells from the widest layers until the table has a width, if so
// much can be taken.
func (t *leverTable) narrow(width int) {
	sum, least := t.left, t.left
	for _, w := range t.wide {
		sum += w
		least += min(w, goodColumn)
	}
	if least > width {
		return
	}
	for ; sum > width; sum-- {
		widest := 0
		for i, w := range t.wide {
			if w > t.wide[widest] {
				widest = i
			}
		}
		t.wide[widest]--
	}
}

// window chooses the layers that fit into a width, around the selected one.
func (t *leverTable) window(width int) {
	t.width = t.left
	if len(t.wide) == 0 {
		return
	}
	t.first, t.shown = t.layer, 1
	t.width += t.wide[t.layer]
	for grown := true; grown; {
		grown = false
		if next := t.first + t.shown; next < len(t.wide) && t.width+t.wide[next] <= width {
			t.width, t.shown, grown = t.width+t.wide[next], t.shown+1, true
		}
		if t.first > 0 && t.width+t.wide[t.first-1] <= width {
			t.first--
			t.width, t.shown, grown = t.width+t.wide[t.first], t.shown+1, true
		}
	}
}

// height is the rows of the table, its heading included.
func (t *leverTable) height() int { return 1 + len(t.names) }

// rows draws h rows of the table: without room for all of them the heading, which
// counts them, and those around the selected lever.
func (t *leverTable) rows(m *Model, h int) []textRow {
	var out []textRow
	if h > 1 {
		word, more := " LEVER", ""
		if room := h - 1; room < len(t.names) {
			word = " " + strconv.Itoa(room) + " of " + strconv.Itoa(len(t.names))
		}
		if n := len(t.layers) - t.shown; n > 0 {
			if more = " " + strconv.Itoa(n) + " more"; t.width+len(more) > m.width {
				word, more = more, ""
			}
		}
		head := textRow{m.cell(m.styles.strong, word, t.left, false)}
		for i := range t.shown {
			wide := t.wide[t.first+i]
			head = append(head, m.cell(m.styles.dim, " "+fitEnds(t.layers[t.first+i], wide-1, m.glyphs.ellipsis), wide, false))
		}
		if more != "" {
			head = append(head, span{m.styles.pending, more, 0})
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
	value, width := t.cells[row][layer], t.wide[layer]
	switch {
	case value == "":
		return span{m.styles.plain, spaces(width), 0}
	case row == t.row && layer == t.layer:
		return m.cell(m.styles.strong, "["+fit(value, width-3, m.glyphs.ellipsis)+"]", width, false)
	}
	return m.cell(m.styles.plain, " "+fit(value, width-2, m.glyphs.ellipsis), width, false)
}

// effectLeast is the width that what a change did needs beside the levers.
const effectLeast = 36

// Cells of the names of what a change did: with and without what each is of.
const (
	mostFigure  = 24
	leastFigure = 13
)

// worstRows say what the worst case is now, and what budgets and forced breakers
// leave of it.
func (m *Model) worstRows(width int) []textRow {
	r := m.rig.shown
	out := []textRow{m.cut(textRow{{m.styles.dim, " worst case now  ", 0}, {m.styles.strong, m.text(worstCase(r)), 0}}, width)}
	if most, _ := bounded(r); most != "" {
		out = append(out, m.cut(textRow{{m.styles.plain, " " + m.text(most), 0}}, width))
	}
	return out
}

// changeRows say what the last change did, in rows of at most width cells.
func (m *Model) changeRows(width int) []textRow {
	r := m.rig.shown
	title := textRow{{m.styles.strong, " LAST CHANGE", 0}}
	out := []textRow{title}
	if e := r.Effect; e != nil {
		out[0] = append(title, span{m.styles.dim, "  " + collector.FormatDuration(e.Ago) + " ago", 0})
		out = append(out, m.cut(textRow{{m.styles.plain, " " + m.text(e.Text), 0}}, width))
		out = append(out, m.own(m.effectTable(e, width))...)
	} else {
		out = append(out, m.cut(textRow{{m.styles.dim, " none yet", 0}}, width))
	}
	return out
}

// effectTable are the numbers before a change, ten seconds after it, and now. No
// number is cut: that a class is one delivered of gives way first, then what was
// before, then what was ten seconds after.
func (m *Model) effectTable(e *collector.Effect, width int) []textRow {
	const before, later, now = 0, 1, 2
	heads, shown := [...]string{"before", "after 10s", "now"}, []int{before, later, now}
	name, full := leastName, leastName
	cells := make([][3]string, len(e.Figures))
	var wide [3]int
	for i := range e.Figures {
		f := &e.Figures[i]
		cells[i] = [3]string{m.text(verdict.Share(f.Before)), m.text(verdict.Share(f.Later)), m.text(verdict.Share(f.Now))}
		name, full = max(name, textWidth(m.text(cmp.Or(f.Of, f.Name)))), max(full, textWidth(m.text(f.FullName())))
		for c, text := range cells[i] {
			wide[c] = max(wide[c], textWidth(text))
		}
	}
	fits := func(name int) bool {
		sum := 1 + name
		for _, c := range shown {
			sum += 1 + max(wide[c], len(heads[c]))
		}
		return sum <= width
	}
	named := (*collector.EffectFigure).FullName
	if full = min(full, mostFigure); fits(full) {
		name = full
	} else {
		named = func(f *collector.EffectFigure) string { return cmp.Or(f.Of, f.Name) }
		if name = min(name, leastFigure); !fits(name) {
			heads[later] = "+10s"
		}
	}
	for name > leastName && !fits(name) {
		name--
	}
	for _, fewer := range [][]int{{later, now}, {now}} {
		if !fits(name) {
			shown = fewer
		}
	}
	head := textRow{m.cell(m.styles.dim, "", name+1, false)}
	for _, c := range shown {
		head = append(head, m.cell(m.styles.dim, heads[c], 1+max(wide[c], len(heads[c])), true))
	}
	out := []textRow{m.cut(head, width)}
	for i := range cells {
		row := textRow{m.cell(m.styles.dim, " "+m.text(named(&e.Figures[i])), name+1, false)}
		for _, c := range shown {
			st := m.styles.plain
			if c == now {
				st = m.styles.strong
			}
			row = append(row, m.cell(st, cells[i][c], 1+max(wide[c], len(heads[c])), true))
		}
		out = append(out, m.cut(row, width))
	}
	return out
}

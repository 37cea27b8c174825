package views

// textRow is a row that is not drawn yet, so that it can be put beside another.
type textRow []span

// width is the number of its cells.
func (r textRow) width() int {
	n := 0
	for _, p := range r {
		n += textWidth(p.text)
	}
	return n
}

// widest is the width of the widest of rows.
func widest(rows []textRow) int {
	n := 0
	for _, r := range rows {
		n = max(n, r.width())
	}
	return n
}

// drawn draws rows, each cut at the edge of the screen.
func (m *Model) drawn(rows []textRow) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		l := m.line()
		for _, p := range row {
			l.put(p.style, p.text)
		}
		out[i] = l.String()
	}
	return out
}

// beside puts rows at column at, to the right of others.
func (m *Model) beside(left, right []textRow, at int) []textRow {
	out := make([]textRow, max(len(left), len(right)))
	for i := range out {
		if i < len(left) {
			out[i] = m.cut(left[i], at-1)
		}
		if i < len(right) {
			out[i] = append(out[i], span{m.styles.plain, spaces(at - out[i].width()), 0})
			out[i] = append(out[i], right[i]...)
		}
	}
	return out
}

// cut is a row of at most width cells.
func (m *Model) cut(r textRow, width int) textRow {
	out := make(textRow, 0, len(r)+4)
	for _, p := range r {
		if p.text = fit(p.text, width, m.glyphs.ellipsis); p.text != "" {
			out = append(out, p)
		}
		width -= textWidth(p.text)
	}
	return out
}

// cell is text in exactly width cells, at the left or at the right of them.
func (m *Model) cell(st style, text string, width int, right bool) span {
	text = fit(text, width, m.glyphs.ellipsis)
	gap := spaces(width - textWidth(text))
	if right {
		return span{st, gap + text, 0}
	}
	return span{st, text + gap, 0}
}

// flowing breaks parts to rows, two blanks between them; rows behind the first
// begin at a column.
func (m *Model) flowing(first textRow, indent int, parts []textRow) []textRow {
	out := []textRow{first}
	for _, p := range parts {
		row := &out[len(out)-1]
		if used := row.width(); used > indent && used+2+p.width() > m.width-1 {
			out = append(out, textRow{span{m.styles.plain, spaces(indent), 0}})
			row = &out[len(out)-1]
		}
		*row = append(append(*row, span{m.styles.plain, "  ", 0}), p...)
	}
	return out
}

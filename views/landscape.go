package views

import (
	"slices"

	"stormtop/alerts/trial"
	"stormtop/collector"
)

// landHeight is how many rows the map takes at most, title, heading and legend
// included; 0 without one.
func (m *Model) landHeight(l *trial.Landscape) int {
	if l == nil || len(l.Map.Cells) == 0 || m.width < 30 {
		return 0
	}
	n := len(l.Map.Fors) + 2
	if l.Map.Incidents > 0 {
		n++
	}
	return n
}

// Cells of the map.
const (
	landLabel = 13 // in front of a row
	landLeast = 7  // a column
)

// landRows draws the map in h rows: thresholds across, times of for upwards. In
// what fits, the point that is turned, that in force, the documented and the best
// one always are.
func (m *Model) landRows(l *trial.Landscape, is, draft collector.RuleSpec, h int) []string {
	mp := l.Map
	unit := m.ruleUnit(is)
	known := mp.Incidents > 0
	x, y := mp.Place(draft)
	px, py := mp.Place(is)
	mustX, mustY := []int{x, px}, []int{y, py}
	if l.Documented != nil {
		dx, dy := mp.Place(*l.Documented)
		mustX, mustY = append(mustX, dx), append(mustY, dy)
	}
	if known {
		mustX, mustY = append(mustX, l.Advice.X), append(mustY, l.Advice.Y)
	}
	wide := landLeast
	for _, c := range mustX {
		wide = max(wide, textWidth(m.text(collector.FormatThreshold(mp.Thresholds[c], unit)))+2)
	}
	columns := thin(len(mp.Thresholds), max((m.width-landLabel-1)/wide, 1), mustX)
	title, legend := h >= 5, h >= 4 && known
	room := h - 1
	if title {
		room--
	}
	if legend {
		room--
	}
	rows := thin(len(mp.Fors), max(room, 1), mustY)
	var out []textRow
	if title {
		out = append(out, m.landTitle(l))
	}
	label := " threshold " + draft.Compare.String()
	if m.ownFixed(is.Name) {
		label = " any sample"
	}
	head := textRow{m.cell(m.styles.dim, label, landLabel, false)}
	for _, c := range columns {
		st := m.styles.dim
		if c == x {
			st = m.styles.strong
		}
		text := m.text(collector.FormatThreshold(mp.Thresholds[c], unit))
		if m.ownFixed(is.Name) {
			text = ""
		}
		head = append(head, m.cell(st, text+" ", wide, true))
	}
	for i := len(rows) - 1; i >= 0; i-- {
		st := m.styles.dim
		if rows[i] == y {
			st = m.styles.strong
		}
		row := textRow{m.cell(st, " for "+collector.FormatInterval(mp.Fors[rows[i]]), landLabel, false)}
		for _, c := range columns {
			row = append(row, m.landCell(l, draft, c, rows[i], wide)...)
		}
		out = append(out, row)
	}
	out = append(out, head)
	if legend {
		out = append(out, m.landBest(l, unit))
	}
	for i := range out {
		out[i] = m.cut(out[i], m.width)
	}
	return m.drawn(out)
}

// landCell is a point of the map: in figures, and with the marks of what it is.
func (m *Model) landCell(l *trial.Landscape, draft collector.RuleSpec, x, y, wide int) textRow {
	mp := l.Map
	c := mp.At(x, y)
	known := mp.Incidents > 0
	text, look := "", m.styles.plain
	switch {
	case !known:
		if text = collector.FormatCount(float64(c.Firings)); c.Firings == 0 {
			look = m.styles.dim
		}
	case !c.Found(mp.Incidents):
		text, look = m.text("–"), m.styles.dim
	default:
		if text = m.text(shortLead(c.Lead)); c.Missed > 0 {
			text += m.text("–")
		}
	}
	if known && c.False > 0 {
		text, look = "!"+text, m.styles.dim
	}
	left := " "
	if known && l.Advice.Region[y*len(mp.Thresholds)+x] && l.Advice.Cell.Missed < mp.Incidents {
		left, look = m.glyphs.best, m.styles.strong
	}
	if l.Documented != nil && mp.Thresholds[x] == l.Documented.Threshold && mp.Fors[y] == l.Documented.For {
		left = m.glyphs.documented
	}
	if mp.Thresholds[x] != draft.Threshold || mp.Fors[y] != draft.For {
		return textRow{m.cell(look, left+text+" ", wide, true)}
	}
	if left == " " {
		left = ""
	}
	text = "[" + left + text + "]"
	return textRow{{m.styles.plain, spaces(wide - textWidth(text)), 0}, {m.styles.inverted, text, 0}}
}

// landTitle names the map and explains its marks, as far as there is room.
func (m *Model) landTitle(l *trial.Landscape) textRow {
	known := l.Map.Incidents > 0
	what := "lead, seconds"
	switch {
	case !known && m.ruling.answers[m.ruling.rule].Sure:
		what = "firings, all of them false alarm"
	case !known:
		what = "firings, with no incident to judge by"
	case l.Map.Incidents > 1:
		what = "longest lead, seconds"
	}
	row := textRow{{m.styles.strong, " LANDSCAPE", 0}, {m.styles.dim, "  " + what, 0}}
	legend := func(sign, means string) {
		part := textRow{{m.styles.key, "  " + sign, 0}, {m.styles.dim, " " + means, 0}}
		if row.width()+part.width() < m.width {
			row = append(row, part...)
		}
	}
	if known {
		legend(m.glyphs.best, "best")
		legend("!", "false alarm")
		legend(m.text("–"), "missed")
	}
	if l.Documented != nil {
		legend(m.glyphs.documented, "documented")
	}
	legend("[ ]", "now")
	return row
}

// landBest says where it is best, and how far around that it is as good.
func (m *Model) landBest(l *trial.Landscape, unit collector.Unit) textRow {
	to, ok := m.bestPoint()
	if !ok {
		return textRow{{m.styles.dim, " no point of the map finds an incident", 0}}
	}
	a := &l.Advice
	at := "at " + to.Compare.String() + " " + collector.FormatThreshold(to.Threshold, unit) + " for "
	if m.ownFixed(to.Name) {
		at = "with for "
	}
	text := " best: " + collector.FormatDuration(a.Cell.Lead) + " after the start " + at + collector.FormatInterval(to.For)
	if a.Cell.False > 0 {
		text += ", false alarm " + collector.FormatDuration(a.Cell.False)
	} else {
		text += ", no false alarm"
	}
	row := textRow{{m.styles.strong, m.text(text), 0}}
	if a.Least < a.Most {
		part := m.text("; as good from " + collector.FormatThreshold(a.Least, unit) + " to " + collector.FormatThreshold(a.Most, unit))
		if row.width()+textWidth(part) < m.width {
			row = append(row, span{m.styles.dim, part, 0})
		}
	}
	return row
}

// thin chooses at most n of so many places, ascending: those that must be there,
// and between them others at equal steps. Those that must be there give way from
// the last on.
func thin(count, n int, must []int) []int {
	var out []int
	add := func(i int) {
		if i >= 0 && i < count && len(out) < n && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	for _, i := range must {
		add(i)
	}
	if free := n - len(must); free > 0 { // wherever the point is, the others stay
		for k := range free {
			if free == 1 {
				add(count / 2)
				break
			}
			add(k * (count - 1) / (free - 1))
		}
	}
	slices.Sort(out)
	for len(out) < min(n, count) { // in the widest gap, and at the ends
		at, wide := -1, 0
		before := -1
		for _, i := range append(slices.Clone(out), count) {
			if i-before > wide {
				at, wide = before+(i-before)/2, i-before
			}
			before = i
		}
		add(at)
		slices.Sort(out)
	}
	return out
}

package views

// While no signal can be read, the Chain and the Lab go on: they show what the
// simulator counts itself, which nobody has in production. That must be said, and
// must not look like something measured.

// isTruth reports whether what the simulation shows is its own count, since
// nothing is measured.
func (m *Model) isTruth() bool { return m.shown.Last != nil && m.shown.Last.Blind() }

const notMeasured = "the simulator's own count, not measured: the signals are blind"

// truthText says so, as long as there is room for; "" while signals are read.
func (m *Model) truthText() string {
	if !m.isTruth() {
		return ""
	}
	since := ""
	if t := m.shown.BlindSince; !t.IsZero() {
		since = " since " + m.clock(t)
	}
	for _, text := range []string{notMeasured, "the simulator's own count: signals blind"} {
		if textWidth(text+since)+4 <= m.width {
			return text + since
		}
	}
	return "not measured: blind" + since
}

// own are rows of numbers of the simulation: dim where nobody could measure them.
func (m *Model) own(rows []textRow) []textRow {
	if !m.isTruth() {
		return rows
	}
	out := make([]textRow, len(rows))
	for i, row := range rows {
		out[i] = make(textRow, len(row))
		for j, p := range row {
			p.style = m.styles.dim
			out[i][j] = p
		}
	}
	return out
}

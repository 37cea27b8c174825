package views

import (
	"strings"

	"stormtop/collector"
	"stormtop/views/chart"
	"stormtop/views/verdict"
)

// others are the signals of a target beside its ratio and what was asked and
// sent, in the order of the drill-down.
var others = [...]entry{
	{"RETRIES", collector.RetryRate, "of attempts"},
	{"DELIVERED", collector.Delivered, "of requests"},
	{"AT LIMIT", collector.AtLimit, "last attempt"},
	{"BY RETRY", collector.RescuedShare, "of successes"},
	{"OVERFLOW", collector.Overflow, "not permitted"},
	{"POOL WAIT", collector.PoolWait, "for a pool"},
	{"QUEUE", collector.QueueDepth, "waiting"},
	{"ARRIVED", collector.Arrived, "with a connection"},
	{"RETRIES", collector.Retries, "second and later"},
	{"SUCCESSES", collector.Successes, ""},
	{"RESCUED", collector.Rescued, "by a retry"},
}

// optional reports whether nobody expects a signal: its absence is not told.
func optional(s collector.Signal) bool { return s == collector.Overflow || s == collector.Arrived }

// signalRows show every other signal of a target: small charts with scales where
// there is room, else one row each; what is not exported is named.
func (m *Model) signalRows(row collector.Row, room int) []string {
	var there []entry
	var absent []string
	for _, e := range others {
		switch {
		case row.Values[e.signal].State != collector.Missing || m.everSeen(row.Target.ID, e.signal):
			there = append(there, e)
		case !optional(e.signal):
			absent = append(absent, verdict.SignalWord(e.signal))
		}
	}
	out := []string{""}
	switch {
	case len(there) == 0:
	case room >= 30 && m.base.History.Has(row.Target.ID):
		out = append(out, m.smallCharts(row, there)...)
	default:
		out = append(out, m.scaledRows(row, there)...)
	}
	if len(absent) > 0 {
		for _, text := range wrap("not exported: "+strings.Join(absent, ", "), m.width-2) {
			out = append(out, m.line().put(m.styles.dim, " "+text).String())
		}
	}
	return out
}

// everSeen reports whether a signal of a target has a point in view.
func (m *Model) everSeen(id string, s collector.Signal) bool {
	course := m.base.History.Series(id, s)
	for i := course.Len() - 1; i >= 0; i-- {
		if course.State(i) != collector.Missing {
			return true
		}
	}
	return false
}

// Sizes of the small charts.
const (
	smallWidth  = 38 // the least
	smallHeight = 4
	smallMargin = 2 // between them; a threshold's line has no label
)

// smallCharts draws signals side by side, each with its own scale.
func (m *Model) smallCharts(row collector.Row, list []entry) []string {
	columns := min(max(m.width/smallWidth, 1), 4)
	width := m.width / columns
	var out []string
	for from := 0; from < len(list); from += columns {
		lines := make([]*line, smallHeight+2)
		for i := range lines {
			lines[i] = m.line()
		}
		for c, e := range list[from:min(from+columns, len(list))] {
			m.smallChart(lines, row, e, c*width, width-1)
		}
		for i, l := range lines {
			if i < len(lines)-1 || from+columns < len(list) {
				out = append(out, l.String())
			}
		}
	}
	return out
}

// smallChart draws a signal with its heading from column x on.
func (m *Model) smallChart(lines []*line, row collector.Row, e entry, x, width int) {
	st, note := m.readingStyle(row, e), m.meaning(row, e)
	head := lines[0].pad(m.styles.plain, x)
	head.put(m.styles.dim, " ").cell(m.styles.dim, e.name(row), panelLabel, false).cell(st, m.text(m.number(row, e.signal)), panelNumber, true)
	head.put(note.style, " "+fit(m.text(note.text), x+width-head.used-1, m.glyphs.ellipsis))
	spec := chart.Spec{
		Timing: m.timing(), Unit: m.unitOf(row, e.signal), Glyphs: m.set, Gutter: gutter, Margin: smallMargin, Cursor: m.time.cursor,
		Curves: []chart.Curve{{Series: m.base.History.Series(row.Target.ID, e.signal)}},
	}
	if rule, ok := m.ruleAbout(e.signal); ok && rule.Threshold > 0 {
		spec.Thresholds = []chart.Threshold{{At: rule.Threshold, Compare: rule.Compare, Text: " "}}
	}
	above := m.styles.area
	if st, ok := m.ruleOn(e.signal, row.Target.ID); ok && st.Active() {
		above = m.stateStyle(st.Shown)
	}
	m.charts.small.Chart(width, smallHeight, &spec)
	for y := range smallHeight {
		l := lines[1+y].pad(m.styles.plain, x)
		for _, run := range m.charts.small.Row(y) {
			l.runes(m.classStyle(run, above), run.Text)
		}
	}
}

// scaledRows show signals in one row each, with the scales of their courses, all
// courses on the same columns.
func (m *Model) scaledRows(row collector.Row, list []entry) []string {
	id := row.Target.ID
	scales := make([]string, len(list))
	wide := 0
	for i, e := range list {
		top := collector.Num(m.sparkRange(id, e.signal).Hi, m.unitOf(row, e.signal), collector.Exact)
		scales[i] = "  0.." + m.text(top.String())
		wide = max(wide, textWidth(scales[i]))
	}
	spark := m.width - 1 - panelLabel - panelNumber - 1 - wide
	notes := m.width >= 76
	if notes {
		spark -= scaledNote
	}
	spark = min(spark, 60)
	if spark < 4 || !m.base.History.Has(id) {
		spark = 0
	}
	var out []string
	for i, e := range list {
		l := m.line().put(m.styles.plain, " ").cell(m.styles.dim, e.name(row), panelLabel, false)
		l.cell(m.readingStyle(row, e), m.text(m.number(row, e.signal)), panelNumber, true)
		if spark > 0 {
			l.put(m.styles.plain, " ")
			m.sparkline(l, id, e.signal, spark)
			l.cell(m.styles.dim, scales[i], wide, false)
		}
		if notes {
			note := m.meaning(row, e)
			l.put(note.style, "  "+m.text(note.text))
		}
		out = append(out, l.String())
	}
	return out
}

// scaledNote is the room for what a number is a number of.
const scaledNote = 19

// unitOf is the unit of a signal as the row has it.
func (m *Model) unitOf(row collector.Row, s collector.Signal) collector.Unit {
	if u := row.Values[s].Unit; u != collector.NoUnit {
		return u
	}
	return s.Unit()
}

package views

import (
	"slices"
	"strconv"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// tableColumn is one number of the table of targets.
type tableColumn struct {
	head   string
	signal collector.Signal
	width  int
	weight int // the lightest column gives way first
}

// tableColumns are all numbers; the course of the amplification stands behind
// the first three.
var tableColumns = [...]tableColumn{
	{"INGRESS", collector.Ingress, 10, 6},
	{"ATTEMPTS", collector.Downstream, 10, 7},
	{"AMPL", collector.Amplification, 8, 9},
	{"RETRIES", collector.RetryRate, 8, 3},
	{"BY RETRY", collector.RescuedShare, 9, 1},
	{"DELIVERED", collector.Delivered, 10, 2},
	{"AT LIMIT", collector.AtLimit, 10, 5},
	{"OVERFLOW", collector.Overflow, 10, 3},
	{"POOL", collector.PoolWait, 8, 4},
	{"QUEUE", collector.QueueDepth, 8, 4},
}

const (
	minName  = 12
	minTrend = 8
)

// tableLayout says which columns fit and how wide name, system and course are.
type tableLayout struct {
	name, system, trend int
	columns             []tableColumn
}

// columns are those that any target has a number for, or could have.
func (m *Model) columns() []tableColumn {
	var out []tableColumn
	for _, c := range tableColumns {
		if c.signal == collector.Overflow && !m.anywhere(c.signal) {
			continue
		}
		if m.indexed().weak[c.signal] {
			c.width += len(" part")
		}
		if m.sortedBy(c.signal) {
			c.width = max(c.width, textWidth(c.head)+2) // room for the mark
		}
		out = append(out, c)
	}
	return out
}

// anywhere reports whether any target has a signal.
func (m *Model) anywhere(s collector.Signal) bool {
	return m.base.Good != nil && m.base.Good.Total.Values[s].State != collector.Missing
}

func (m *Model) sortedBy(s collector.Signal) bool {
	return m.path.screen() == targets && m.list.sorting == sorting{bySignal, s}
}

func (m *Model) layoutTable() tableLayout {
	x := m.indexed()
	lay := tableLayout{name: min(max(x.name, minName), max(minName, m.width/4)), columns: m.columns()}
	if x.system > 0 && m.width >= 36 {
		lay.system = min(x.system, max(m.width/8, 7)) + 1
	}
	need := func() int {
		n := 3 + lay.name + lay.system
		for _, c := range lay.columns {
			n += c.width
		}
		return n
	}
	for len(lay.columns) > 1 && need()+minTrend+1 > m.width {
		least := 0
		for i, c := range lay.columns {
			if c.weight < lay.columns[least].weight {
				least = i
			}
		}
		lay.columns = slices.Delete(lay.columns, least, least+1)
	}
	lay.name = max(lay.name-max(need()-m.width, 0), 1)
	if lay.trend = min(m.width-need()-2, 60); lay.trend < 4 {
		lay.trend = 0
	}
	return lay
}

// tableRows draws the heading and the targets around the selected one in
// exactly n lines, or fewer when there are fewer targets.
func (m *Model) tableRows(n int) []string {
	if n < 2 || len(m.shown.Order) == 0 {
		return nil
	}
	lay := m.layoutTable()
	out := []string{m.tableHead(lay)}
	room := n - 1
	total := m.totalRow()
	if total && room > 2 {
		room--
	} else {
		total = false
	}
	first := 0
	if at := m.position(); at >= room {
		first = at - room + 1
	}
	for _, i := range m.shown.Order[first:min(first+room, len(m.shown.Order))] {
		row := m.shown.Good.Targets[i]
		m.rowsAt.ids = append(m.rowsAt.ids, row.Target.ID)
		out = append(out, m.tableRow(lay, row, row.Target.Name, m.selected != "" && row.Target.ID == m.selected))
	}
	if total {
		out = append(out, m.sumRow(lay))
	}
	return out
}

func (m *Model) sumRow(lay tableLayout) string {
	name := "sum of " + collector.FormatCount(float64(len(m.shown.Order)))
	if m.shown.Good.Total.Target.Kind == collector.Edge {
		name = "edge"
	}
	return m.tableRow(lay, m.shown.Good.Total, name, false)
}

func (m *Model) totalRow() bool { return verdict.HasTotal(m.shown.Good) }

func (m *Model) tableHead(lay tableLayout) string {
	l := m.line()
	head := func(text string, width int, right, sorted bool, mark string) {
		st := m.styles.dim
		if sorted {
			st, text = m.styles.strong, text+mark
		}
		l.cell(st, text, width, right)
	}
	l.put(m.styles.dim, "   ")
	head("TARGET", lay.name, false, m.path.screen() == targets && m.list.sorting.kind == byName, m.glyphs.up)
	if lay.system > 0 {
		head(" SYSTEM", lay.system, false, false, "")
	}
	for _, c := range lay.columns {
		mark := m.glyphs.down
		if lowFirst(c.signal) {
			mark = m.glyphs.up
		}
		head(c.head, c.width, true, m.sortedBy(c.signal), mark)
		if c.signal == collector.Amplification && lay.trend > 0 {
			text := "TREND " + strconv.FormatFloat(m.trend.Lo, 'g', 3, 64) + ".." + strconv.FormatFloat(m.trend.Hi, 'g', 3, 64) + "x"
			if textWidth(text) > lay.trend {
				text = "TREND"
			}
			l.put(m.styles.dim, " ").cell(m.styles.dim, text, lay.trend, false)
		}
	}
	return l.String()
}

func (m *Model) tableRow(lay tableLayout, row collector.Row, name string, pointed bool) string {
	l := m.line()
	shown, held := m.stateOf(row.Target.ID)
	st := m.stateStyle(shown)
	pointer := " "
	if pointed {
		pointer = m.glyphs.selected
	}
	l.put(m.styles.strong, pointer).put(st, m.glyphs.mark(shown, held)+" ")
	nameStyle := st
	if shown < alerts.Pending && pointed {
		nameStyle = m.styles.strong
	}
	l.cell(nameStyle, fitEnds(m.text(name), lay.name, m.glyphs.ellipsis), lay.name, false)
	if lay.system > 0 {
		l.cell(m.styles.dim, " "+m.text(collector.Clean(row.Target.System)), lay.system, false)
	}
	for _, c := range lay.columns {
		v := row.Values[c.signal]
		cellStyle := m.styles.plain
		switch {
		case !v.State.HasNumber() && v.State != collector.Infinite, m.tooOld():
			cellStyle = m.styles.dim
		case c.signal == collector.Amplification && shown >= alerts.Pending:
			cellStyle = st
		}
		l.cell(cellStyle, m.text(m.number(row, c.signal)), c.width, true)
		if c.signal == collector.Amplification && lay.trend > 0 {
			l.put(m.styles.plain, " ")
			m.sparkline(l, row.Target.ID, c.signal, lay.trend)
		}
	}
	return l.String()
}

// number is a signal of a row as text. The ratio of a system that can only be a
// hint says so even where the numbers behind it are exact.
func (m *Model) number(row collector.Row, s collector.Signal) string {
	text := verdict.Number(row, s)
	v := row.Values[s]
	if s == collector.Amplification && v.State.HasNumber() && v.Trust < collector.Approx && m.system(row).Trust == collector.Heuristic {
		return "~" + text
	}
	return text
}

// stateOf is the worst shown state of the warning and critical rules on a
// target; where none is active, that of the others.
func (m *Model) stateOf(id string) (alerts.State, bool) {
	worst, held := alerts.Inactive, false
	var severity collector.Severity
	for _, i := range m.indexed().statuses[id] {
		st := &m.shown.Statuses[i]
		if !st.Active() {
			continue
		}
		if st.Rule.Severity > severity || st.Rule.Severity == severity && st.Shown > worst {
			worst, held, severity = st.Shown, st.Held, st.Rule.Severity
		}
	}
	return worst, held
}

func (m *Model) stateStyle(s alerts.State) style {
	switch s {
	case alerts.Firing:
		return m.styles.firing
	case alerts.Pending:
		return m.styles.pending
	}
	return m.styles.plain
}

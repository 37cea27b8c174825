package views

import (
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
	{"POOL", collector.PoolWait, 8, 4},
	{"QUEUE", collector.QueueDepth, 8, 4},
}

const (
	minName  = 12
	minTrend = 8
)

// tableLayout says which columns fit and how wide name and course are.
type tableLayout struct {
	name, trend int
	columns     []tableColumn
}

func (m *Model) layoutTable() tableLayout {
	longest := minName
	for _, i := range m.shown.Order {
		longest = max(longest, textWidth(m.shown.Good.Targets[i].Target.Name))
		if longest >= 40 {
			break
		}
	}
	longest = min(longest, 40, max(minName, m.width/4))
	cols := append([]tableColumn(nil), tableColumns[:]...)
	need := func() int {
		n := 3 + longest
		for _, c := range cols {
			n += c.width
		}
		return n
	}
	for len(cols) > 1 && need()+minTrend+1 > m.width {
		least := 0
		for i, c := range cols {
			if c.weight < cols[least].weight {
				least = i
			}
		}
		cols = append(cols[:least], cols[least+1:]...)
	}
	trend := m.width - need() - 2
	if trend < 4 {
		trend = 0
	}
	return tableLayout{name: longest, trend: min(trend, 60), columns: cols}
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
	for k := first; k < len(m.shown.Order) && k < first+room; k++ {
		out = append(out, m.tableRow(lay, m.shown.Good.Targets[m.shown.Order[k]], m.shown.Good.Targets[m.shown.Order[k]].Target.Name))
	}
	if total {
		name := "sum of " + strconv.Itoa(len(m.shown.Order))
		out = append(out, m.tableRow(lay, m.shown.Good.Total, name))
	}
	return out
}

// totalRow reports whether the sum says more than the only target.
func (m *Model) totalRow() bool { return len(m.shown.Order) > 1 }

func (m *Model) tableHead(lay tableLayout) string {
	l := m.line()
	dim := m.styles.dim
	l.put(dim, "   ").cell(dim, "TARGET", lay.name, false)
	for _, c := range lay.columns {
		l.cell(dim, c.head, c.width, true)
		if c.signal == collector.Amplification && lay.trend > 0 {
			head := "TREND " + strconv.FormatFloat(m.trend.Lo, 'g', 3, 64) + ".." + strconv.FormatFloat(m.trend.Hi, 'g', 3, 64) + "x"
			if textWidth(head) > lay.trend {
				head = "TREND"
			}
			l.put(dim, " ").cell(dim, head, lay.trend, false)
		}
	}
	return l.String()
}

func (m *Model) tableRow(lay tableLayout, row collector.Row, name string) string {
	l := m.line()
	shown, held := m.stateOf(row.Target.ID)
	st := m.stateStyle(shown)
	pointer := " "
	if m.selected != "" && row.Target.ID == m.selected {
		pointer = m.glyphs.selected
	}
	l.put(m.styles.strong, pointer).put(st, m.glyphs.mark(shown, held)+" ")
	nameStyle := st
	if shown < alerts.Pending && pointer != " " {
		nameStyle = m.styles.strong
	}
	l.cell(nameStyle, m.text(name), lay.name, false)
	for _, c := range lay.columns {
		v := row.Values[c.signal]
		cellStyle := m.styles.plain
		switch {
		case !v.State.HasNumber() && v.State != collector.Infinite, m.tooOld():
			cellStyle = m.styles.dim
		case c.signal == collector.Amplification && shown >= alerts.Pending:
			cellStyle = st
		}
		l.cell(cellStyle, m.text(verdict.Number(row, c.signal)), c.width, true)
		if c.signal == collector.Amplification && lay.trend > 0 {
			l.put(m.styles.plain, " ")
			m.sparkline(l, row.Target.ID, c.signal, lay.trend)
		}
	}
	return l.String()
}

// stateOf is the worst shown state of the warning and critical rules on a
// target; where none is active, that of the others.
func (m *Model) stateOf(id string) (alerts.State, bool) {
	worst, held := alerts.Inactive, false
	var severity collector.Severity
	for _, st := range m.shown.Statuses {
		if st.Target.ID != id || !st.Active() {
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

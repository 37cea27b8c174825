package views

import (
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/views/verdict"
)

// plan says how many lines each part of the overview gets. What does not fit
// gives way in this order: table rows, small charts, state band, time axis, the
// cause, the chart; the verdict stays to the last.
type plan struct {
	header, cause, footer bool
	notice                bool // what could not be read, warnings
	chart                 int  // rows of the main chart, its time axis and band included
	axis                  bool
	bands                 int // rows of alert states below the chart
	flow                  int // rows of the chart of ingress and attempts, its heading included
	panel                 bool
	table                 int // lines of the table, its heading included
	strip                 int // lines of the comparison with the time before a mark
}

// roomy is from how many lines on a screen has one to spare for what cannot be
// seen.
const roomy = 30

// planOf shares height lines out among the parts, of which panel and table have
// the given natural sizes.
func planOf(width, height, panelRows, tableRows, strip int, notice bool) plan {
	var p plan
	left := height - 1 // the verdict
	take := func(n int) bool {
		if left < n {
			return false
		}
		left -= n
		return true
	}
	p.header = take(1)
	p.footer = take(1)
	if height >= 6 && take(3) {
		p.chart = 3
	}
	if height >= 4 && (height < 6 || height >= 7) {
		p.cause = take(1)
	}
	if notice && height >= 8 {
		p.notice = take(1)
	}
	if take(strip) {
		p.strip = strip
	}
	if p.chart > 0 {
		if p.axis = left >= 1 && take(1); p.axis {
			p.chart++
		}
		if p.axis && take(1) {
			p.bands, p.chart = 1, p.chart+1
		}
	}
	if height >= 14 && panelRows > 0 {
		p.panel = take(panelRows + 1)
	}
	if height >= 18 && tableRows > 0 && left >= 3 {
		p.table = min(tableRows, max((left+1)/3, 2))
		take(p.table + 1)
	}
	// What is left goes to the chart up to a good height, then to the second
	// chart, then to the table, then to the chart again.
	grow := func(part *int, to int) {
		n := min(max(to-*part, 0), left)
		*part, left = *part+n, left-n
	}
	if p.chart > 0 {
		grow(&p.chart, 9)
		if width >= 100 && left >= 7 && p.panel {
			p.flow = 6 // its heading included
			left -= 7
		}
		if p.bands > 0 && height >= 30 && take(1) {
			p.bands, p.chart = 2, p.chart+1
		}
		if p.table > 0 {
			grow(&p.table, min(tableRows, p.table+left/2))
		}
		grow(&p.chart, 15)
		if p.flow > 0 {
			grow(&p.flow, 10)
		}
		if p.table > 0 {
			grow(&p.table, tableRows)
		}
		grow(&p.chart, max(height/2, 16))
		if p.flow > 0 {
			grow(&p.flow, height/3)
		}
		grow(&p.chart, height)
	}
	left = max(left, 0)
	return p
}

// draw lays the screen out to exactly its height.
func (m *Model) draw() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	m.stamp, m.rowsAt = m.timeStamp(), listing{}
	m.said = verdict.New(m.shown, m.at())
	m.trend = m.trendScale()
	rows := m.rows()
	if len(rows) > m.height {
		rows = rows[:m.height]
	}
	return strings.Join(rows, "\n")
}

// rows are those of the present mode, the most important ones first where there
// are more than the screen has.
func (m *Model) rows() []string {
	mode := m.path.mode()
	switch {
	case m.height == 1 && mode.types():
		return []string{m.typingLine()}
	case m.height == 1:
		return []string{m.oneLine()}
	case mode == helping && m.height >= 3:
		return m.cover(m.helpRows())
	case mode == explaining && m.height >= 3:
		return m.cover(m.explainRows())
	case mode == copying && m.height >= 3:
		return m.cover(m.copiedRows())
	case mode == proposing && m.height >= 3:
		return m.cover(m.proposalRows())
	}
	switch m.path.screen() {
	case targets:
		return m.targetsRows()
	case drilled:
		return m.drilledRows()
	case chain:
		return m.chainRows()
	case lab:
		return m.labRows()
	case ruleList:
		return m.rulesRows()
	case tuning:
		return m.tuningRows()
	case events:
		return m.eventsRows()
	}
	return m.overviewRows()
}

// cover shows a text of any length between header, verdict and footer.
func (m *Model) cover(text []string) []string {
	rows := []string{m.header(), m.verdictRow()}
	if m.height-len(rows)-1 > 4 {
		rows = append(rows, "")
	}
	return m.scrolled(rows, text)
}

// scrolled shows the part of a long text that is scrolled to between what
// stands above it and the footer.
func (m *Model) scrolled(above, text []string) []string {
	room := max(m.height-len(above)-1, 0)
	m.scroll.fit(len(text), room)
	return m.end(append(above, text[m.scroll.first:min(len(text), m.scroll.first+room)]...))
}

// end fills the screen up and puts the footer at its foot.
func (m *Model) end(rows []string) []string {
	for len(rows) < m.height-1 {
		rows = append(rows, "")
	}
	return append(rows[:m.height-1], m.footer())
}

func (m *Model) overviewRows() []string {
	if m.empty() {
		return m.emptyRows()
	}
	tableRows := 0
	if n := len(m.shown.Order); n > 0 {
		tableRows = n + 1
		if m.totalRow() {
			tableRows++
		}
	}
	panel := m.panelRows()
	notices, strip := m.notices(), m.strip()
	cause, unseen := m.causeAndUnseen()
	if unseen != "" && m.height >= roomy {
		strip = append([]string{m.unseenRow(unseen)}, strip...)
	}
	p := planOf(m.width, m.height, len(panel), tableRows, len(strip), len(notices) > 0)
	var rows []string
	if p.header {
		rows = append(rows, m.header())
	}
	rows = append(rows, m.verdictRow())
	if p.cause {
		rows = append(rows, cause)
	}
	if p.notice {
		rows = append(rows, m.noticeRow(notices))
	}
	rows = append(rows, strip[:p.strip]...)
	if p.chart > 0 {
		rows = append(rows, m.ratioChart(m.width, p.chart, p.axis, p.bands, p.flow > 0)...)
	}
	if p.flow > 0 {
		rows = append(rows, "", m.line().put(m.styles.strong, " ATTEMPTS AND INGRESS").put(m.styles.dim, "  a second, on one scale").String())
		rows = append(rows, m.flowChart(m.width, p.flow-1)...)
	}
	if p.panel {
		rows = append(rows, "")
		rows = append(rows, panel...)
	}
	if p.table > 0 {
		rows = append(rows, "")
		table := m.tableRows(p.table)
		m.rowsAt.top = len(rows) + 1 // below its heading
		rows = append(rows, table...)
	}
	if p.footer {
		return m.end(rows)
	}
	return rows
}

// empty reports whether nothing was ever read that could be drawn.
func (m *Model) empty() bool {
	g := m.shown.Good
	return g == nil || g.Blind() && len(g.Targets) == 0
}

// blindness is why nothing can be read now.
func (m *Model) blindness() (collector.Failure, bool) {
	if m.shown.Last == nil {
		return collector.Failure{}, false
	}
	for _, f := range m.shown.Last.Failures {
		if f.Signal == collector.NoSignal {
			return f, true
		}
	}
	return collector.Failure{}, false
}

// doing says what happens before the first reading, and for how long already.
func (m *Model) doing() string {
	text := m.progress
	if text == "" {
		text = "waiting for the first reading"
	}
	if !m.begun.IsZero() && m.now.Sub(m.begun) >= time.Second {
		text += ", " + collector.FormatDuration(m.now.Sub(m.begun))
	}
	return text
}

// emptyRows is the screen before anything was read, or where nothing is found:
// what is being done, what went wrong, and what to do.
func (m *Model) emptyRows() []string {
	rows := []string{m.header()}
	text := m.doing()
	next := ""
	if m.shown.Last != nil {
		lead, _ := m.verdictStyle(m.said)
		rows = append(rows, m.line().put(lead, " "+m.text(m.said.Lead)).String(), "")
		if f, ok := m.blindness(); ok {
			text = f.Text
			if !m.shown.Final {
				next = verdict.Next(f, m.at())
			}
		}
	} else if m.height > 2 {
		rows = append(rows, "")
	}
	for _, part := range wrap(m.text(text), m.width-4) {
		rows = append(rows, m.line().put(m.styles.plain, "  "+part).String())
	}
	if next != "" {
		rows = append(rows, m.line().put(m.styles.strong, "  "+next).String())
	}
	for _, w := range m.notices() {
		rows = append(rows, "")
		for _, part := range wrap(m.text(w), m.width-4) {
			rows = append(rows, m.line().put(m.styles.dim, "  "+part).String())
		}
	}
	if len(rows) >= m.height {
		rows = rows[:max(m.height-1, 1)]
	}
	if m.height < 2 {
		return rows
	}
	return m.end(rows)
}

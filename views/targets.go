package views

import (
	"fmt"

	"stormtop/collector"
	"stormtop/views/verdict"
)

// targetsPlan says which lines stand around the list of targets. What does not
// fit gives way in this order: the notice, the title, the header, the heading of
// the table, the footer; the verdict and one row stay to the last.
type targetsPlan struct {
	header, title, notice, head, footer, sum bool
	rows                                     int // rows of the list
}

func planTargets(height int, notice, typing, sum bool) targetsPlan {
	var p targetsPlan
	left := height - 2 // the verdict and a row
	take := func(wanted bool) bool {
		if !wanted || left < 1 {
			return false
		}
		left--
		return true
	}
	p.footer = take(height > 2) || typing
	p.head = take(true)
	p.header = take(true)
	p.title = take(true)
	p.notice = take(notice && height >= 8)
	p.sum = take(sum && height >= 12)
	p.rows = max(left+1, 1)
	if typing && height <= 2 {
		p.rows = 0
	}
	return p
}

// targetsRows draws the screen of all targets.
func (m *Model) targetsRows() []string {
	if m.empty() {
		return m.emptyRows()
	}
	rows, notices := m.listed(), m.notices()
	all := len(rows) == len(m.shown.Order)
	p := planTargets(m.height, len(notices) > 0, m.path.mode().types(), all && m.totalRow())
	first := m.list.window(max(m.position(), 0), len(rows), p.rows)
	last := min(first+p.rows, len(rows))
	var out []string
	if p.header {
		out = append(out, m.header())
	}
	out = append(out, m.verdictRow())
	if p.notice {
		out = append(out, m.noticeRow(notices))
	}
	if p.title {
		out = append(out, m.targetsTitle(first, last))
	}
	lay := m.layoutTable()
	if p.head {
		out = append(out, m.tableHead(lay))
	}
	pointed, _ := m.pointed()
	m.rowsAt.top = len(out)
	for _, i := range rows[first:last] {
		row := m.shown.Good.Targets[i]
		m.rowsAt.ids = append(m.rowsAt.ids, row.Target.ID)
		out = append(out, m.tableRow(lay, row, row.Target.Name, row.Target.ID == pointed.Target.ID))
	}
	if len(rows) == 0 && p.rows > 0 {
		out = append(out, m.line().put(m.styles.dim, "   no target is left by this filter").String())
	}
	if p.sum {
		out = append(out, m.sumRow(lay))
	}
	if p.footer {
		return m.end(out)
	}
	return out
}

// targetsTitle says what is in the list, in which order, and where in it the
// screen is.
func (m *Model) targetsTitle(first, last int) string {
	count := func(n int) string { return collector.FormatCount(float64(n)) }
	shown, all := len(m.listed()), len(m.shown.Order)
	l := m.line().put(m.styles.strong, " TARGETS")
	what := "  " + count(all)
	if text := m.list.filter.text; text != "" {
		what = "  " + count(shown) + " of " + count(all)
	}
	l.put(m.styles.plain, m.text(what)).put(m.styles.dim, "  "+m.sortWords())
	if text := m.list.filter.text; text != "" {
		l.put(m.styles.dim, "  filter ").put(m.styles.strong, m.text(fit(text, max(l.room()-1, 0), m.glyphs.ellipsis)))
	}
	if last-first < shown && shown > 0 {
		where := fmt.Sprintf("%d..%d", first+1, last)
		if l.room() > textWidth(where)+3 {
			l.pad(m.styles.plain, l.width-textWidth(where)-1).put(m.styles.dim, where)
		}
	}
	return l.String()
}

func (m *Model) sortWords() string {
	switch m.list.sorting.kind {
	case bySignal:
		return "by " + verdict.SignalWord(m.list.sorting.signal)
	case byName:
		return "by name"
	}
	return "worst first"
}

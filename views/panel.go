package views

import (
	"slices"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// entry is one of the small readings of the panel.
type entry struct {
	label  string
	signal collector.Signal
	long   string // what the label means, where there is room
}

// name is the label of a reading. A wait for a pool is named after what is
// counted of it, since the number alone would be read as a time.
func (e entry) name(row collector.Row) string {
	if e.signal == collector.PoolWait {
		switch row.Values[e.signal].Unit {
		case collector.Count:
			return "WAITERS"
		case collector.PerSecond:
			return "POOL WAITS"
		}
	}
	return e.label
}

// panel is the order of the small readings: what was asked and answered, how
// the attempts went, where they wait. Overflow stands beside at limit where it
// is counted: a budget or a breaker that refuses retries is no attempt count.
var panel = [...]entry{
	{"INGRESS", collector.Ingress, "requests"},
	{"DELIVERED", collector.Delivered, "of requests"},
	{"ATTEMPTS", collector.Downstream, "with retries"},
	{"BY RETRY", collector.RescuedShare, "of successes"},
	{"POOL WAIT", collector.PoolWait, "for a pool"},
	{"AT LIMIT", collector.AtLimit, ""},
	{"QUEUE", collector.QueueDepth, "waiting"},
	{"OVERFLOW", collector.Overflow, "not permitted"},
	{"RETRIES", collector.RetryRate, "of attempts"},
}

const (
	panelLabel  = 10 // cells of the label
	panelNumber = 9  // cells of the number
)

// entries are the readings of the panel that any target has or could have.
func (m *Model) entries() []entry {
	return slices.DeleteFunc(slices.Clone(panel[:]), func(e entry) bool {
		return e.signal == collector.Overflow && !m.anywhere(e.signal)
	})
}

// panelRows draws the readings of the subject in columns of at least 39 cells.
func (m *Model) panelRows() []string {
	columns := 1
	switch {
	case m.width >= 4*39+1:
		columns = 4
	case m.width >= 2*39+1:
		columns = 2
	}
	panel := m.entries()
	rows := (len(panel) + columns - 1) / columns
	width := (m.width - 1) / columns
	notes := make([]span, len(panel))
	var wide [4]int // the widest note of each column
	for i := range panel {
		notes[i] = m.note(panel[i])
		wide[i%columns] = max(wide[i%columns], textWidth(notes[i].text))
	}
	out := make([]string, 0, rows)
	for r := range rows {
		l := m.line()
		for c := range min(columns, len(panel)-r*columns) {
			i := r*columns + c
			l.pad(m.styles.plain, 1+c*width)
			m.reading(l, panel[i], width-2, notes[i], wide[c])
		}
		out = append(out, l.String())
	}
	return out
}

// reading draws one signal in width cells: label, number, course, note.
func (m *Model) reading(l *line, e entry, width int, note span, noteWidth int) {
	row := m.subject()
	l.cell(m.styles.dim, e.name(row), panelLabel, false)
	l.cell(m.readingStyle(row, e), m.text(m.number(row, e.signal)), panelNumber, true)
	spark := width - panelLabel - panelNumber - 1
	if noteWidth > 0 && spark-noteWidth-1 >= 8 {
		spark -= noteWidth + 1
	} else {
		note.text = ""
	}
	if spark > 0 {
		l.put(m.styles.plain, " ")
		m.sparkline(l, row.Target.ID, e.signal, spark)
	}
	if note.text != "" {
		l.put(m.styles.plain, " ").put(note.style, m.text(note.text))
	}
}

// readingStyle is that of a number: what is not known is dim, what a rule holds
// for has the rule's colour.
func (m *Model) readingStyle(row collector.Row, e entry) style {
	v := row.Values[e.signal]
	rule, judged := m.ruleOn(e.signal, row.Target.ID)
	switch {
	case !v.State.HasNumber() && v.State != collector.Infinite, m.tooOld():
		return m.styles.dim
	case judged && rule.Shown == alerts.Firing:
		return m.styles.firing
	case judged && rule.Shown == alerts.Pending, v.State != collector.Ok:
		return m.styles.pending
	}
	return m.styles.strong
}

// note is what stands behind the course: the rule while it is not calm, else
// what the number is a number of.
func (m *Model) note(e entry) span {
	if m.width < 96 {
		e.long = ""
	}
	return m.meaning(m.subject(), e)
}

func (m *Model) meaning(row collector.Row, e entry) span {
	v := row.Values[e.signal]
	if rule, judged := m.ruleOn(e.signal, row.Target.ID); judged && rule.Active() {
		text := m.glyphs.mark(rule.Shown, rule.Held) + " " + rule.Rule.Compare.String() + " " +
			collector.FormatThreshold(rule.Rule.Threshold, e.signal.Unit())
		st := m.styles.pending
		if rule.Shown == alerts.Firing {
			st = m.styles.firing
		}
		return span{style: st, text: text}
	}
	if e.signal == collector.AtLimit {
		if share, ok := m.shareOf(row, collector.AtLimit, collector.Ingress); ok {
			return span{style: m.styles.dim, text: share + " of req"}
		}
	}
	if verdict.BacklogToo(row, e.signal) {
		return span{style: m.styles.dim, text: "and of before"}
	}
	switch v.State {
	case collector.Missing:
		if m.system(row).Asked[e.signal] {
			return span{style: m.styles.dim, text: "no data"}
		}
		return span{style: m.styles.dim, text: "not exported"}
	case collector.Failed:
		return span{style: m.styles.pending, text: "query failed"}
	}
	return span{style: m.styles.dim, text: e.long}
}

func (m *Model) shareOf(row collector.Row, part, whole collector.Signal) (string, bool) {
	p, okP := row.Values[part].Number()
	w, okW := row.Values[whole].Number()
	if !okP || !okW || w == 0 {
		return "", false
	}
	return collector.Num(p/w, collector.Fraction, collector.Exact).String(), true
}

// ruleOn finds the rule that watches a signal of a target.
func (m *Model) ruleOn(s collector.Signal, id string) (alerts.Status, bool) {
	for _, i := range m.indexed().statuses[id] {
		if st := m.shown.Statuses[i]; st.Rule.Signal == s && st.Rule.Both[0] == "" {
			return st, true
		}
	}
	return alerts.Status{}, false
}

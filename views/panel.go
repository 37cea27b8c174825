package views

import (
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

// panel is the order of the small readings: what was asked and answered, how
// the attempts went, where they wait.
var panel = [...]entry{
	{"INGRESS", collector.Ingress, "requests"},
	{"DELIVERED", collector.Delivered, "of requests"},
	{"ATTEMPTS", collector.Downstream, "with retries"},
	{"BY RETRY", collector.RescuedShare, "of successes"},
	{"POOL WAIT", collector.PoolWait, ""},
	{"AT LIMIT", collector.AtLimit, ""},
	{"QUEUE", collector.QueueDepth, "waiting"},
	{"RETRIES", collector.RetryRate, "of attempts"},
}

const (
	panelLabel  = 10 // cells of the label
	panelNumber = 9  // cells of the number
)

// panelRows draws the readings of the subject in columns of at least 39 cells.
func (m *Model) panelRows() []string {
	columns := 1
	switch {
	case m.width >= 4*39+1:
		columns = 4
	case m.width >= 2*39+1:
		columns = 2
	}
	rows := len(panel) / columns
	width := (m.width - 1) / columns
	var notes [len(panel)]span
	var wide [4]int // the widest note of each column
	for i := range panel {
		notes[i] = m.note(panel[i])
		wide[i%columns] = max(wide[i%columns], textWidth(notes[i].text))
	}
	out := make([]string, 0, rows)
	for r := range rows {
		l := m.line()
		for c := range columns {
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
	v := row.Values[e.signal]
	st := m.styles.strong
	rule, judged := m.ruleOn(e.signal, row.Target.ID)
	switch {
	case !v.State.HasNumber() && v.State != collector.Infinite, m.tooOld():
		st = m.styles.dim
	case judged && rule.Shown == alerts.Firing:
		st = m.styles.firing
	case judged && rule.Shown == alerts.Pending, v.State != collector.Ok:
		st = m.styles.pending
	}
	l.cell(m.styles.dim, e.label, panelLabel, false)
	l.cell(st, m.text(verdict.Number(row, e.signal)), panelNumber, true)
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

// note is what stands behind the course: the rule while it is not calm, else
// what the number is a number of.
func (m *Model) note(e entry) span {
	row := m.subject()
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
	switch v.State {
	case collector.Missing:
		return span{style: m.styles.dim, text: "not exported"}
	case collector.Failed:
		return span{style: m.styles.pending, text: "query failed"}
	}
	if m.width < 96 {
		return span{}
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
	for _, st := range m.shown.Statuses {
		if st.Rule.Signal == s && st.Target.ID == id && st.Rule.Both[0] == "" {
			return st, true
		}
	}
	return alerts.Status{}, false
}

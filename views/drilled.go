package views

import (
	"strconv"

	"stormtop/alerts"
	"stormtop/collector"
)

// drilledRows draws one target: who it is, the state of each rule on it, its
// ratio, what was asked and sent, who calls it, and every other signal. What
// does not fit is scrolled to.
func (m *Model) drilledRows() []string {
	if m.empty() {
		return m.emptyRows()
	}
	row := m.subject()
	if m.height == 2 {
		return []string{m.verdictRow(), m.targetTitle(row)}
	}
	var above []string
	if m.height >= 5 {
		above = append(above, m.header())
	}
	above = append(above, m.verdictRow())
	if notices := m.notices(); len(notices) > 0 && m.height >= 8 {
		above = append(above, m.noticeRow(notices))
	}
	above = append(above, m.strip()...)
	if m.height >= 4 {
		above = append(above, m.targetTitle(row))
	}
	return m.scrolled(above, m.story(row, m.height-len(above)-1))
}

// targetTitle names the target, with its ratio and its labels.
func (m *Model) targetTitle(row collector.Row) string {
	l := m.line()
	shown, held := m.stateOf(row.Target.ID)
	st := m.stateStyle(shown)
	if shown < alerts.Pending {
		st = m.styles.strong
	}
	l.put(st, " "+m.glyphs.mark(shown, held)+" "+m.text(m.subjectName(row)))
	if _, here := m.row(row.Target.ID); !here {
		return l.put(m.styles.pending, "  not in the newest reading").String()
	}
	l.put(st, "  "+m.text(m.number(row, collector.Amplification)))
	kind := m.kind(row, l.room()-3, true)
	l.put(m.styles.dim, m.text(m.divided(row, l.room()-textWidth(kind)-2)))
	for i, text := range labelsOf(row.Target) {
		if i == 0 {
			text = "  " + text
		} else {
			text = ", " + text
		}
		if textWidth(text)+textWidth(kind)+4 > l.room() {
			break
		}
		l.put(m.styles.dim, m.text(text))
	}
	if kind != "" && l.room() > textWidth(kind)+2 {
		l.pad(m.styles.plain, l.width-textWidth(kind)-1).put(m.styles.dim, kind)
	}
	return l.String()
}

// labelsOf are the labels of a target for people.
func labelsOf(t collector.Target) []string {
	out := make([]string, len(t.Labels))
	for i, l := range t.Labels {
		out[i] = collector.Clean(l.Name) + "=" + strconv.Quote(collector.Clean(l.Value))
	}
	return out
}

// Sizes of the charts of a target.
const (
	leastRatio, mostRatio = 7, 15
	leastFlow, mostFlow   = 6, 10
	leastRoom             = 14 // for rules and ratio on one screen
)

// story is the text of the drill-down, for a screen that shows room lines of it.
func (m *Model) story(row collector.Row, room int) []string {
	rules := m.ruleRows(row)
	callers := m.callerRows(row)
	others := m.signalRows(row, room)
	if !m.base.History.Has(row.Target.ID) {
		out := append(rules, "")
		for _, text := range wrap(m.text(m.noCourse(row)), m.width-6) {
			out = append(out, m.line().put(m.styles.dim, "   "+text).String())
		}
		return append(append(out, callers...), others...)
	}
	left := room - len(rules) - len(callers) - len(others) - 2
	ratio := min(max(left*3/5, room*2/5, leastRatio), mostRatio)
	flow := min(max(left-ratio-1, room/4, leastFlow), mostFlow)
	out := append(rules, m.ratioChart(m.width, ratio, true, 1, true)...)
	if room < leastRoom { // the rules would push the chart off
		out = append(out[len(rules):len(out):len(out)], rules...)
	}
	out = append(out, "", m.line().put(m.styles.strong, " ATTEMPTS AND INGRESS").put(m.styles.dim, "  a second, on one scale").String())
	out = append(out, m.flowChart(m.width, flow)...)
	return append(append(out, callers...), others...)
}

// noCourse says why there are no charts.
func (m *Model) noCourse(row collector.Row) string {
	name := m.subjectName(row)
	switch {
	case m.opened.callers.Note != "":
		return m.opened.callers.Note
	case m.opt.Open == nil:
		return "the course of " + name + " is not kept: there are more targets than that is done for, and this source cannot be asked for it"
	}
	return "asking for the last " + collector.FormatInterval(m.time.span) + " of " + name
}

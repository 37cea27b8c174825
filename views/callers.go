package views

import (
	"strings"

	"stormtop/collector"
)

// mostCallers is how many callers are listed; the others are counted.
const mostCallers = 50

// extra are the attempts a second of a row beyond the healthy ones.
func extra(row collector.Row) (float64, bool) {
	in, okIn := row.Values[collector.Ingress].Number()
	down, okDown := row.Values[collector.Downstream].Number()
	if !okIn || !okDown {
		return 0, false
	}
	base := row.Baseline
	if !(base > 0) {
		base = 1
	}
	return max(down-in*base, 0), true
}

// callerRows are the table of who calls the opened target.
func (m *Model) callerRows(row collector.Row) []string {
	title := m.line().put(m.styles.strong, " ATTEMPTS BY CALLER")
	say := func(text string) []string {
		out := []string{"", title.String()}
		for _, part := range wrap(m.text(text), m.width-6) {
			out = append(out, m.line().put(m.styles.dim, "   "+part).String())
		}
		return out
	}
	answer := &m.opened.callers
	switch {
	case m.past() && len(answer.Rows) > 0:
		return say("known of the newest reading alone, not at the cursor")
	case len(answer.Rows) > 0:
		title.put(m.styles.dim, m.text("  who sends the attempts beyond the healthy ones"))
		return append([]string{"", title.String()}, m.callerTable(answer.Rows)...)
	case answer.Note != "" && m.base.History.Has(row.Target.ID):
		return say(answer.Note)
	case answer.Note != "": // stands where the charts would
		return nil
	case m.opened.answered():
		return say("not known: these metrics have no label for it")
	case m.opt.Open == nil:
		return nil
	}
	return say("asking who calls " + m.subjectName(row))
}

func (m *Model) callerTable(rows []collector.Row) []string {
	var sum float64
	name := len("CALLER")
	for _, r := range rows {
		e, _ := extra(r)
		sum += e
		name = min(max(name, textWidth(r.Target.Name)), longestName)
	}
	const numbers = 10 + 10 + 8 + 10
	name = min(name, max(m.width-3-numbers, m.width/3, 6))
	bar := min(m.width-3-name-numbers-2, 30)
	l := m.line().put(m.styles.dim, "   ").cell(m.styles.dim, "CALLER", name, false)
	for _, c := range callerColumns {
		l.cell(m.styles.dim, c.head, c.width, true)
	}
	out := []string{l.cell(m.styles.dim, "OF EXTRA", 10, true).String()}
	for i, r := range rows {
		if i == mostCallers {
			more := "   and " + collector.FormatCount(float64(len(rows)-mostCallers)) + " more callers"
			return append(out, m.line().put(m.styles.dim, more).String())
		}
		out = append(out, m.callerRow(r, name, bar, sum))
	}
	return out
}

// callerColumns are the numbers of a caller; its share of the extra attempts
// comes last.
var callerColumns = [...]tableColumn{
	{head: "INGRESS", signal: collector.Ingress, width: 10},
	{head: "ATTEMPTS", signal: collector.Downstream, width: 10},
	{head: "AMPL", signal: collector.Amplification, width: 8},
}

func (m *Model) callerRow(r collector.Row, name, bar int, sum float64) string {
	l := m.line().put(m.styles.plain, "   ").cell(m.styles.plain, fitEnds(m.text(r.Target.Name), name, m.glyphs.ellipsis), name, false)
	for _, c := range callerColumns {
		st := m.styles.plain
		if v := r.Values[c.signal]; !v.State.HasNumber() && v.State != collector.Infinite {
			st = m.styles.dim
		}
		l.cell(st, m.text(m.number(r, c.signal)), c.width, true)
	}
	e, ok := extra(r)
	if !ok || sum <= 0 {
		return l.cell(m.styles.dim, m.text("–"), 10, true).String()
	}
	l.cell(m.styles.strong, collector.Num(e/sum, collector.Fraction, collector.Exact).String(), 10, true)
	if cells := int(e/sum*float64(bar) + 0.5); bar >= 8 && cells > 0 {
		l.put(m.styles.plain, "  ").put(m.styles.area, strings.Repeat(m.glyphs.bar, cells))
	}
	return l.String()
}

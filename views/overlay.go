package views

import (
	"strconv"
	"strings"

	"stormtop/collector"
	"stormtop/views/verdict"
)

// helpRows is the help for the screen: the keys, the marks and the words.
func (m *Model) helpRows() []string {
	var out []string
	heading := func(text string) { out = append(out, m.line().put(m.styles.strong, " "+text).String()) }
	pair := func(left, right string) {
		out = append(out, m.line().put(m.styles.plain, "   ").cell(m.styles.key, m.text(left), 10, false).
			put(m.styles.plain, m.text(right)).String())
	}
	heading("KEYS")
	for _, b := range m.keys.Bindings() {
		pair(b.Help().Key, b.Help().Desc)
	}
	out = append(out, "")
	heading("MARKS")
	g := m.glyphs
	pair(g.ok, "ok: the rule was judged and its condition does not hold")
	pair(g.pending, "pending: the condition holds, not yet for as long as the rule asks")
	pair(g.firing, "FIRING: it held long enough")
	pair(g.held, "held: it cannot be judged now, the last judged state is kept")
	pair(g.none, "no data: nothing could be read")
	pair(g.unknown, "cannot be judged: the signal is not exported")
	pair("–", "absent: no such series; never the same as 0")
	pair("idle", "neither requests nor attempts")
	pair("∞", "attempts with no ingress")
	pair("~ ≥", "an approximate figure, a lower bound")
	out = append(out, "")
	heading("WORDS")
	pair("ampl", "amplification: attempts / ingress / baseline; about 1 is healthy")
	pair("attempts", "requests that really arrive at the dependency, the first ones included")
	pair("by retry", "share of the successes that needed more than one attempt")
	pair("at limit", "requests that used their last permitted attempt")
	pair("delivered", "share of the requests that got an answer")
	pair("HOP", "the ratio is of attempts per request at one hop")
	pair("EDGE", "the ratio is of attempts at the dependency per user request")
	return out
}

// explainRows says of every number of the subject what it is, how far it is to
// be trusted and which query or formula stands behind it.
func (m *Model) explainRows() []string {
	row := m.subject()
	var out []string
	if m.shown.Good == nil {
		return []string{m.line().put(m.styles.dim, " nothing to explain yet").String()}
	}
	sys := m.system(row)
	l := m.line().put(m.styles.strong, " "+m.text(m.subjectName(row)))
	for i, lab := range row.Target.Labels {
		sep := "  "
		if i > 0 {
			sep = ", "
		}
		l.put(m.styles.dim, sep+m.text(collector.Clean(lab.Name))+"="+m.text(strconv.Quote(lab.Value)))
	}
	out = append(out, l.String(), "")
	for _, s := range collector.Signals() {
		v := row.Values[s]
		if optional := s == collector.Arrived || s == collector.Overflow; optional && v.State == collector.Missing && sys.Explain[s] == "" {
			continue
		}
		l := m.line().put(m.styles.plain, " ").cell(m.styles.strong, s.String(), 14, false).
			cell(m.styles.plain, m.text(verdict.Number(row, s)), 12, true)
		l.put(m.styles.dim, "  "+v.State.String())
		if v.State.HasNumber() {
			l.put(m.styles.dim, ", "+strings.ReplaceAll(v.Trust.String(), "_", " ")+", raw "+strconv.FormatFloat(v.V, 'g', 10, 64)+" "+strings.ReplaceAll(v.Unit.String(), "_", " "))
		}
		out = append(out, l.String())
		for _, text := range wrap(m.text(m.explanation(row, s)), m.width-5) {
			out = append(out, m.line().put(m.styles.dim, "    "+text).String())
		}
	}
	if n := m.shown.Missed; n > 0 {
		out = append(out, "", m.line().put(m.styles.plain, " "+strconv.Itoa(n)+" of the polls that were due since the start were left out.").String())
	}
	if sys.CannotSee != "" {
		out = append(out, "")
		for _, text := range wrap(m.text("Cannot be seen: "+sys.CannotSee), m.width-2) {
			out = append(out, m.line().put(m.styles.plain, " "+text).String())
		}
	}
	return out
}

func (m *Model) explanation(row collector.Row, s collector.Signal) string {
	explain := m.system(row).Explain
	if explain[s] != "" {
		return collector.Clean(explain[s])
	}
	switch s {
	case collector.Amplification:
		if row.Baseline > 0 && row.Baseline != 1 {
			return "downstream / ingress / " + strconv.FormatFloat(row.Baseline, 'g', 6, 64) + " (baseline)"
		}
		return "downstream / ingress"
	case collector.RetryRate:
		if explain[collector.Retries] == "" {
			return "(downstream - ingress) / downstream, since retries are not counted by themselves here"
		}
		return "retries / downstream"
	case collector.RescuedShare:
		return "rescued / successes"
	case collector.Delivered:
		return "successes / ingress"
	}
	return "not asked for: no query is known"
}

// wrap breaks text at blanks to lines of at most width cells.
func wrap(text string, width int) []string {
	width = max(width, 10)
	var out []string
	current := ""
	for _, word := range strings.Fields(text) {
		switch {
		case current == "":
			current = word
		case textWidth(current)+1+textWidth(word) <= width:
			current += " " + word
		default:
			out = append(out, current)
			current = word
		}
		for textWidth(current) > width {
			head := fit(current, width, "")
			out, current = append(out, head), current[len(head):]
		}
	}
	if current != "" {
		out = append(out, current)
	}
	return out
}

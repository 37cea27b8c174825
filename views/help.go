package views

import (
	"strings"
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
	for _, b := range m.active(false).Bindings() {
		if b.Enabled() {
			pair(b.Help().Key, b.Help().Desc)
		}
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
	pair("overflow", "retries that a budget or a breaker did not permit")
	pair("delivered", "share of the requests that got an answer")
	pair("HOP", "the ratio is of attempts per request at one hop")
	pair("EDGE", "the ratio is of attempts at the dependency per user request")
	return out
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

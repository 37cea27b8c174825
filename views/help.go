package views

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// helpText is the column in which the help says what a key does or a word means.
const helpText = 13

// helpRows is the help for the screen: the keys, the marks and the words.
func (m *Model) helpRows() []string {
	var out []string
	heading := func(text string) { out = append(out, m.line().put(m.styles.strong, " "+text).String()) }
	pair := func(left, right string) {
		for _, part := range wrap(m.text(right), m.width-helpText-1) {
			out = append(out, m.line().put(m.styles.plain, "   ").cell(m.styles.key, m.text(left), helpText-3, false).
				put(m.styles.plain, part).String())
			left = ""
		}
	}
	for _, group := range m.active(false).groups() {
		keys := slices.DeleteFunc(group.keys, func(b key.Binding) bool { return !b.Enabled() })
		if len(keys) == 0 {
			continue
		}
		heading(group.title)
		for _, b := range keys {
			pair(b.Help().Key, b.Help().Desc)
		}
		out = append(out, "")
	}
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
	pair("delivered", "share of the requests that got an answer; 100%+ while more are answered than come, as those of a backlog")
	if screen := m.path.screen(); screen == chain || screen == lab {
		pair("gain", "attempts for each call at one hop: what its retries do")
		pair("fan-out", "calls for each request that a service handles: no retries")
		pair("worst case", "what all the attempts that are permitted multiply to")
	}
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

package views

import (
	"cmp"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"stormtop/collector"
	"stormtop/views/verdict"
)

// mostCopied bounds what is put on a clipboard, in bytes: terminals drop more
// than that without a word.
const mostCopied = 48_000

// copy puts what the screen is about on the clipboard, by asking the terminal
// for it (OSC 52), and shows the same as plain text, since no terminal says
// whether it did.
func (m *Model) copy() tea.Cmd {
	text := m.copyText()
	m.copied = text
	m.enter(copying)
	m.fresh = false
	return tea.SetClipboard(text)
}

// copyText is what is worth telling somebody else: the verdict, on other screens
// the target with its numbers, the queries behind them, or what happened.
func (m *Model) copyText() string {
	var lines []string
	switch mode := m.path.mode(); {
	case mode == explaining:
		lines = m.queryLines(m.subject())
	case m.path.screen() == events:
		lines = m.eventLines()
	case m.path.screen() == lab && m.rig.shown != nil && m.rig.shown.Effect != nil:
		lines = m.effectLines(m.rig.shown)
	case m.path.screen() == ruleList:
		lines = m.ruleLines()
	case m.path.screen() == tuning:
		lines = m.tuneLines()
	case m.path.screen() == drilled || m.path.screen() == targets:
		lines = m.targetLines(m.subject())
	default:
		v := verdict.New(m.shown, m.at())
		parts := strings.Split(v.Text, "  ") // which set them apart on the screen
		for i, p := range parts {
			parts[i] = strings.TrimSpace(p)
		}
		lines = []string{strings.Join(nonEmpty(m.stamped(), strings.Join(nonEmpty(parts...), ", "), v.Cause), "; ")}
	}
	for i, size := 0, 0; i < len(lines); i++ {
		if size += len(lines[i]) + 1; size > mostCopied {
			lines = append(lines[:i:i], "... and "+collector.FormatCount(float64(len(lines)-i))+" more lines")
			break
		}
	}
	return m.text(strings.Join(lines, "\n"))
}

// stamped says what and when: "prom.example:9090 2031-05-06T12:04:00Z".
func (m *Model) stamped() string {
	o := m.shown.Good.Origin
	words := []string{o.Source, m.shown.Last.At.In(m.zone).Format("2006-01-02T15:04:05Z07:00")}
	if o.Simulated && o.Source != "simulator" {
		words = append(words, "SIMULATED")
	}
	return strings.Join(words, " ")
}

func nonEmpty(parts ...string) []string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

// targetLines are a target and its numbers, one a line.
func (m *Model) targetLines(row collector.Row) []string {
	out := []string{m.stamped(), strings.Join(nonEmpty(m.subjectName(row), strings.Join(labelsOf(row.Target), ", ")), "  ")}
	for i := range m.shown.Statuses {
		if st := &m.shown.Statuses[i]; st.Target.ID == row.Target.ID && st.Active() {
			out = append(out, "rule "+collector.Clean(st.Rule.Name)+" "+st.Shown.String()+" "+st.Value.Against(st.Rule.Threshold))
		}
	}
	for _, s := range explained {
		if row.Values[s].State != collector.Missing {
			out = append(out, verdict.SignalWord(s)+" "+m.number(row, s))
		}
	}
	return out
}

// queryLines are the numbers of a target with the query or formula behind each.
func (m *Model) queryLines(row collector.Row) []string {
	out := []string{m.stamped(), m.subjectName(row)}
	known := m.system(row).Explain
	for _, s := range explained {
		text := formula(row, s, known[s])
		if row.Values[s].State == collector.Missing && known[s] == "" || text == "" {
			continue
		}
		out = append(out, "", "# "+s.String()+" "+m.number(row, s), text)
	}
	return out
}

// effectLines say what the last change in the Lab did.
func (m *Model) effectLines(r *collector.Rig) []string {
	e := r.Effect
	out := []string{m.stamped(), r.Scenario + " seed " + strconv.FormatInt(r.Seed, 10) + ", " + collector.FormatDuration(e.Ago) + " after: " + e.Text}
	for i := range e.Figures {
		f := &e.Figures[i]
		line := f.FullName() + " " + fromTo(verdict.Share(f.Before), verdict.Share(f.Now))
		if f.Later.State != collector.Missing {
			line += ", 10s after it " + verdict.Share(f.Later)
		}
		out = append(out, line)
	}
	out = append(out, strings.Join(nonEmpty("worst case now "+worstCase(r), boundedWhole(r)), ", "))
	if m.isTruth() {
		out = append(out, notMeasured)
	}
	return out
}

// eventLines are the events that the filter leaves, newest first.
func (m *Model) eventLines() []string {
	rows := m.happened()
	out := make([]string, len(rows))
	for i := range rows {
		e := &rows[i]
		out[i] = strings.Join(nonEmpty(e.At.In(m.zone).Format("2006-01-02T15:04:05Z07:00"), verdict.EventWord(e.Kind),
			collector.Clean(e.Rule), nameOfEvent(e.Rule, e.Name), verdict.EventTold(*e, m.threshold(e.Rule))), "  ")
	}
	return out
}

// nameOfEvent is the target of an event, where it is one of a rule.
func nameOfEvent(rule, name string) string {
	if rule == "" {
		return ""
	}
	return cmp.Or(verdict.Name(name), "total")
}

// copiedRows show what was copied, from the first column on, so that it can be
// selected with the mouse.
func (m *Model) copiedRows() []string {
	out := []string{
		m.line().put(m.styles.strong, " COPIED").put(m.styles.dim, m.text("  where the terminal permits it; else select it here")).String(), "",
	}
	for line := range strings.SplitSeq(m.copied, "\n") {
		for part := range strings.SplitSeq(ansi.Hardwrap(line, max(m.width, 1), true), "\n") {
			out = append(out, m.line().put(m.styles.plain, m.text(part)).String())
		}
	}
	return out
}

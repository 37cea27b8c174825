package views

import (
	"strings"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// eventsRows draws the screen of events.
func (m *Model) eventsRows() []string {
	if m.empty() {
		return m.emptyRows()
	}
	rows := m.happened()
	var out []string
	if m.height >= 5 {
		out = append(out, m.header())
	}
	out = append(out, m.verdictRow())
	footer := 0
	if m.height >= 3 || m.path.mode().types() {
		footer = 1
	}
	if m.height >= 6 {
		out = append(out, "")
	}
	if m.height >= 4 {
		out = append(out, m.eventsTitle(len(rows)))
	}
	room := max(m.height-len(out)-footer, 0)
	first := m.log.window(len(rows), room)
	m.rowsAt.top = len(out)
	for i := first; i < min(first+room, len(rows)); i++ {
		m.rowsAt.ids = append(m.rowsAt.ids, rows[i].Target)
		out = append(out, m.eventRow(&rows[i], i == m.log.place()))
	}
	if len(rows) == 0 && room > 0 {
		text := "   nothing happened yet"
		if m.log.filter.text != "" {
			text = "   no event is left by this filter"
		}
		out = append(out, m.line().put(m.styles.dim, text).String())
	}
	if footer == 1 {
		return m.end(out)
	}
	return out
}

// window is the first of the rows on a screen with room for so many.
func (l *eventList) window(rows, room int) int {
	room = max(room, 1)
	l.page = room
	at := l.place()
	l.first = min(l.first, max(rows-room, 0))
	l.first = max(min(l.first, at), at-room+1)
	return l.first
}

func (m *Model) eventsTitle(n int) string {
	l := m.line().put(m.styles.strong, " EVENTS")
	what := "  " + collector.FormatCount(float64(n))
	if m.log.filter.text != "" {
		what += " of " + collector.FormatCount(float64(len(m.log.all)))
	}
	l.put(m.styles.plain, what).put(m.styles.dim, "  newest first")
	if text := m.log.filter.text; text != "" {
		l.put(m.styles.dim, "  filter ").put(m.styles.strong, m.text(fit(text, max(l.room()-1, 0), m.glyphs.ellipsis)))
	}
	return l.String()
}

// sign is the mark and the style of an event.
func (m *Model) sign(e *watch.Entry) (string, style) {
	switch e.Kind {
	case collector.EventFiring:
		return m.glyphs.firing, m.styles.firing
	case collector.EventPending:
		return m.glyphs.pending, m.styles.pending
	case collector.EventHeld:
		return m.glyphs.held, m.styles.pending
	case collector.EventBlind:
		return m.glyphs.none, m.styles.pending
	case collector.EventMark:
		return " ", m.styles.strong
	case collector.EventGap:
		return " ", m.styles.pending
	}
	return " ", m.styles.plain
}

// Cells of the columns of an event.
const (
	eventKind = 9
	eventRule = 24
	shortRule = 13
)

// ruleWord is a rule in a word, where there is no room for its name.
func (m *Model) ruleWord(name string) string {
	for _, r := range m.base.Rules {
		if r.Name != name {
			continue
		}
		if r.Both != ([2]string{}) {
			return "retry storm"
		}
		return verdict.SignalWord(r.Signal)
	}
	return collector.Clean(name)
}

// eventRow is one event in one line.
func (m *Model) eventRow(e *watch.Entry, pointed bool) string {
	l := m.line()
	pointer := " "
	if pointed {
		pointer = m.glyphs.selected
	}
	sign, st := m.sign(e)
	l.put(m.styles.strong, pointer).put(m.styles.dim, m.clock(e.At)+" ").put(st, sign+" ").cell(st, m.text(verdict.EventWord(e.Kind)), eventKind, false)
	if e.Rule != "" {
		rule, name := collector.Clean(e.Rule), eventRule
		if m.width < 100 {
			rule, name = m.ruleWord(e.Rule), shortRule
		}
		l.cell(m.styles.plain, m.text(rule), name, false).put(m.styles.plain, " ")
		l.put(m.styles.strong, m.text(fit(verdict.Name(e.Name), max(l.room()/2, 8), m.glyphs.ellipsis))).put(m.styles.plain, "  ")
	}
	text := m.text(m.told(verdict.EventTold(*e, m.threshold(e.Rule)), e.At))
	if textWidth(text) > l.room() { // what it lasted matters more than why it ended
		text, _, _ = strings.Cut(text, "; ended:")
	}
	if textWidth(text) > l.room() {
		text = strings.Replace(text, "lasted ", "", 1)
	}
	return l.put(m.styles.plain, text).String()
}

// threshold is that of a rule, by which a peak must be told from it.
func (m *Model) threshold(rule string) float64 {
	for _, r := range m.base.Rules {
		if r.Name == rule {
			return r.Threshold
		}
	}
	return 0
}

// eventText is what the filter looks at.
func (m *Model) eventText(e *watch.Entry) string {
	return strings.Join([]string{m.clock(e.At), verdict.EventWord(e.Kind), e.Rule, e.Name, verdict.EventTold(*e, m.threshold(e.Rule))}, " ")
}

// stateNow is the worst state of a target in the newest picture, wherever the
// cursor is: what the charts are coloured by.
func (m *Model) stateNow(id string) alerts.State {
	if !m.past() {
		state, _ := m.stateOf(id)
		return state
	}
	worst := alerts.Inactive
	var severity collector.Severity
	for i := range m.base.Statuses {
		st := &m.base.Statuses[i]
		if st.Target.ID == id && st.Active() && (st.Rule.Severity > severity || st.Rule.Severity == severity && st.Shown > worst) {
			worst, severity = st.Shown, st.Rule.Severity
		}
	}
	return worst
}

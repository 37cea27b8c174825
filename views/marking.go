package views

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/collector"
	"stormtop/views/chart"
)

// startMark opens the line in which the text of a mark is typed, for the instant
// at which the key was pressed.
func (m *Model) startMark() {
	m.editor, m.marking = newEditor(""), m.markTime()
	m.path = m.path.enter(marking)
}

// markTime is the instant that a mark is of: the cursor's, else now, in the time
// of the data. A clock that is not near the newest reading is not that of the
// data.
func (m *Model) markTime() time.Time {
	last := m.shown.Last
	if m.still() || m.ended || m.virtual() || m.now.IsZero() {
		return last.At
	}
	late := m.sourceNow().Sub(last.At)
	if late < 0 || late > 2*max(last.Origin.Interval, last.Origin.Scrape)+time.Second {
		return last.At
	}
	return m.sourceNow()
}

// typedMark takes a key while the text of a mark is typed.
func (m *Model) typedMark(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "enter":
		m.path = m.path.back()
		mark := collector.Mark{At: m.marking, Text: m.editor.String()}
		m.setMarked(mark)
		m.opt.Mark(mark)
	case "esc":
		m.path = m.path.back()
	default:
		m.editor.press(msg)
	}
}

// markLine is the line that the text of a mark is typed in, in place of the
// footer.
func (m *Model) markLine() string {
	l := m.line()
	lead, note := " mark "+m.clock(m.marking)+" ", "enter set  esc cancel "
	if l.width < 40+textWidth(lead) {
		lead, note = " m ", ""
	}
	l.put(m.styles.key, lead)
	m.putEditor(l, max(l.room()-textWidth(note)-2, 4))
	if note != "" {
		l.pad(m.styles.plain, l.width-textWidth(note)-1).put(m.styles.plain, " ").put(m.styles.dim, note)
	}
	return l.String()
}

// chartMarks are the marks for the time axis: instants, and the stretches that
// two of them bound.
func (m *Model) chartMarks() []chart.Mark {
	marks := m.base.Marks
	out := make([]chart.Mark, 0, len(marks))
	for _, in := range m.base.Incidents() {
		out = append(out, chart.Mark{From: in.From.At, To: in.To.At})
	}
	if len(marks)%2 == 1 {
		out = append(out, chart.Mark{From: marks[len(marks)-1].At})
	}
	return out
}

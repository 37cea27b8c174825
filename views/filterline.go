package views

import (
	"strconv"

	tea "charm.land/bubbletea/v2"
)

// startFilter opens the line of the filter with what is in force.
func (m *Model) startFilter() {
	m.editor = newEditor(m.list.filter.text)
	m.enter(filtering)
}

// typed takes a key while the filter is typed. Every key changes the list at
// once; a bad expression leaves the last good one in force.
func (m *Model) typed(msg tea.KeyPressMsg) tea.Cmd {
	m.fresh = false
	switch msg.String() {
	case "ctrl+c":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	case "enter":
		if m.editor.err == "" {
			m.path = m.path.back()
		}
	case "esc":
		m.list.filter = filter{}
		m.path = m.path.back()
	case "up":
		m.move(-1)
	case "down":
		m.move(+1)
	case "pgup":
		m.move(-m.page())
	case "pgdown":
		m.move(+m.page())
	default:
		if m.editor.press(msg) {
			m.refilter()
		}
	}
	return nil
}

// refilter puts what is typed in force, if it can be.
func (m *Model) refilter() {
	m.fresh = false
	f, err := parseFilter(m.editor.String())
	if err != nil {
		m.editor.err = err.Error()
		return
	}
	m.editor.err = ""
	m.list.filter = f
}

// filterLine is the line that the filter is typed in, in place of the footer.
func (m *Model) filterLine() string {
	l := m.line()
	l.put(m.styles.key, " /")
	note, st := strconv.Itoa(len(m.listed()))+" of "+strconv.Itoa(len(m.shown.Order)), m.styles.dim
	if m.editor.err != "" {
		note, st = "! "+m.text(m.editor.err), m.styles.pending
	}
	const hint = "  enter keep  esc clear "
	if textWidth(note)+textWidth(hint) <= l.room()*2/3 {
		note += hint
	}
	note = fit(note, l.room()/2+l.room()/6, m.glyphs.ellipsis)
	m.putEditor(l, max(l.room()-textWidth(note)-2, 4))
	return l.pad(m.styles.plain, l.width-textWidth(note)-1).put(m.styles.plain, " ").put(st, note).String()
}

// putEditor writes the part of the line around the cursor in width cells.
func (m *Model) putEditor(l *line, width int) {
	text, at := m.editor.text, m.editor.at
	first := 0
	for first < at && textWidth(m.text(string(text[first:at]))) >= width {
		first++
	}
	l.put(m.styles.strong, m.text(string(text[first:at])))
	under := " "
	if at < len(text) {
		under = m.text(string(text[at : at+1]))
	}
	l.put(m.styles.inverted, under)
	if at+1 < len(text) {
		rest := m.text(string(text[at+1:]))
		l.put(m.styles.strong, fit(rest, width-textWidth(m.text(string(text[first:at])))-1, m.glyphs.ellipsis))
	}
}

package views

import (
	tea "charm.land/bubbletea/v2"

	"stormtop/collector"
)

// startFilter opens the line of the filter with what is in force.
func (m *Model) startFilter() {
	m.editor = newEditor(m.filtered().text)
	m.enter(filtering)
}

// filtered is the filter of the present screen.
func (m *Model) filtered() *filter {
	if m.path.screen() == events {
		return &m.log.filter
	}
	return &m.list.filter
}

// typed takes a key while the filter, or the text of a mark, is typed. Every key
// changes a filtered list at once; a bad expression leaves the last good one in
// force.
func (m *Model) typed(msg tea.KeyPressMsg) tea.Cmd {
	m.fresh = false
	switch msg.String() {
	case "ctrl+c":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	}
	if m.path.mode() == marking {
		m.typedMark(msg)
		return nil
	}
	switch msg.String() {
	case "enter":
		if m.editor.err == "" {
			m.path = m.path.back()
		}
	case "esc":
		*m.filtered() = filter{}
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
	*m.filtered() = f
}

// paste inserts a text from outside into the line that is typed.
func (m *Model) paste(text string) {
	if !m.path.mode().types() {
		return
	}
	m.fresh = false
	m.editor.insert(text)
	if m.path.mode() == filtering {
		m.refilter()
	}
}

// typingLine is the line that is typed in.
func (m *Model) typingLine() string {
	if m.path.mode() == marking {
		return m.markLine()
	}
	return m.filterLine()
}

// filterLine is the line that the filter is typed in, in place of the footer.
func (m *Model) filterLine() string {
	l := m.line()
	l.put(m.styles.key, " /")
	left, all := len(m.listed()), len(m.shown.Order)
	if m.path.screen() == events {
		left, all = len(m.happened()), len(m.log.all)
	}
	note, st := collector.FormatCount(float64(left))+" of "+collector.FormatCount(float64(all)), m.styles.dim
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

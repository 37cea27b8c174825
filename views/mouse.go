package views

import tea "charm.land/bubbletea/v2"

// wheelStep is how many lines, targets or events a notch of the wheel goes.
const wheelStep = 3

// listing is where the rows of a list stand on the screen.
type listing struct {
	top int      // the line of the first one
	ids []string // Target.ID of each; of events their places are enough
}

// click selects the row of a list that is under the mouse.
func (m *Model) click(at tea.Mouse) {
	i := at.Y - m.rowsAt.top
	if !m.mouse || at.Button != tea.MouseLeft || m.path.mode().covers() || m.path.mode().types() || i < 0 || i >= len(m.rowsAt.ids) {
		return
	}
	m.fresh = false
	if m.path.screen() == events {
		m.pointEvent(m.log.first + i - m.log.place())
		return
	}
	if m.path.screen() == ruleList {
		if id := m.rowsAt.ids[i]; id != "" { // a heading is no rule
			m.ruling.chosen = id
		}
		return
	}
	m.selected = m.rowsAt.ids[i]
}

// wheel scrolls a text, or the selection.
func (m *Model) wheel(at tea.Mouse) {
	if !m.mouse || m.path.mode().types() || !m.active(m.path.mode().covers()).Down.Enabled() {
		return
	}
	switch at.Button {
	case tea.MouseWheelUp:
		m.move(-wheelStep)
	case tea.MouseWheelDown:
		m.move(+wheelStep)
	default:
		return
	}
	m.fresh = false
}

// mouseMode is what the terminal is asked for: nothing unless somebody wants it,
// so that text can be selected.
func (m *Model) mouseMode() tea.MouseMode {
	if m.mouse {
		return tea.MouseModeCellMotion
	}
	return tea.MouseModeNone
}

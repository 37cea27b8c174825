package views

import (
	"slices"

	"stormtop/collector"
)

// farthest is more than any list or text is long.
const farthest = 1 << 30

// move scrolls a text, or selects another target.
func (m *Model) move(by int) {
	if m.scrolls() {
		m.scroll.by(by)
		return
	}
	if m.path.screen() == lab {
		m.pointSpot(by)
		return
	}
	switch m.path.screen() {
	case events:
		m.pointEvent(by)
		return
	case ruleList:
		m.pointRule(by)
		return
	case tuning:
		m.turnUp(-by)
		return
	}
	rows := m.order()
	if len(rows) == 0 {
		return
	}
	at := m.position()
	if at < 0 {
		at = 0
		if m.path.screen() == overview { // nothing is pointed at before the first key
			by = max(by, 0)
			if by > 0 && by < farthest {
				by--
			}
		}
	}
	at = min(max(at+by, 0), len(rows)-1)
	m.selected = m.shown.Good.Targets[rows[at]].Target.ID
}

// aside moves the time cursor by readings, in the Lab the selection.
func (m *Model) aside(by int) {
	if m.path.screen() == lab {
		m.pointBeside(by)
		return
	}
	if m.path.screen() == tuning {
		m.turnAcross(by)
		return
	}
	m.step(by)
}

// farAside does the same in larger steps.
func (m *Model) farAside(by int) {
	if m.path.screen() == tuning {
		m.turnAcross(by * farSteps)
		return
	}
	m.step(by * m.leap())
}

// scrolls reports whether up and down move a text and not a selection.
func (m *Model) scrolls() bool {
	return m.path.mode().covers() || m.path.mode() == drilled || m.path.mode() == chain
}

// page is how far a page goes.
func (m *Model) page() int {
	if m.scrolls() {
		return max(m.scroll.page-1, 1)
	}
	if m.path.screen() == events {
		return max(m.log.page-1, 1)
	}
	switch m.path.screen() {
	case ruleList:
		return max(m.ruling.page-1, 1)
	case tuning:
		return farSteps
	}
	return max(m.list.page-1, 1)
}

// order lists the targets of the present screen as places in Good.Targets.
func (m *Model) order() []int {
	if m.path.screen() == targets {
		return m.listed()
	}
	return m.shown.Order
}

// position is the place of the selected target in the order of the screen, or -1.
func (m *Model) position() int {
	if m.selected == "" {
		return -1
	}
	row, ok := m.indexed().rows[m.selected]
	if !ok {
		return -1
	}
	return slices.Index(m.order(), row)
}

// pointed is the target that the list points at: the selected one, else the
// first.
func (m *Model) pointed() (collector.Row, bool) {
	rows := m.listed()
	if len(rows) == 0 {
		return collector.Row{}, false
	}
	return m.shown.Good.Targets[rows[max(m.position(), 0)]], true
}

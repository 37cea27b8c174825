package views

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Update takes one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.fresh = false
	case SnapshotMsg:
		m.live = msg.Snapshot
		if !msg.At.IsZero() {
			m.now, m.arrived = msg.At, msg.At
		}
		m.progress = ""
		if !m.frozen {
			m.shown = m.live
		}
		m.fresh = false
	case ProgressMsg:
		m.progress = msg.Text
		m.fresh = m.fresh && m.live.Last != nil
	case EndedMsg:
		m.ended = true
		m.fresh = false
	case TickMsg:
		m.tick(msg.At)
	case tea.BackgroundColorMsg:
		if m.opt.AskTheme && m.theme != Mono {
			m.theme = Dark
			if !msg.IsDark() {
				m.theme = Light
			}
			m.restyle()
		}
	case tea.ResumeMsg:
		m.fresh = false
	case tea.KeyPressMsg:
		return m, m.press(msg)
	}
	return m, nil
}

// busy is how long after a snapshot the passing of time alone changes nothing:
// with a snapshot each second, drawing once a second is enough.
const busy = 1100 * time.Millisecond

// tick moves the clock. The screen is drawn again only when something of the
// time that it shows has changed.
func (m *Model) tick(at time.Time) {
	if m.begun.IsZero() {
		m.begun = at
	}
	if m.now = at; at.Sub(m.arrived) < busy {
		return
	}
	if s := m.timeStamp(); s != m.stamp {
		m.stamp = s
		m.fresh = false
	}
}

func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	is := func(b key.Binding) bool { return key.Matches(msg, b) }
	switch {
	case is(m.keys.Quit):
		return tea.Quit
	case is(m.keys.Suspend):
		return tea.Suspend
	}
	m.fresh = false
	switch {
	case is(m.keys.Help):
		m.toggle(helping)
	case is(m.keys.Explain):
		m.toggle(explaining)
	case is(m.keys.Freeze):
		m.freeze()
	case is(m.keys.Glyphs):
		m.set = nextGlyphs(m.set)
		m.restyle()
	case is(m.keys.Theme):
		m.theme = m.theme.Next()
		m.restyle()
	case is(m.keys.Back):
		if m.mode != overview {
			m.toggle(m.mode)
		} else {
			m.selected = ""
		}
	case is(m.keys.Open):
		if m.canRetry() {
			m.opt.Retry()
		} else {
			m.move(0)
		}
	case is(m.keys.Up):
		m.move(-1)
	case is(m.keys.Down):
		m.move(+1)
	case is(m.keys.Top):
		m.move(-1 << 30)
	case is(m.keys.Bottom):
		m.move(1 << 30)
	default:
		m.fresh = true
	}
	return nil
}

func (m *Model) toggle(to mode) {
	if m.mode == to {
		to = overview
	}
	m.mode, m.scroll = to, 0
}

func (m *Model) freeze() {
	m.frozen = !m.frozen
	m.shown = m.live
}

// move scrolls what covers the screen, else selects another target.
func (m *Model) move(by int) {
	if m.mode != overview {
		m.scroll = max(0, m.scroll+by)
		return
	}
	rows := m.shown.Order
	if len(rows) == 0 {
		return
	}
	at := m.position()
	if at < 0 {
		at, by = 0, max(by, 0)
		if by > 0 && by < 1<<20 {
			by--
		}
	}
	at = min(max(at+by, 0), len(rows)-1)
	m.selected = m.shown.Good.Targets[rows[at]].Target.ID
}

// position is the place of the selected target in the order of the table, or -1.
func (m *Model) position() int {
	if m.selected == "" {
		return -1
	}
	for i, row := range m.shown.Order {
		if m.shown.Good.Targets[row].Target.ID == m.selected {
			return i
		}
	}
	return -1
}

// canRetry reports whether polling stands still or waits, so that asking for
// another try makes sense.
func (m *Model) canRetry() bool {
	return m.opt.Retry != nil && m.live.Last != nil && m.live.Last.Blind()
}

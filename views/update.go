package views

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Update takes one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.fresh = false
	case SnapshotMsg:
		m.take(msg)
		return m, m.bell()
	case ProgressMsg:
		m.progress = msg.Text
		m.fresh = m.fresh && m.live.Last != nil
	case RigMsg:
		m.rigged(msg.Rig)
	case CallersMsg:
		m.opened.answer(msg)
		m.fresh = false
	case JudgedMsg:
		m.judged(msg)
	case OwnRulesMsg:
		m.takeOwn(msg)
	case ProposalMsg:
		m.proposed(msg)
	case NoticeMsg:
		m.notify(msg)
	case RecordingMsg:
		m.recorded = msg
		m.fresh = false
	case EndedMsg:
		m.ended = msg.On
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
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tea.MouseClickMsg:
		m.click(msg.Mouse())
	case tea.MouseWheelMsg:
		m.wheel(msg.Mouse())
	case tea.KeyPressMsg:
		return m, m.press(msg)
	}
	return m, nil
}

// take makes a snapshot the newest, and shows it unless the picture is frozen.
func (m *Model) take(msg SnapshotMsg) {
	m.live = msg.Snapshot
	if !msg.At.IsZero() {
		m.now, m.arrived = msg.At, msg.At
	}
	m.progress = ""
	if m.live.Last != nil {
		m.playing.arrived(m.live, m.time.span, m.ended, m.steers())
	}
	if m.live.Good != nil && m.steering.follow(m.live.Good.Origin) {
		m.selected, m.time.subject = "", "" // their names may mean other targets now
	}
	m.notice.age(m.live, m.now)
	if !m.frozen {
		m.show()
		m.refresh()
		m.retune()
	} else if len(m.live.Marks) != len(m.base.Marks) { // the user's own, so no news
		m.base.Marks = m.live.Marks
		m.look()
		m.retune()
	}
	m.fresh = false
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

// canRetry reports whether polling stands still or waits, so that asking for
// another try makes sense.
func (m *Model) canRetry() bool {
	return m.opt.Retry != nil && m.live.Last != nil && m.live.Last.Blind()
}

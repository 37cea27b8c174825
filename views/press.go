package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"stormtop/collector"
)

// press does what a key asks for. It ends the notice that answered the one
// before.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	if m.notice.Text != "" {
		m.notice, m.fresh = notice{}, false
	}
	m.ruling.waits = false
	if m.path.mode().types() {
		return m.typed(msg)
	}
	defer m.retune()
	k := m.active(m.path.mode().covers())
	is := func(b key.Binding) bool { return key.Matches(msg, b) }
	switch {
	case is(k.Quit):
		return tea.Quit
	case is(k.Suspend):
		return tea.Suspend
	case is(k.Copy):
		return m.copy()
	}
	for _, a := range m.actions(k) {
		if is(a.key) {
			m.fresh = false
			a.do()
			return nil
		}
	}
	m.refused(msg)
	return nil
}

// action is what a key does.
type action struct {
	key key.Binding
	do  func()
}

// actions are those of every key but the ones that ask something of the terminal.
func (m *Model) actions(k KeyMap) []action {
	return []action{
		{k.Help, func() { m.enter(helping) }},
		{k.Explain, func() { m.enter(explaining) }},
		{k.Overview, func() { m.path = path{overview} }},
		{k.Targets, func() { m.path = path{overview, targets} }},
		{k.Chain, m.toChain},
		{k.Lab, m.toLab},
		{k.Rules, func() { m.path = path{overview, ruleList} }},
		{k.Events, func() { m.path = path{overview, events} }},
		{k.Tune, m.startTuning},
		{k.Switch, m.switchRule},
		{k.Use, m.use},
		{k.NextKnob, m.knobNext},
		{k.Undo, m.undo},
		{k.Reset, m.reset},
		{k.Best, m.toBest},
		{k.Write, m.propose},
		{k.Confirm, m.confirm},
		{k.Retry, func() { m.opt.Retry() }},
		{k.Open, m.open},
		{k.Back, m.back},
		{k.Freeze, m.freeze},
		{k.Left, func() { m.aside(-1) }},
		{k.Right, func() { m.aside(+1) }},
		{k.FarLeft, func() { m.farAside(-1) }},
		{k.FarRight, func() { m.farAside(+1) }},
		{k.ZoomIn, func() { m.zoom(false) }},
		{k.ZoomOut, func() { m.zoom(true) }},
		{k.Earlier, func() { m.pan(-1) }},
		{k.Later, func() { m.pan(+1) }},
		{k.Live, m.backToLive},
		{k.Mark, m.startMark},
		{k.Zone, m.zoneNext},
		{k.Slower, func() { m.play(false) }},
		{k.Faster, func() { m.play(true) }},
		{k.JumpBack, func() { m.bracket(-1) }},
		{k.JumpOn, func() { m.bracket(+1) }},
		{k.Again, m.again},
		{k.NewSeed, func() { m.restart(m.nextSeed()) }},
		{k.NextLever, func() { m.leverNext(+1) }},
		{k.LastLever, func() { m.leverNext(-1) }},
		{k.NextRepair, m.repair},
		{k.Act, m.act},
		{k.Outage, func() { m.fault(collector.Outage) }},
		{k.Delay, func() { m.fault(collector.Delay) }},
		{k.Growth, func() { m.fault(collector.Growth) }},
		{k.Keep, m.shoot},
		{k.Record, m.record},
		{k.Mouse, func() { m.mouse = !m.mouse }},
		{k.Sort, m.sortNext},
		{k.Filter, m.startFilter},
		{k.Group, m.groupNext},
		{k.System, m.systemNext},
		{k.Learn, m.learn},
		{k.Glyphs, func() { m.set = nextGlyphs(m.set); m.restyle() }},
		{k.Theme, func() { m.theme = m.theme.Next(); m.restyle() }},
		{k.Up, func() { m.move(-1) }},
		{k.Down, func() { m.move(+1) }},
		{k.PageUp, func() { m.move(-m.page()) }},
		{k.PageDown, func() { m.move(+m.page()) }},
		{k.Top, func() { m.move(-farthest) }},
		{k.Bottom, func() { m.move(+farthest) }},
	}
}

// enter goes one level deeper.
func (m *Model) enter(to mode) {
	m.path, m.scroll = m.path.enter(to), unread
}

// back goes one level up: a kept filter is a level, and so is a selection.
func (m *Model) back() {
	switch {
	case m.path.mode() == events && m.log.filter.text != "":
		m.log.filter = filter{}
	case m.path.mode() == targets && m.list.filter.text != "":
		m.list.filter = filter{}
	case len(m.path) > 1:
		m.path, m.scroll = m.path.back(), unread
	default:
		m.selected, m.time.subject = "", ""
	}
}

func (m *Model) freeze() {
	if m.plays() {
		m.pause()
		return
	}
	m.frozen = !m.frozen
	m.show()
}

// learn asks for baselines; the answer is a NoticeMsg.
func (m *Model) learn() {
	m.notify(NoticeMsg{Text: "learning the baseline from the past…"})
	m.opt.Learn()
}

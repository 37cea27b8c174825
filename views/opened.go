package views

import (
	"time"

	"stormtop/collector"
)

// opened is the target of the drill-down, and what was asked about it.
type opened struct {
	target  collector.Target
	asked   time.Time  // the time of the data when it was asked for last
	callers CallersMsg // the answer; its ID is empty while there is none
}

// callersFor is how long, in the time of the data, an answer is good for.
const callersFor = 30 * time.Second

// open shows one target with all its signals: the one that the screen is about.
func (m *Model) open() {
	if m.path.screen() == events {
		m.visit()
		return
	}
	row := m.subject()
	if row.Target.ID == collector.TotalID {
		return
	}
	if row.Target.ID != m.opened.target.ID {
		m.opened = opened{}
	}
	m.selected, m.opened.target = row.Target.ID, row.Target
	m.enter(drilled)
	m.ask()
}

// ask asks for what the snapshots do not hold of the opened target.
func (m *Model) ask() {
	if m.opt.Open == nil {
		return
	}
	m.opened.asked = m.base.Good.At
	m.opt.Open(m.opened.target)
}

// refresh asks again once the answer is out of date.
func (m *Model) refresh() {
	if m.path.screen() != drilled || m.base.Good == nil {
		return
	}
	if m.base.Good.At.Sub(m.opened.asked).Abs() >= callersFor {
		m.ask()
	}
}

// answer takes an answer about the opened target; one about another target came
// too late.
func (o *opened) answer(msg CallersMsg) {
	if msg.ID == "" || msg.ID != o.target.ID {
		return
	}
	msg.Note = collector.Clean(msg.Note)
	o.callers = msg
}

// answered reports whether anything came.
func (o *opened) answered() bool { return o.callers.ID != "" }

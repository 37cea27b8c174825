package views

import (
	"sort"
	"time"

	"stormtop/collector"
)

// readingAt is the place in the history of the newest reading that is not later
// than t, or -1.
func readingAt(v collector.View, t time.Time) int {
	return sort.Search(v.Len(), func(i int) bool { return v.Time(i).After(t) }) - 1
}

// step moves the cursor by readings; the first step sets it.
func (m *Model) step(by int) {
	v := m.base.History
	if v.Len() == 0 {
		return
	}
	at := v.Len() - 1
	if m.past() {
		at = readingAt(v, m.time.cursor)
	}
	m.point(v.Time(min(max(at+by, 0), v.Len()-1)))
}

// leap is how many readings a fast step goes: ten, or a twelfth of the span.
func (m *Model) leap() int {
	v := m.base.History
	onScreen := readingAt(v, m.edge()) - readingAt(v, m.begin())
	return max(10, onScreen/12)
}

// point sets the cursor to the reading at t. While it is set the charts stand
// still, and go along only where it would leave them.
func (m *Model) point(t time.Time) {
	if !m.past() {
		m.time.subject = m.subject().Target.ID
		m.time.end = m.edge()
	}
	m.time.cursor = t
	m.follow()
	m.look()
}

// follow moves the charts so that the cursor stands on them.
func (m *Model) follow() {
	t := m.time.cursor
	if t.IsZero() || !t.After(m.time.end) && !t.Before(m.begin()) {
		return
	}
	m.time.end = m.within(t.Add(m.time.span / 2))
}

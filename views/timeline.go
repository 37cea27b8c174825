package views

import (
	"sort"
	"time"

	"stormtop/collector"
)

// timeline is which time the charts show, and where in it the user looks.
type timeline struct {
	span    time.Duration // the time on the screen
	end     time.Time     // the right edge; zero: the newest reading
	cursor  time.Time     // the reading that all numbers are of; zero: the newest
	subject string        // Target.ID that the screen was about when the cursor was set
}

// spans are the steps of the zoom.
var spans = [...]time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour,
}

// past reports whether the numbers on the screen are those at a cursor.
func (m *Model) past() bool { return !m.time.cursor.IsZero() }

// still reports whether the picture does not follow the data.
func (m *Model) still() bool { return m.frozen || m.past() }

// look puts the picture at the cursor on the screen, without one the newest.
func (m *Model) look() {
	m.index, m.fresh = nil, false
	m.shown = m.base
	if !m.past() {
		return
	}
	n := m.base.History.Len()
	if n == 0 {
		m.time.cursor = time.Time{}
		return
	}
	if first := m.base.History.Time(0); m.time.cursor.Before(first) { // forgotten meanwhile
		m.time.cursor = first
	}
	m.shown, _ = m.base.At(m.time.cursor)
}

// readingAt is the place in the history of the newest reading that is not later
// than t, or -1.
func readingAt(v collector.View, t time.Time) int {
	return sort.Search(v.Len(), func(i int) bool { return v.Time(i).After(t) }) - 1
}

// edge is the right edge of the charts.
func (m *Model) edge() time.Time {
	n := m.base.History.Len()
	switch {
	case !m.time.end.IsZero():
		return m.time.end
	case n > 0:
		return m.base.History.Time(n - 1)
	}
	return time.Time{}
}

// begin is the left edge of the charts, or the first reading where that is later.
func (m *Model) begin() time.Time {
	v := m.base.History
	if v.Len() == 0 {
		return time.Time{}
	}
	if t := m.edge().Add(-m.time.span); t.After(v.Time(0)) {
		return t
	}
	return v.Time(0)
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

// within bounds a right edge: there is a span of readings to its left, where so
// much is kept, and none of the future.
func (m *Model) within(end time.Time) time.Time {
	v := m.base.History
	if first := v.Time(0).Add(m.time.span); end.Before(first) {
		end = first
	}
	if last := v.Time(v.Len() - 1); end.After(last) {
		end = last
	}
	return end
}

// pan moves the charts by half of the span, back or on. A cursor that would be
// left behind goes along; without one the newest edge is live again.
func (m *Model) pan(direction time.Duration) {
	v := m.base.History
	if v.Len() == 0 {
		return
	}
	m.time.end = m.within(m.edge().Add(direction * m.time.span / 2))
	m.more()
	if !m.past() {
		if !m.time.end.Before(v.Time(v.Len() - 1)) {
			m.time.end = time.Time{}
		}
		return
	}
	switch t := m.time.cursor; {
	case t.After(m.time.end):
		m.time.cursor = m.time.end
	case t.Before(m.begin()):
		m.time.cursor = m.begin()
	}
	if i := readingAt(v, m.time.cursor); i >= 0 {
		m.time.cursor = v.Time(i)
	}
	m.look()
}

// zoom shows the next shorter or longer span.
func (m *Model) zoom(longer bool) {
	next := m.nextSpan(longer)
	if next == 0 {
		return
	}
	m.time.span = next
	if !m.time.end.IsZero() {
		m.time.end = m.within(m.time.end)
	}
	m.follow()
	m.more()
}

// nextSpan is the step of the zoom beside the present span, 0 where there is
// none: nothing is longer than what is kept.
func (m *Model) nextSpan(longer bool) time.Duration {
	if !longer {
		for i := len(spans) - 1; i >= 0; i-- {
			if spans[i] < m.time.span {
				return spans[i]
			}
		}
		return 0
	}
	if m.time.span >= m.reach() && m.opt.More == nil {
		return 0
	}
	for _, s := range spans {
		if s > m.time.span {
			return s
		}
	}
	return 0
}

// reach is the time from the first reading that is kept to the newest, or the
// span of the start where that is more.
func (m *Model) reach() time.Duration {
	v := m.base.History
	if v.Len() == 0 {
		return m.opt.Span
	}
	return max(v.Time(v.Len()-1).Sub(v.Time(0)), m.opt.Span)
}

// more asks for what lies before the readings that are kept, where the charts
// show that.
func (m *Model) more() {
	if from := m.edge().Add(-m.time.span); m.opt.More != nil && m.base.History.Len() > 0 && from.Before(m.base.History.Time(0)) {
		m.opt.More(from)
	}
}

// backToLive shows the newest again, in the span of the start.
func (m *Model) backToLive() {
	m.time = timeline{span: m.opt.Span}
	m.frozen = false
	m.show()
}

// away reports whether anything of the picture is not as at the start and live.
func (m *Model) away() bool {
	return m.still() || !m.time.end.IsZero() || m.time.span != m.opt.Span
}

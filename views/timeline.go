package views

import "time"

// timeline is which time the charts show, and where in it the user looks.
type timeline struct {
	span    time.Duration // the time on the screen
	end     time.Time     // the right edge; zero: the newest reading
	cursor  time.Time     // the reading that all numbers are of; zero: the newest
	subject string        // Target.ID that the screen was about when the cursor was set
}

// past reports whether the numbers on the screen are those at a cursor.
func (m *Model) past() bool { return !m.time.cursor.IsZero() }

// still reports whether the picture does not follow the data.
func (m *Model) still() bool { return m.frozen || m.past() }

// look puts the picture at the cursor on the screen, without one the newest.
func (m *Model) look() {
	m.index, m.fresh = nil, false
	m.shown = m.base
	m.shown.Final = m.shown.Final || m.shown.Last != nil && m.shown.Last.Replayed() // nobody tries again
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

// backToLive shows the newest again, in the span of the start.
func (m *Model) backToLive() {
	m.time = timeline{span: m.opt.Span}
	m.frozen = false
	if m.playing.paused {
		m.pause()
	}
	m.show()
}

// away reports whether anything of the picture is not as at the start and live.
func (m *Model) away() bool {
	return m.still() || m.playing.paused || !m.time.end.IsZero() || m.time.span != m.opt.Span
}

package views

import "time"

// spans are the steps of the zoom.
var spans = [...]time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour,
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

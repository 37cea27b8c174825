package views

import (
	"slices"
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
)

// eventList is the log as the screen of events shows it.
type eventList struct {
	filter filter
	chosen eventKey // the one that is pointed at; zero: the newest
	first  int      // the first row on the screen
	page   int      // rows on it, as of the last frame

	all  []watch.Entry // newest first; nil: not made yet
	rows []watch.Entry // those that the filter leaves
	made string        // the text of the filter that rows are of
}

// eventKey tells an event from all others, whatever comes after it.
type eventKey struct {
	at           time.Time
	kind         collector.EventKind
	rule, target string
	text         string
}

func keyOf(e *watch.Entry) eventKey { return eventKey{e.At, e.Kind, e.Rule, e.Target, e.Text} }

// happened are the events that the filter leaves, newest first.
func (m *Model) happened() []watch.Entry {
	l := &m.log
	if l.all == nil {
		l.all = m.base.Log()
		l.rows = nil
	}
	if l.rows != nil && l.made == l.filter.text {
		return l.rows
	}
	l.made, l.rows = l.filter.text, l.all
	if l.filter.match != nil {
		l.rows = slices.DeleteFunc(slices.Clone(l.all), func(e watch.Entry) bool {
			return l.filter.match(m.eventText(&e)) == l.filter.not
		})
	}
	return l.rows
}

// place is the row of the event that is pointed at.
func (l *eventList) place() int {
	i := slices.IndexFunc(l.rows, func(e watch.Entry) bool { return keyOf(&e) == l.chosen })
	return max(i, 0)
}

// pointEvent points at another event.
func (m *Model) pointEvent(by int) {
	rows := m.happened()
	if len(rows) == 0 {
		return
	}
	m.log.chosen = keyOf(&rows[min(max(m.log.place()+by, 0), len(rows)-1)])
}

// visit sets the cursor to the event that is pointed at, on the overview, and
// selects its target.
func (m *Model) visit() {
	rows := m.happened()
	if len(rows) == 0 {
		return
	}
	e := rows[m.log.place()]
	m.path = path{overview}
	v := m.base.History
	i := readingAt(v, e.At)
	if i < 0 {
		m.notify(NoticeMsg{Text: "the readings of " + m.clock(e.At) + " are not kept any more", Bad: true})
		return
	}
	if e.Target != collector.TotalID {
		if _, here := m.row(e.Target); here {
			m.selected = e.Target
		}
	}
	m.point(v.Time(i))
}

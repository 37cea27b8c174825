package views

import (
	"slices"

	"stormtop/collector"
)

// list is the targets as the targets screen shows them. Sorting and filtering
// happen once for each snapshot, sorting and filter, not for each frame.
type list struct {
	sorting sorting
	filter  filter
	first   int // the first row on the screen
	page    int // rows on it, as of the last frame

	rows   []int // places in Good.Targets, as of made
	made   listKey
	chosen map[string]bool // what filter says of a Target.ID
	judged string          // the text of the filter that chosen is of
}

// listKey is what the rows of a list follow from.
type listKey struct {
	reading *collector.Reading
	order   *int // the first of the worst-first order: another snapshot, another order
	sorting sorting
	filter  string
}

// listed is the list in its order.
func (m *Model) listed() []int {
	g, l := m.shown.Good, &m.list
	if g == nil || len(m.shown.Order) == 0 {
		return nil
	}
	now := listKey{g, &m.shown.Order[0], l.sorting, l.filter.text}
	if now == l.made {
		return l.rows
	}
	l.made = now
	l.rows = l.choose(g.Targets, m.shown.Order)
	switch l.sorting.kind {
	case bySignal:
		l.rows = sorted(g.Targets, l.rows, l.sorting.signal)
	case byName: // as the targets come
		l.rows = slices.Clone(l.rows)
		slices.Sort(l.rows)
	}
	return l.rows
}

// choose leaves those rows that the filter holds for. What it says of a target
// is remembered: a target keeps its name and labels from reading to reading.
func (l *list) choose(rows []collector.Row, order []int) []int {
	if l.filter.match == nil {
		l.chosen = nil
		return order
	}
	if l.chosen == nil || l.judged != l.filter.text || len(l.chosen) > 2*len(rows)+1000 {
		l.chosen, l.judged = make(map[string]bool, len(rows)), l.filter.text
	}
	var out []int
	for _, i := range order {
		t := &rows[i].Target
		yes, known := l.chosen[t.ID]
		if !known {
			yes = l.filter.holds(t)
			l.chosen[t.ID] = yes
		}
		if yes {
			out = append(out, i)
		}
	}
	return out
}

// window is the first of room rows so that row at is among them.
func (l *list) window(at, rows, room int) int {
	room = max(room, 1)
	l.page = room
	l.first = min(l.first, max(rows-room, 0))
	switch {
	case at < l.first:
		l.first = max(at, 0)
	case at >= l.first+room:
		l.first = at - room + 1
	}
	return l.first
}

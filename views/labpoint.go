package views

import (
	"slices"
	"strconv"

	"stormtop/collector"
)

// spot is something in the Lab that can be selected: a lever, a fault or a
// repair, by its place in the Rig.
type spot struct {
	kind spotKind
	i    int
}

type spotKind uint8

// The kinds of spots, in the order of the screen.
const (
	leverSpot spotKind = iota
	faultSpot
	repairSpot
)

// pointed is what the user selected in the Lab: its place in the order of the
// screen, and a name by which it is found again when the order has changed.
type pointed struct {
	at   int
	name string
}

// spots lists what can be selected, in the order of the screen.
func spots(r *collector.Rig) []spot {
	out := make([]spot, 0, len(r.Levers)+len(r.Faults)+len(r.Repairs))
	for i := range r.Levers {
		out = append(out, spot{leverSpot, i})
	}
	for i := range r.Faults {
		out = append(out, spot{faultSpot, i})
	}
	for i := range r.Repairs {
		out = append(out, spot{repairSpot, i})
	}
	return out
}

// spotName tells a spot from all others.
func spotName(r *collector.Rig, s spot) string {
	name := strconv.Itoa(int(s.kind)) + " "
	switch s.kind {
	case leverSpot:
		return name + r.Levers[s.i].Field
	case faultSpot:
		return name + r.Faults[s.i].Field
	}
	return name + r.Repairs[s.i].Name
}

// selectedSpot is the spot that is selected, the first one before any key; ok is
// false where there is none at all.
func (m *Model) selectedSpot() (s spot, at int, ok bool) {
	r := m.rig.shown
	if r == nil {
		return spot{}, 0, false
	}
	all := spots(r)
	if len(all) == 0 {
		return spot{}, 0, false
	}
	at = min(m.rig.pointed.at, len(all)-1)
	if name := m.rig.pointed.name; name != "" && spotName(r, all[at]) != name {
		if i := slices.IndexFunc(all, func(s spot) bool { return spotName(r, s) == name }); i >= 0 {
			at = i
		}
	}
	return all[at], at, true
}

// selectSpot selects the spot at a place in the order of the screen.
func (m *Model) selectSpot(at int) {
	all := spots(m.rig.shown)
	at = min(max(at, 0), len(all)-1)
	m.rig.pointed = pointed{at, spotName(m.rig.shown, all[at])}
}

// lever is the selected lever.
func (m *Model) lever() (collector.Lever, bool) {
	s, _, ok := m.selectedSpot()
	if !ok || s.kind != leverSpot {
		return collector.Lever{}, false
	}
	return m.rig.shown.Levers[s.i], true
}

// leverNext selects the next lever or the one before, the first after the last.
func (m *Model) leverNext(by int) {
	_, at, ok := m.selectedSpot()
	n := len(m.rig.shown.Levers)
	switch {
	case !ok || n == 0:
	case at >= n && by < 0:
		m.selectSpot(n - 1)
	default:
		m.selectSpot((min(at, n) + by + n) % max(n, 1))
	}
	if at >= n && by > 0 && n > 0 {
		m.selectSpot(0)
	}
}

// pointSpot moves the selection up or down: through the rows of the levers in one
// column, then through faults and repairs.
func (m *Model) pointSpot(by int) {
	s, at, ok := m.selectedSpot()
	if !ok {
		return
	}
	r := m.rig.shown
	for ; by != 0 && -farthest < by && by < farthest; by -= sign(by) {
		switch rows := leverRows(r); {
		case s.kind == leverSpot:
			row := slices.Index(rows, r.Levers[s.i].Row) + sign(by)
			if row < 0 {
				by = sign(by)
				continue
			}
			if at = len(r.Levers); row < len(rows) {
				at = leverNear(r, rows[row], r.Levers[s.i].Layer)
			}
		case by < 0 && at == len(r.Levers) && len(rows) > 0:
			at = leverNear(r, rows[len(rows)-1], 0)
		default:
			at += sign(by)
		}
		m.selectSpot(at)
		s, at, _ = m.selectedSpot()
	}
	if by != 0 {
		m.selectSpot(by)
	}
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// pointBeside moves the selection to the column at its side: from a layer to the
// next one, from the faults to the repairs.
func (m *Model) pointBeside(by int) {
	s, _, ok := m.selectedSpot()
	if !ok {
		return
	}
	r := m.rig.shown
	levers, faults := len(r.Levers), len(r.Faults)
	switch {
	case s.kind == leverSpot:
		if at, ok := leverBeside(r, s.i, by); ok {
			m.selectSpot(at)
		}
	case s.kind == faultSpot && by > 0 && len(r.Repairs) > 0:
		m.selectSpot(levers + faults + min(s.i, len(r.Repairs)-1))
	case s.kind == repairSpot && by < 0 && faults > 0:
		m.selectSpot(levers + min(s.i, faults-1))
	}
}

// leverRows are the rows of the levers in their order.
func leverRows(r *collector.Rig) []string {
	var out []string
	for i := range r.Levers {
		if !slices.Contains(out, r.Levers[i].Row) {
			out = append(out, r.Levers[i].Row)
		}
	}
	return out
}

// leverNear is the place of the lever of a row that is nearest to a layer.
func leverNear(r *collector.Rig, row string, layer int) int {
	best, far := 0, -1
	for i := range r.Levers {
		l := &r.Levers[i]
		if d := max(l.Layer-layer, layer-l.Layer); l.Row == row && (far < 0 || d < far) {
			best, far = i, d
		}
	}
	return best
}

// leverBeside is the place of the next lever of a row to one side of another.
func leverBeside(r *collector.Rig, of, by int) (at int, ok bool) {
	from := &r.Levers[of]
	for i := range r.Levers {
		l := &r.Levers[i]
		if l.Row != from.Row || (l.Layer-from.Layer)*by <= 0 {
			continue
		}
		if !ok || (l.Layer-r.Levers[at].Layer)*by < 0 {
			at, ok = i, true
		}
	}
	return at, ok
}

package views

import (
	"slices"
	"strconv"

	"stormtop/collector"
)

// asideLeast is the width of a screen that shows the repairs beside the faults.
const asideLeast = 76

// actionsHigh is how many rows faults and repairs take.
func (m *Model) actionsHigh() int {
	f, r := len(m.rig.shown.Faults), len(m.rig.shown.Repairs)
	heads := 0
	for _, n := range []int{f, r} {
		if n > 0 {
			heads++
		}
	}
	switch {
	case heads == 0:
		return 0
	case m.width >= asideLeast:
		return 1 + max(f, r)
	}
	return heads + f + r
}

// actionRows lists in h rows what can be broken, and what can be done about it.
// Of what does not fit the selected ones are shown, else the next to come.
func (m *Model) actionRows(h int) []textRow {
	r := m.rig.shown
	switch {
	case len(r.Repairs) == 0:
		return m.faultRows(h)
	case len(r.Faults) == 0:
		return m.repairRows(h)
	case m.width >= asideLeast:
		return m.beside(m.faultRows(h), m.repairRows(h), m.repairsAt())
	}
	s, _, _ := m.selectedSpot()
	faults := min(1+len(r.Faults), h)
	if h < 1+len(r.Faults)+2 || s.kind == repairSpot {
		if faults = h / 2; s.kind == faultSpot {
			faults = (h + 1) / 2
		}
		faults = min(max(faults, h-1-len(r.Repairs)), 1+len(r.Faults))
	}
	if h-faults == 1 || h < 4 { // a heading alone says nothing
		if faults = 0; s.kind == faultSpot {
			return m.faultRows(h)
		}
	}
	return append(m.faultRows(faults), m.repairRows(h-faults)...)
}

// faultTag is the width of what is said in front of a fault, its pointer and key
// included.
const faultTag = len(" > o off ")

// repairsAt is the column of the repairs beside the faults, which take what they
// need, and less than half.
func (m *Model) repairsAt() int {
	need := len(" FAULTS")
	for i := range m.rig.shown.Faults {
		need = max(need, faultTag+textWidth(m.text(m.rig.shown.Faults[i].Title)))
	}
	return min(need+3, m.width*45/100)
}

// spotInFull is what is selected, where its place on the screen cuts it; "" else.
func (m *Model) spotInFull() string {
	s, _, ok := m.selectedSpot()
	if !ok {
		return ""
	}
	r := m.rig.shown
	aside := m.width >= asideLeast && len(r.Faults) > 0 && len(r.Repairs) > 0
	switch s.kind {
	case leverSpot:
		l := r.Levers[s.i]
		if t := m.leverTable(); textWidth(m.text(l.Value)) > t.wide[l.Layer]-3 {
			return m.text(m.leverName(l) + ": " + l.Value)
		}
	case faultSpot:
		room := m.width - faultTag
		if aside {
			room = m.repairsAt() - 1 - faultTag
		}
		if f := &r.Faults[s.i]; textWidth(m.text(f.Title)) > room {
			return m.text(f.Title)
		}
	case repairSpot:
		room := m.width - 3 - repairTag
		if aside {
			room -= m.repairsAt()
		}
		if p := &r.Repairs[s.i]; textWidth(m.text(p.Title)) > room {
			return m.text(p.Title)
		}
	}
	return ""
}

// windowOn is the first of n rows on a screen with room for fewer, so that one of
// them is seen, with what comes before it where that fits.
func windowOn(n, room, seen int) int { return min(max(seen-room/2, 0), max(n-room, 0)) }

// listed lays h rows of a list with a heading out, which counts them where they
// are not all; a list in one row has none.
func listed(h, n, seen int, head textRow, row func(i int) textRow) []textRow {
	if h <= 0 {
		return nil
	}
	var out []textRow
	if h > 1 {
		if h-1 < n {
			count := "  " + strconv.Itoa(h-1) + " of " + strconv.Itoa(n)
			head = append(head[:1:1], append(textRow{{head[0].style, count, 0}}, head[1:]...)...)
		}
		out = append(out, head)
	}
	room := h - len(out)
	first := windowOn(n, room, seen)
	for i := first; i < min(first+room, n); i++ {
		out = append(out, row(i))
	}
	return out
}

// pointer stands in front of what can be selected.
func (m *Model) pointer(selected bool) span {
	if selected {
		return span{m.styles.strong, " " + m.glyphs.selected + " ", 0}
	}
	return span{m.styles.plain, "   ", 0}
}

// faultKey is the key that switches a fault, which is that of the first of its
// kind alone.
func (m *Model) faultKey(i int) string {
	kind := m.rig.shown.Faults[i].Kind
	if first, ok := m.rig.shown.Fault(kind); !ok || first != i {
		return " "
	}
	switch kind {
	case collector.Outage:
		return m.keys.Outage.Help().Key
	case collector.Delay:
		return m.keys.Delay.Help().Key
	case collector.Growth:
		return m.keys.Growth.Help().Key
	}
	return " "
}

func (m *Model) faultRows(h int) []textRow {
	r := m.rig.shown
	s, _, ok := m.selectedSpot()
	seen := 0
	if ok && s.kind == faultSpot {
		seen = s.i
	}
	head := textRow{{m.styles.strong, " FAULTS", 0}}
	return listed(h, len(r.Faults), seen, head, func(i int) textRow {
		f := &r.Faults[i]
		selected := ok && s == spot{faultSpot, i}
		row := textRow{m.pointer(selected), {m.styles.key, m.faultKey(i), 0}}
		if f.Is {
			return append(row, span{m.styles.pending, m.text(" ON  " + f.Title), 0})
		}
		return append(row, span{m.styles.dim, " off ", 0}, span{m.plainOr(selected), m.text(f.Title), 0})
	})
}

func (m *Model) plainOr(selected bool) style {
	if selected {
		return m.styles.strong
	}
	return m.styles.plain
}

// repairTag is the width of what is said in front of a repair.
const repairTag = len("wrong ")

func (m *Model) repairRows(h int) []textRow {
	r := m.rig.shown
	s, _, ok := m.selectedSpot()
	next, left := r.NextRepair()
	seen := next
	if ok && s.kind == repairSpot {
		seen = s.i
	}
	head := textRow{{m.styles.strong, " REPAIRS", 0}, {m.styles.dim, "  in order", 0}}
	if slices.ContainsFunc(r.Repairs, func(p collector.Repair) bool { return p.Wrong }) {
		head[1].text += "; wrong: worse"
	}
	return listed(h, len(r.Repairs), seen, head, func(i int) textRow {
		p := &r.Repairs[i]
		selected := ok && s == spot{repairSpot, i}
		tag, st, title := "", m.plainOr(selected), p.Title
		tagStyle := m.styles.dim
		switch {
		case p.Wrong:
			if tag = "wrong"; p.Done {
				title += ": done"
			}
		case p.Done:
			tag, st = "done", m.styles.dim
		case left && i == next:
			tag, tagStyle = m.keys.NextRepair.Help().Key, m.styles.key
		}
		return textRow{m.pointer(selected), m.cell(tagStyle, tag, repairTag, false), {st, m.text(title), 0}}
	})
}

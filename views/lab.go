package views

import "stormtop/views/verdict"

// block is a part of the Lab that is as high as the screen permits.
type block struct {
	least, good, most int  // rows; least 0: it is left out
	squeezed          bool // it is useful with fewer rows than least
	rows              func(h int) []string
}

// The blocks of the Lab, in the order of the screen. The lower ones give way.
const (
	leverBlock = iota
	effectBlock
	actionBlock
	peerBlock
	chartBlock
	numBlocks
)

// labRows draws the Lab: the levers of the running simulation, what the last
// change did, what can be broken and repaired, the same storm under other
// policies, and the ratio.
func (m *Model) labRows() []string {
	if m.empty() || m.rig.shown == nil {
		return m.emptyRows()
	}
	if m.height == 2 {
		return []string{m.verdictRow(), m.spotRow()}
	}
	above := m.rigAbove("LAB", 24, m.spotInFull())
	blocks := m.labBlocks()
	room := m.height - len(above) - 1
	heights := m.shareOut(room, blocks)
	m.rig.charted = heights[chartBlock] > 0
	rows := above
	for i, h := range heights {
		if h == 0 {
			continue
		}
		if i > 0 && len(rows) > len(above) {
			rows = append(rows, "")
		}
		rows = append(rows, blocks[i].rows(h)...)
	}
	if len(rows) == len(above) && room > 0 {
		rows = append(rows, m.spotRow())
	}
	return m.end(rows)
}

// rigAbove is what stands above the Lab and the Chain: header, verdict, its
// cause or what must be said more urgently, the comparison with a mark, and the
// title; from so many rows on, what to look for. A text takes the place of the
// cause.
func (m *Model) rigAbove(word string, look int, text string) []string {
	var out []string
	if m.height >= 5 {
		out = append(out, m.header())
	}
	out = append(out, m.verdictRow())
	if m.height >= 8 {
		if notices := m.notices(); len(notices) > 0 {
			out = append(out, m.noticeRow(notices))
		} else if text != "" {
			out = append(out, m.line().put(m.styles.strong, "   "+text).String())
		} else {
			out = append(out, m.causeRow())
		}
	}
	out = append(out, m.strip()...)
	truth := m.truthText()
	if m.height >= 5 || m.height == 4 && truth == "" {
		out = append(out, m.rigTitle(word))
	}
	if r := m.rig.shown; r.Over && r.Outcome != "" && m.height >= 12 {
		out = append(out, m.line().put(m.styles.strong, "   over: ").put(m.styles.plain, fit(m.text(r.Outcome), m.width-10, m.glyphs.ellipsis)).String())
	}
	if truth != "" && m.height >= 3 {
		out = append(out, m.line().put(m.styles.pending, "   "+m.text(truth)).String())
	}
	if text := m.rig.shown.Look; text != "" && m.height > look && m.width >= 60 {
		lines := wrap(m.text("look for: "+text), m.width-4)
		if most := 1 + (m.height-look)/3; len(lines) > most {
			const all = "  i tells all"
			lines = append(lines[:most-1:most-1], fit(lines[most-1]+" "+lines[most], m.width-4-len(all), m.glyphs.ellipsis)+all)
		}
		for _, l := range lines {
			out = append(out, m.line().put(m.styles.dim, "   "+l).String())
		}
	}
	if m.height >= 20 {
		out = append(out, "")
	}
	return out
}

// shareOut gives each block its rows of those that are there, a blank row
// between two of them. What is selected is never left out.
func (m *Model) shareOut(room int, blocks []block) []int {
	order := []int{leverBlock, effectBlock, actionBlock, peerBlock, chartBlock}
	heights := shareInOrder(room, blocks, order)
	if s, _, ok := m.selectedSpot(); ok && s.kind != leverSpot && heights[actionBlock] < 2 {
		order[leverBlock], order[actionBlock] = actionBlock, leverBlock
		heights = shareInOrder(room, blocks, order)
	}
	return heights
}

// shareInOrder admits blocks in an order; the last one in it takes what the
// others leave.
func shareInOrder(room int, blocks []block, order []int) []int {
	heights := make([]int, len(blocks))
	first := true
	admit := func(i int) (full bool) {
		b, gap := blocks[i], 1
		if first {
			gap = 0
		}
		switch least := b.least; {
		case least == 0:
		case room >= least+gap:
			heights[i], first = least, false
			room -= least + gap
		case b.squeezed && first && room > 0:
			heights[i] = room
			return true
		}
		return false
	}
	grow := func(to func(b *block) int) {
		for _, i := range order {
			if heights[i] > 0 {
				more := min(max(to(&blocks[i])-heights[i], 0), room)
				heights[i] += more
				room -= more
			}
		}
	}
	for k, i := range order {
		if k == len(order)-1 {
			grow(func(b *block) int { return b.good })
		}
		if admit(i) {
			return heights
		}
	}
	grow(func(b *block) int { return b.good })
	grow(func(b *block) int { return b.most })
	return heights
}

// labBlocks are the parts of the Lab for the present width.
func (m *Model) labBlocks() []block {
	out := make([]block, numBlocks)
	levers := m.leverTable()
	gap := 1
	if m.width-levers.width >= 50 {
		gap = 3
	}
	effect := append(m.changeRows(m.width-levers.width-gap), m.worstRows(m.width-levers.width-gap)...)
	wide := levers.width+1+effectLeast <= m.width
	natural := levers.height()
	if wide {
		natural = max(natural, len(effect))
	} else {
		effect = append(m.worstRows(m.width-2), m.changeRows(m.width-2)...) // the worst case is known before any change
		n := len(effect)
		out[effectBlock] = block{least: min(n, 5), good: n, most: n, rows: func(h int) []string { return m.drawn(effect[:min(h, n)]) }}
	}
	out[leverBlock] = block{least: natural, good: natural, most: natural, squeezed: true, rows: func(h int) []string {
		if h == 1 {
			return []string{m.spotRow()}
		}
		rows := levers.rows(m, h)
		if wide {
			rows = m.beside(rows, effect[:min(h, len(effect))], levers.width+gap)
		}
		return m.drawn(rows)
	}}
	if most := m.actionsHigh(); most > 0 {
		good := 1 + max(len(m.rig.shown.Faults), min(len(m.rig.shown.Repairs), 4))
		out[actionBlock] = block{least: min(most, 2), good: min(most, good), most: most, squeezed: true, rows: func(h int) []string { return m.drawn(m.actionRows(h)) }}
	}
	if n := len(m.peerRows(len(m.rig.shown.Peers) + 1)); n > 0 {
		out[peerBlock] = block{least: 2, good: n, most: n, rows: m.peerRows}
	}
	out[chartBlock] = block{least: 5, good: 5, most: m.height, rows: m.rigChart}
	return out
}

// rigChart is the ratio in h rows, and the rates below it where both have room;
// where there are several targets, with the name of the one that it is about, which
// need not be the one whose levers are shown.
func (m *Model) rigChart(h int) []string {
	var out []string
	if subject := m.subject().Target; m.shown.Good != nil && len(m.shown.Good.Targets) > 1 && subject.Name != "" && h > leastRatio {
		out = append(out, m.line().put(m.styles.strong, " AMPLIFICATION").put(m.styles.dim, m.text("  of "+verdict.Name(subject.Name))).String())
		h--
	}
	flow := 0
	if h >= leastRatio+leastFlow+6 && m.width >= 100 {
		flow = min(h*2/5, mostFlow)
		h -= flow + 2
	}
	bands := 0
	if h >= 7 {
		bands = 1
	}
	out = append(out, m.ratioChart(m.width, h, true, bands, flow > 0)...)
	if flow == 0 {
		return out
	}
	out = append(out, "", m.line().put(m.styles.strong, " ATTEMPTS AND INGRESS").put(m.styles.dim, "  a second, on one scale").String())
	return append(out, m.flowChart(m.width, flow)...)
}

// spotRow is what is selected in one line, for screens that have no more.
func (m *Model) spotRow() string {
	r := m.rig.shown
	l := m.line()
	s, _, ok := m.selectedSpot()
	switch {
	case !ok:
		return l.put(m.styles.plain, " "+m.text(r.Scenario)).String()
	case s.kind == faultSpot:
		return l.put(m.styles.strong, " "+m.text(r.Faults[s.i].Title)).put(m.styles.plain, m.text(onWord(r.Faults[s.i].Is))).String()
	case s.kind == repairSpot:
		return l.put(m.styles.strong, " "+m.text(r.Repairs[s.i].Title)).String()
	}
	lever := r.Levers[s.i]
	return l.put(m.styles.strong, " "+m.text("["+lever.Value+"]")).put(m.styles.plain, " "+m.text(m.leverName(lever))).String()
}

func onWord(on bool) string {
	if on {
		return "  ON"
	}
	return "  off"
}

package views

import (
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/collector"
	"stormtop/views/chart"
	"stormtop/views/verdict"
)

// rulesRows draws the screen of the rules: each with its state, its numbers and
// its history, and the chart of the one that is pointed at.
func (m *Model) rulesRows() []string {
	if m.empty() && len(m.ruling.own.rows) == 0 || len(m.rulesNow()) == 0 {
		return m.emptyRows()
	}
	above := m.rulesAbove()
	n := m.rulePlaces()
	if m.ownHeading() != "" {
		n++
	}
	chosen := m.rulesNow()[m.chosenRule()]
	own, isOwn := m.chosenOwn()
	detail := m.ruleDetail
	if isOwn {
		detail = func() []string { return m.ownDetail(&m.ruling.own.rows[own]) }
	}
	told := detail()
	const table, details, picture = 0, 1, 2
	blocks := []block{
		table:   {least: min(n+1, 4), good: min(n, len(m.rulesNow())+6) + 1, most: n + 1, squeezed: true, rows: func(h int) []string { return m.ruleTable(h, len(above)) }},
		details: {least: 1, good: len(told), most: len(told), rows: func(h int) []string { return told[:min(h, len(told))] }},
		picture: {least: 5, good: 6, most: m.height, rows: func(h int) []string {
			return m.ruleChart(m.width, h, chosen, m.targetOf(chosen.Name), nil)
		}},
	}
	if isOwn {
		blocks[picture] = block{}
		if r := &m.ruling.own.rows[own]; r.Course.Len() > 0 {
			blocks[picture] = block{least: 5, good: 6, most: m.height, rows: func(h int) []string {
				return m.ownChart(m.width, h, r, r.spec(m.ruling.own.ids[own]), nil, trial.Answer{})
			}}
		}
	}
	return m.stacked(above, blocks, []int{table, details, picture})
}

// rulesAbove is what stands above the screens of the rules.
func (m *Model) rulesAbove() []string {
	var out []string
	if m.height >= 5 {
		out = append(out, m.header())
	}
	if m.height >= 3 {
		out = append(out, m.verdictRow())
	}
	if notices := m.notices(); m.height >= 8 && len(notices) > 0 && (m.notice.Text != "" || m.height >= 12) {
		out = append(out, m.noticeRow(notices))
	} else if m.height >= 20 {
		out = append(out, "")
	}
	return out
}

// stacked puts blocks below each other, a blank row between two of them.
func (m *Model) stacked(above []string, blocks []block, order []int) []string {
	room := m.height - len(above) - 1
	rows := above
	heights := shareInOrder(room, blocks, order)
	for i, h := range heights {
		if h == 0 {
			continue
		}
		if len(rows) > len(above) {
			rows = append(rows, "")
		}
		rows = append(rows, blocks[i].rows(h)...)
	}
	return m.end(rows)
}

// leastBand is the width from which on a history of states is shown.
const leastBand = 10

// ruleTable is the list of the rules in h rows, its heading included.
func (m *Model) ruleTable(h, top int) []string {
	rules := m.rulesNow()
	t := &grid{m: m, room: m.width - leastBand - 3}
	if m.width < 60 {
		t.room = m.width
	}
	c := &ruleColumns{
		name: t.column("RULES", false, 10), target: t.column("target", false, 3), state: t.column("state", false, 9), server: t.column("server", false, 6),
		value: t.column("value", true, 8), threshold: t.column("threshold", false, 7), keep: t.column("keep", true, 2), floor: t.column("floor", true, 4), rate: t.column("rate", true, 1),
	}
	for i, r := range rules {
		m.ruleCellsOf(c, r, m.rulePlace() == i)
	}
	for i := range m.ruling.own.rows {
		m.ownCells(c, i)
	}
	text := t.rows()
	room := max(h-1, 1)
	m.ruling.page = room
	lines := make([]int, 0, len(text)) // places in text, and 0 for the heading of people's own
	at := 0
	for i := range len(text) - 1 {
		if i == len(rules) {
			lines = append(lines, 0)
		}
		if i == m.rulePlace() {
			at = len(lines)
		}
		lines = append(lines, i+1)
	}
	if heading := m.ownHeading(); heading != "" && len(m.ruling.own.rows) == 0 {
		lines = append(lines, 0)
	}
	m.ruling.first = max(min(m.ruling.first, at, max(len(lines)-room, 0)), at-room+1)
	wide := widest(text)
	out := []string{}
	if h > 1 {
		l := m.rowOf(text[0])
		if m.width-wide-2 >= leastBand {
			l.pad(m.styles.plain, wide+2).put(m.styles.dim, "history")
		}
		out = append(out, l.String())
	}
	m.rowsAt = listing{top: top + len(out)}
	for _, i := range lines[m.ruling.first:min(m.ruling.first+room, len(lines))] {
		if i == 0 {
			m.rowsAt.ids = append(m.rowsAt.ids, "")
			out = append(out, m.line().put(m.styles.dim, " "+m.text(m.ownHeading())).String())
			continue
		}
		m.rowsAt.ids = append(m.rowsAt.ids, m.ruleAt(i-1))
		l := m.rowOf(text[i])
		if own := i - 1 - len(rules); own >= 0 {
			m.ownTail(l, &m.ruling.own.rows[own], wide+2)
		} else {
			m.ruleTail(l, rules[i-1], wide+2)
		}
		out = append(out, l.String())
	}
	return out
}

// ruleColumns are the columns of the list of the rules.
type ruleColumns struct {
	name, target, state, server, value, threshold, keep, floor, rate *gridColumn
}

// ruleCellsOf are the cells of one of our rules.
func (m *Model) ruleCellsOf(c *ruleColumns, r collector.RuleSpec, chosen bool) {
	st, known := m.worstOf(r.Name)
	m.ruleCells(c.name, r, st, known, chosen)
	look, words := m.ruleState(r, st, known)
	c.state.put(look, words)
	where, is := "", ""
	if known && !m.isOff(r) && st.Target.Name != "all" {
		where = fitEnds(verdict.Name(st.Target.Name), 24, m.glyphs.ellipsis)
		if n := m.activeOn(r.Name); n > 1 {
			where += " +" + collector.FormatCount(float64(n-1))
		}
	}
	if known && !m.isOff(r) && r.Both[0] == "" && st.Shown != alerts.Unknown {
		is = st.Value.Against(r.Threshold)
	}
	c.target.put(m.styles.plain, where)
	c.server.put(m.styles.plain, "")
	c.value.put(m.plainOr(st.Active()), is)
	if r.Both[0] != "" {
		c.threshold.put(m.styles.dim, "both fire")
		c.keep.put(m.styles.dim, "")
		c.floor.put(m.styles.dim, "")
		c.rate.put(m.styles.dim, "")
		return
	}
	numbers := m.styles.plain
	if r.Off {
		numbers = m.styles.dim
	}
	c.threshold.put(numbers, r.Compare.String()+" "+collector.FormatThreshold(r.Threshold, m.ruleUnit(r))+" for "+collector.FormatInterval(r.For))
	c.keep.put(numbers, collector.FormatInterval(r.KeepFiring))
	c.floor.put(numbers, collector.FormatThreshold(r.MinTraffic, collector.PerSecond))
	c.rate.put(numbers, m.rateRange())
}

func (m *Model) rowOf(row textRow) *line {
	l := m.line()
	for _, p := range row {
		l.put(p.style, p.text)
	}
	return l
}

// ruleCells is the name of a rule behind its mark.
func (m *Model) ruleCells(name *gridColumn, r collector.RuleSpec, st alerts.Status, known, chosen bool) {
	pointer, sign := " ", " "
	if chosen {
		pointer = m.glyphs.selected
	}
	look, _ := m.ruleState(r, st, known)
	if known && !m.isOff(r) {
		sign = m.glyphs.mark(st.Shown, st.Held)
		if st.Shown == alerts.Unknown {
			sign = m.glyphs.unknown
		} else if sign == " " {
			sign = m.glyphs.ok
		}
	}
	word := collector.Clean(r.Name)
	if m.width < 60 {
		word = ruleWordOf(r)
	}
	if m.tuned(r.Name) {
		word += "*"
	}
	if chosen && look == m.styles.dim {
		look = m.styles.strong
	}
	name.put(look, pointer+" "+sign+" "+word)
}

// ruleState is the state of a rule on its worst target in words, with its style.
func (m *Model) ruleState(r collector.RuleSpec, st alerts.Status, known bool) (style, string) {
	switch {
	case m.isOff(r):
		return m.styles.dim, "off"
	case !known:
		return m.styles.dim, "not judged yet"
	case st.Shown == alerts.Unknown:
		return m.styles.dim, "unknown"
	case !st.Active():
		if st.Held {
			return m.styles.pending, "ok (held)"
		}
		return m.styles.plain, "ok"
	}
	look, words, since := m.styles.pending, st.Shown.String(), st.ActiveAt
	if st.Shown == alerts.Firing {
		look, words, since = m.styles.firing, "FIRING", st.FiredAt
	}
	if !since.IsZero() {
		at := collector.FormatDuration(max(m.at().Sub(since), 0))
		if st.AtLeast {
			at = "≥" + at
		}
		words += " " + at
	}
	if st.Held {
		words += " (held)"
	}
	return look, words
}

// ruleTail is what stands at the end of a rule's row: its history, or why there
// is none.
func (m *Model) ruleTail(l *line, r collector.RuleSpec, at int) {
	room := m.width - at
	if room < leastBand {
		return
	}
	l.pad(m.styles.plain, at)
	st, known := m.worstOf(r.Name)
	if m.isOff(r) || !known || st.Shown == alerts.Unknown && len(m.disturbed(r.Name, 1)) == 0 {
		l.put(m.styles.dim, m.text(fit(m.ruleReason(r, st, known), room-1, m.glyphs.ellipsis)))
		return
	}
	m.charts.spark.Strip(room, &chart.StripSpec{Timing: m.timing(), Band: m.ruleBand(r), Glyphs: m.set, Cursor: m.time.cursor})
	for _, run := range m.charts.spark.Row(0) {
		l.runes(m.classStyle(run, m.styles.area), run.Text)
	}
}

// mostBands bounds how many targets the history of a rule is made of.
const mostBands = 16

// ruleBand is the history of a rule: at each time the state of its worst target.
func (m *Model) ruleBand(r collector.RuleSpec) chart.Band {
	ids := m.disturbed(r.Name, mostBands)
	if len(ids) == 0 {
		return m.band(r, m.targetOf(r.Name))
	}
	var out chart.Band
	for _, id := range ids {
		out.Intervals = append(out.Intervals, m.band(r, id).Intervals...)
	}
	return out
}

// ruleReason says why a rule has no state, or why it has this one.
func (m *Model) ruleReason(r collector.RuleSpec, st alerts.Status, known bool) string {
	switch {
	case r.Off && m.isEarly(r.Name):
		return strings.TrimPrefix(alerts.EarlyReason, "off: ")
	case r.Off:
		return "switched off"
	case m.isOff(r):
		return "one of the two rules that it is made of is off"
	case !known:
		return "from the next reading on"
	case st.Held:
		return st.HeldWhy.String()
	}
	return st.Why.String()
}

// isOff reports whether a rule is not judged: it is off, or a part of it is.
func (m *Model) isOff(r collector.RuleSpec) bool {
	for _, name := range r.Both {
		if part, ok := m.ruleNow(name); ok && part.Off {
			return true
		}
	}
	return r.Off
}

func (m *Model) isEarly(name string) bool {
	for _, r := range alerts.Early() {
		if r.Name == name {
			return true
		}
	}
	return false
}

// rateRange is the range of the rates, as it is written.
func (m *Model) rateRange() string {
	if g := m.shown.Good; g != nil && g.Origin != nil && g.Origin.RateRange > 0 {
		return collector.FormatInterval(g.Origin.RateRange)
	}
	return "–"
}

// ruleDetail says of the rule that is pointed at what the table has no room for.
func (m *Model) ruleDetail() []string {
	r := m.rulesNow()[m.chosenRule()]
	st, known := m.worstOf(r.Name)
	part := func(look style, text string) textRow { return textRow{{look, m.text(text), 0}} }
	var parts []textRow
	if known && !r.Off && r.Both[0] == "" && st.Target.Name != "all" {
		look := m.styles.plain
		if st.Active() {
			look = m.styles.strong
		}
		parts = append(parts, part(look, m.subjectName(collector.Row{Target: st.Target})+" "+st.Value.Against(r.Threshold)))
	}
	if m.isOff(r) || !known || !st.Active() || st.Held {
		if why := m.ruleReason(r, st, known); why != "" {
			word := "reason: "
			if m.isOff(r) {
				word = "off: "
			}
			parts = append(parts, part(m.styles.plain, word+why))
		}
	} else {
		if !st.ActiveAt.IsZero() {
			parts = append(parts, part(m.styles.plain, m.aboveSince(st.ActiveAt, st.AtLeast)))
		}
		if st.Shown == alerts.Pending && r.For > 0 {
			parts = append(parts, part(m.styles.pending, "fires at "+collector.FormatDuration(r.For)))
		}
		if st.Peak.State.HasNumber() && r.Both[0] == "" {
			parts = append(parts, part(m.styles.plain, "peak "+st.Peak.String()))
		}
	}
	if n := m.activeOn(r.Name); n > 1 {
		parts = append(parts, part(m.styles.plain, "on "+collector.FormatCount(float64(n))+" targets"))
	}
	if r.Both[0] != "" {
		parts = append(parts, part(m.styles.plain, "fires while both "+collector.Clean(r.Both[0])+" and "+collector.Clean(r.Both[1])+" fire on a target"))
	} else {
		parts = append(parts, part(m.styles.dim, "keep "+collector.FormatInterval(r.KeepFiring)), part(m.styles.dim, "floor "+collector.FormatThreshold(r.MinTraffic, collector.PerSecond)),
			part(m.styles.dim, "rate "+m.rateRange()))
	}
	parts = append(parts, part(m.styles.dim, "severity "+r.Severity.String()))
	if r.Scope != collector.ScopeTarget {
		parts = append(parts, part(m.styles.dim, "looks at the "+r.Scope.String()))
	}
	if m.tuned(r.Name) {
		parts = append(parts, part(m.styles.pending, "* tuned, not in force: "+m.numbersOf(m.draftOf(r.Name))))
	}
	first := textRow{{m.styles.strong, " " + m.text(collector.Clean(r.Name)), 0}}
	return m.drawn(m.flowing(first, 3, parts))
}

// ruleTime is the time that a judgement is of, as far as the charts show it.
func (m *Model) ruleTime(from, to time.Time) string {
	if from.IsZero() {
		return ""
	}
	return collector.FormatDuration(to.Sub(from).Round(time.Second)) + " in view"
}

package views

import (
	"cmp"
	"slices"
	"time"

	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/collector"
	"stormtop/views/chart"
)

// tuningRows draws the screen on which a rule is tuned: its numbers, what they
// would have done beside what those in force would have, the map around them, and
// the chart with the threshold.
func (m *Model) tuningRows() []string {
	is, ok := m.ruleNow(m.ruling.rule)
	if m.empty() || !ok {
		return m.emptyRows()
	}
	draft := m.draftOf(is.Name)
	a := m.ruling.answers[is.Name]
	above := m.rulesAbove()
	head := append(m.tuneHead(is, draft, a, true), m.tuneTable(is, draft, a)...)
	const figures, land, picture = 0, 1, 2
	blocks := []block{
		figures: {least: len(head), good: len(head), most: len(head), squeezed: true, rows: func(h int) []string { return m.tuneFigures(is, draft, a, h) }},
		picture: {least: 5, good: 7, most: m.height, rows: func(h int) []string {
			if own, ok := m.ownRule(is.Name); ok {
				return m.ownChart(m.width, h, own, is, &draft, a)
			}
			return m.ruleChart(m.width, h, is, m.ruling.target, &draft)
		}},
	}
	if rows := m.landHeight(a.Land); rows > 0 {
		blocks[land] = block{least: 5, good: min(rows, 6), most: min(rows, max(m.height*2/5, 8)), rows: func(h int) []string { return m.landRows(a.Land, is, draft, h) }}
	}
	return m.stacked(above, blocks, []int{figures, land, picture})
}

// tuneFigures are the numbers that are turned, and what they would have done, in
// h rows: of what does not fit the figures of the new numbers stay to the last.
func (m *Model) tuneFigures(is, draft collector.RuleSpec, a trial.Answer, h int) []string {
	head, table := m.tuneHead(is, draft, a, true), m.tuneTable(is, draft, a)
	if len(head)+len(table) > h && len(table) > 3 {
		table = table[:3] // without what warned first
	}
	if len(head)+len(table) > h {
		head = m.tuneHead(is, draft, a, false)
	}
	if len(head) > 1 && len(head)+len(table) > h {
		head = head[:max(h-len(table), 1)]
	}
	if n := h - len(head); n < len(table) {
		table = table[len(table)-max(n, 0):]
	}
	return append(head, table...)
}

// tuneTable are the figures of the numbers in force and of those that are turned.
func (m *Model) tuneTable(is, draft collector.RuleSpec, a trial.Answer) []string {
	if a.Rule == "" {
		return m.drawn([]textRow{{{m.styles.dim, " judging the past" + m.text("…"), 0}}})
	}
	var out []textRow
	if !a.Known {
		return m.drawn(append(out, textRow{{m.styles.plain, " there is nothing to judge it by: " + m.text(cmp.Or(m.unknownWhy(is.Name), "its signal is not exported here")), 0}}))
	}
	t := &grid{m: m}
	name := t.column("", false, 9)
	found := t.column("found", false, 8)
	lead := t.column(leadWord(a.Now.Incidents), true, 7)
	firings := t.column("firings", true, 3)
	firing := t.column("firing", true, 4)
	flaps := t.column("flaps", true, 2)
	wrong := t.column("false alarm", true, 6)
	change := t.column("", false, 5)
	put := func(word string, look style, f tune.Figures, said string) {
		name.put(m.styles.dim, word)
		of, after, apart := m.text("–"), m.text("–"), m.text("–")
		if f.Incidents > 0 || a.Sure {
			apart = collector.FormatDuration(f.False)
		}
		if f.Incidents > 0 {
			of = collector.FormatCount(float64(f.Found)) + " of " + collector.FormatCount(float64(f.Incidents))
		}
		if f.Found > 0 {
			after = collector.FormatDuration(f.Lead)
		}
		found.put(look, of)
		lead.put(look, after)
		firings.put(look, collector.FormatCount(float64(f.Firings)))
		firing.put(look, collector.FormatDuration(f.Firing))
		flaps.put(look, collector.FormatCount(float64(f.Flaps)))
		wrong.put(look, apart)
		change.put(m.styles.strong, said)
	}
	put("before", m.styles.plain, a.Before.Figures, "")
	now, look := a.Now, m.styles.strong
	if !sameNumbers(now.Rule, draft) { // the answer is on its way
		look = m.styles.dim
	}
	put("now", look, now.Figures, m.text(changeOf(a.Before.Figures, now.Figures)))
	out = append(out, t.rows()...)
	if row := m.firstRow(a.First); row != nil {
		out = append(out, row)
	}
	return m.drawn(out)
}

// leadWord heads the time from the start of an incident to firing: of several
// incidents it is the longest, as on the map.
func leadWord(incidents int) string {
	if incidents > 1 {
		return "longest lead"
	}
	return "lead after start"
}

func (m *Model) unknownWhy(rule string) string {
	if r, ok := m.ownRule(rule); ok {
		return cmp.Or(r.Error, "its expression has no sample in this time")
	}
	if st, ok := m.worstOf(rule); ok {
		return st.Why.String()
	}
	return ""
}

// changeOf says in a few words what other numbers change, the most important of it.
func changeOf(before, now tune.Figures) string {
	switch {
	case now.Incidents == 0 && now.Firing > before.Firing:
		return "fires " + collector.FormatDuration(now.Firing-before.Firing) + " more"
	case now.Incidents == 0 && now.Firing < before.Firing:
		return "fires " + collector.FormatDuration(before.Firing-now.Firing) + " less"
	case now.Incidents == 0:
		return ""
	case now.Found < before.Found:
		return "misses " + collector.FormatCount(float64(before.Found-now.Found)) + " more"
	case now.Found > before.Found:
		return "finds " + collector.FormatCount(float64(now.Found-before.Found)) + " more"
	case now.False > before.False:
		return "false alarm +" + collector.FormatDuration(now.False-before.False)
	case now.Found > 0 && now.Lead < before.Lead:
		return collector.FormatDuration(before.Lead-now.Lead) + " earlier"
	case now.False < before.False:
		return "false alarm -" + collector.FormatDuration(before.False-now.False)
	case now.Found > 0 && now.Lead > before.Lead:
		return collector.FormatDuration(now.Lead-before.Lead) + " later"
	case now.Flaps != before.Flaps || now.Firings != before.Firings || now.Firing != before.Firing:
		return "no earlier, no later"
	}
	return ""
}

// firstRow says which rule warned first; nil where nothing did.
func (m *Model) firstRow(list []tune.First) textRow {
	if len(list) == 0 {
		return nil
	}
	row := textRow{{m.styles.dim, " warned first: ", 0}}
	if len(list) == 1 {
		f := list[0]
		if f.Rule == "" {
			return append(row, span{m.styles.plain, "none of the rules that are on", 0})
		}
		text := " after " + collector.FormatDuration(f.Lead)
		switch {
		case f.Next != "" && f.Ahead == 0:
			text += ", with " + m.nameOf(f.Next)
		case f.Next != "":
			text += ", " + collector.FormatDuration(f.Ahead) + " before " + m.nameOf(f.Next)
		}
		return append(row, span{m.styles.strong, m.text(m.nameOf(f.Rule)), 0}, span{m.styles.plain, m.text(text), 0})
	}
	counts := map[string]int{}
	var names []string
	for _, f := range list {
		word := cmp.Or(m.nameOf(f.Rule), "none")
		if counts[word]++; counts[word] == 1 {
			names = append(names, word)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	for i, n := range names {
		look, sep := m.styles.plain, ", "
		if i == 0 {
			look, sep = m.styles.strong, ""
		}
		row = append(row, span{look, sep + m.text(n) + " " + collector.FormatCount(float64(counts[n])) + " of " + collector.FormatCount(float64(len(list))), 0})
	}
	return row
}

// episodesOf turns the firings on a target into a row below a chart.
func (m *Model) episodesOf(list []tune.Episode, id string) []chart.Interval {
	out := []chart.Interval{{From: m.begin(), To: m.edge(), State: chart.OK}}
	for _, e := range list {
		if e.Target.ID != id {
			continue
		}
		if e.Pending.Before(e.Firing) {
			out = append(out, chart.Interval{From: e.Pending, To: e.Firing, State: chart.Pending})
		}
		out = append(out, chart.Interval{From: e.Firing, To: e.Ended, State: chart.Firing})
	}
	return out
}

// shortLead is a time on the map: seconds up to 999, then in minutes and more.
func shortLead(d time.Duration) string {
	if s := int(d / time.Second); s < 1000 {
		return collector.FormatCount(float64(s))
	}
	return collector.FormatDuration(d.Truncate(time.Minute))
}

package views

import (
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/views/chart"
)

// widestOwn bounds the cells of a name or of labels that people chose.
const widestOwn = 32

// ownHeading is what stands above people's own rules; "" where there is nothing
// to say.
func (m *Model) ownHeading() string {
	o := &m.ruling.own
	if len(o.rows) == 0 && o.note == "" {
		return ""
	}
	words := []string{"YOUR OWN"}
	if !o.at.IsZero() {
		words = append(words, "judged at "+m.clock(o.at))
	}
	if o.left > 0 {
		words = append(words, collector.FormatCount(float64(o.left))+" more are left out")
	}
	if o.note != "" {
		words = append(words, o.note)
	}
	return strings.Join(words, "  ")
}

// ownCells are the cells of an own rule in the columns of the table.
func (m *Model) ownCells(c *ruleColumns, i int) {
	r := &m.ruling.own.rows[i]
	pointer := " "
	look, _ := m.ownState(r)
	if at, ok := m.chosenOwn(); ok && at == i {
		pointer = m.glyphs.selected
		if look == m.styles.dim {
			look = m.styles.strong
		}
	}
	sign := m.glyphs.mark(r.State, false)
	if r.Off {
		sign = " "
	} else if r.State == alerts.Unknown {
		sign = m.glyphs.unknown
	} else if sign == " " {
		sign = m.glyphs.ok
	}
	word, numbersLook := fit(r.Name, widestOwn, m.glyphs.ellipsis), m.styles.plain
	if m.tuned(m.ruling.own.ids[i]) {
		word += "*"
	}
	if r.Off {
		numbersLook = m.styles.dim
	}
	c.name.put(look, pointer+" "+sign+" "+word)
	where, is, numbers := "", "", "for "+collector.FormatInterval(r.For)
	if r.State >= alerts.Pending && !r.Off {
		where = m.ownWhere(r, 24)
	}
	if r.HasValue && !r.Off {
		is = m.ownValue(r)
	}
	if r.Tunable {
		numbers = m.ownThreshold(r) + " " + numbers
	}
	c.target.put(m.styles.plain, where)
	look, state := m.ownState(r)
	c.state.put(look, state)
	c.server.put(m.styles.plain, m.ownServer(r))
	c.value.put(m.plainOr(r.State >= alerts.Pending), is)
	c.threshold.put(numbersLook, numbers)
	c.keep.put(numbersLook, collector.FormatInterval(r.Keep))
	c.floor.put(m.styles.plain, "")
	c.rate.put(m.styles.plain, "")
}

func (m *Model) ownWhere(r *OwnRule, room int) string {
	where := fit(r.Labels, room, m.glyphs.ellipsis)
	if r.Active > 1 {
		where += " +" + collector.FormatCount(float64(r.Active-1))
	}
	return where
}

// ownState is the state that we come to, in words, with its style.
func (m *Model) ownState(r *OwnRule) (style, string) {
	if r.Off {
		return m.styles.dim, "off"
	}
	switch r.State {
	case alerts.Firing:
		return m.styles.firing, "FIRING" + m.ownSince(r.Since, r.AtLeast)
	case alerts.Pending:
		return m.styles.pending, "pending" + m.ownSince(r.Since, r.AtLeast)
	case alerts.Inactive:
		return m.styles.plain, "ok"
	}
	return m.styles.dim, "unknown"
}

// ownSince is how long something has been so, at the time of the judgement.
func (m *Model) ownSince(since time.Time, atLeast bool) string {
	if since.IsZero() {
		return ""
	}
	sign := " "
	if atLeast {
		sign = " ≥"
	}
	return sign + collector.FormatDuration(max(m.ruling.own.at.Sub(since).Round(time.Second), 0))
}

// ownServer is the state that the server holds, in its own words.
func (m *Model) ownServer(r *OwnRule) string {
	switch {
	case r.Absent:
		return "not there"
	case r.Server == "":
		return "–"
	}
	return fit(r.Server, 12, m.glyphs.ellipsis) + m.ownSince(r.ServerSince, false)
}

func (m *Model) ownThreshold(r *OwnRule) string {
	return r.Compare.String() + " " + collector.FormatThreshold(r.Threshold, collector.NoUnit)
}

func (m *Model) ownValue(r *OwnRule) string {
	v := collector.Num(r.Value, collector.NoUnit, collector.Exact)
	if r.Tunable {
		return v.Against(r.Threshold)
	}
	return v.String()
}

// ownTail is the history of an own rule, or why there is none.
func (m *Model) ownTail(l *line, r *OwnRule, at int) {
	room := m.width - at
	if room < leastBand {
		return
	}
	l.pad(m.styles.plain, at)
	if r.Off {
		l.put(m.styles.dim, "switched off")
		return
	}
	if r.Error != "" && len(r.History) == 0 {
		l.put(m.styles.dim, m.text(fit(r.Error, room-1, m.glyphs.ellipsis)))
		return
	}
	m.charts.spark.Strip(room, &chart.StripSpec{Timing: m.timing(), Band: ownBand(r), Glyphs: m.set, Cursor: m.time.cursor})
	for _, run := range m.charts.spark.Row(0) {
		l.runes(m.classStyle(run, m.styles.area), run.Text)
	}
}

// ownDetail says of an own rule what the table has no room for.
func (m *Model) ownDetail(r *OwnRule) []string {
	part := func(look style, text string) textRow { return textRow{{look, m.text(text), 0}} }
	look, state := m.ownState(r)
	parts := []textRow{part(look, state)}
	if where := m.ownWhere(r, m.width-12); r.State >= alerts.Pending && !r.Off && where != "" {
		parts = append(parts, part(m.styles.strong, where))
	}
	if r.HasValue && !r.Off {
		parts = append(parts, part(m.styles.plain, "value "+m.ownValue(r)))
	}
	server := "server: " + m.ownServer(r)
	if !r.Absent && r.Server == "" {
		server = "what the server says of it is not known"
	}
	if m.ruling.own.served {
		parts = append(parts, part(m.styles.plain, server))
	}
	parts = append(parts, part(m.styles.dim, "from "+fit(r.From, max(m.width-12, 1), m.glyphs.ellipsis)),
		part(m.styles.dim, "keep "+collector.FormatInterval(r.Keep)))
	if r.Severity != "" {
		parts = append(parts, part(m.styles.dim, "severity "+fit(r.Severity, widestOwn, m.glyphs.ellipsis)))
	}
	if r.Changed {
		parts = append(parts, part(m.styles.pending, "not the numbers that it was read with"))
	}
	if name := ownPrefix + r.ID; m.tuned(name) {
		parts = append(parts, part(m.styles.pending, "* tuned, not in force: "+m.numbersOf(m.draftOf(name))))
	}
	first := textRow{{m.styles.strong, " " + m.text(fit(r.Name, max(m.width-2, 1), m.glyphs.ellipsis)), 0}}
	out := m.flowing(first, 3, parts)
	say := func(st style, sentence string) {
		for _, text := range wrap(m.text(sentence), m.width-4) {
			out = append(out, textRow{{m.styles.plain, "   ", 0}, {st, text, 0}})
		}
	}
	if r.Error != "" {
		say(m.styles.pending, r.Error)
	}
	switch {
	case !m.ruling.own.served: // the error says so
	case r.Off && r.From == "server":
		say(m.styles.dim, "It is off here alone: the server goes on with it.")
	case r.Off:
		say(m.styles.dim, "It is off here alone: its file keeps it.")
	case !r.Tunable:
		say(m.styles.dim, "Its expression ends in no comparison with a number: for and keep can be tuned.")
	}
	return m.drawn(out)
}

// ownLines are people's own rules with their states, one a line.
func (m *Model) ownLines() []string {
	var out []string
	for i := range m.ruling.own.rows {
		r := &m.ruling.own.rows[i]
		_, state := m.ownState(r)
		where, is, numbers := "", "", ""
		if r.State >= alerts.Pending {
			where = r.Labels
		}
		if r.HasValue {
			is = m.ownValue(r)
		}
		if r.Tunable {
			numbers = m.ownThreshold(r) + " "
		}
		numbers += "for " + collector.FormatInterval(r.For)
		out = append(out, strings.Join(nonEmpty(r.Name, state, "server: "+m.ownServer(r), where, is, numbers, r.From, r.Error), "  "))
	}
	return out
}

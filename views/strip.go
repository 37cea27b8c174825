package views

import (
	"strings"

	"stormtop/alerts/watch"
	"stormtop/collector"
)

// compared are the signals of the strip in their order, and how much each
// matters where not all of them fit.
var compared = [...]struct {
	signal collector.Signal
	name   string
	weight int
}{
	{collector.Amplification, "", 9},
	{collector.Downstream, "attempts", 6},
	{collector.Ingress, "ingress", 5},
	{collector.Delivered, "delivered", 7},
	{collector.PoolWait, "pool wait", 4},
}

// Least sizes of a screen with a strip, and with one of two lines.
const (
	stripWidth, stripHeight = 60, 16
	secondLine              = 20
)

// comparing is what the comparison with a mark is about.
type comparing struct {
	mark    collector.Mark
	subject collector.Target // ID "": not known, the present subject is as good
}

// setMarked notes what the screen is about when a mark is made on it.
func (m *Model) setMarked(mark collector.Mark) {
	if row := m.subject(); row.Target.ID != "" {
		m.marked = comparing{mark, row.Target}
	}
}

// compareOf is what is compared with a mark: what the user has chosen, else what
// the screen was about when the mark was made, whatever is worst by now.
func (m *Model) compareOf(mark collector.Mark) collector.Row {
	screen := m.path.screen()
	if _, ok := m.row(m.selected); ok && m.selected != "" || screen == drilled || screen == targets {
		return m.subject()
	}
	if !m.marked.mark.At.Equal(mark.At) || m.marked.mark.Text != mark.Text { // made elsewhere, or in another run
		m.marked = comparing{mark: mark}
		if was, ok := m.base.At(mark.At); ok {
			m.marked.subject = was.Worst.Target
		}
		if m.marked.subject.ID == "" {
			m.marked.subject = m.subject().Target
		}
	}
	if row, ok := m.row(m.marked.subject.ID); ok {
		return row
	}
	return collector.Row{Target: m.marked.subject}
}

// strip compares its subject before the newest mark with now, in at most two
// lines; none on small screens, and where nothing is known of before.
func (m *Model) strip() []string {
	if len(m.shown.Marks) == 0 || m.width < stripWidth || m.height < stripHeight {
		return nil
	}
	mark := m.shown.Marks[len(m.shown.Marks)-1]
	row := m.compareOf(mark)
	c := watch.Compare(m.shown, row.Target.ID, mark)
	if !c.Known() {
		return nil
	}
	lines := 1
	if m.height >= secondLine {
		lines = 2
	}
	parts := m.stripParts(row, c)
	var out []string
	for {
		if out = m.layStrip(parts); len(out) <= lines || len(parts) <= 2 {
			return out[:min(len(out), lines)]
		}
		parts = withoutLeast(parts)
	}
}

// stripParts are the parts of the strip, the lighter ones to be left out first. The
// target is named where there are others; where there is little room, only if the
// verdict is about another one.
func (m *Model) stripParts(row collector.Row, c watch.Comparison) []span {
	name := collector.Clean(c.Mark.Text)
	name = fit(name, m.width/3, m.glyphs.ellipsis)
	lead := `since "` + name + `"`
	if name == "" {
		lead = "since the mark of " + m.clock(c.Mark.At)
	}
	lead += " " + collector.FormatDuration(c.Since)
	if name := m.subjectName(row); len(m.shown.Order) > 1 && name != "" && (m.width >= 100 || row.Target.ID != m.said.TargetID) {
		lead += ", " + fit(name, max(m.width/5, 12), m.glyphs.ellipsis)
	}
	lead += ":"
	out := []span{{m.styles.strong, m.text(lead), 10}}
	for _, x := range compared {
		before, now := row, row
		before.Values, now.Values = c.Before, c.Now
		if is := now.Values[x.signal].State; before.Values[x.signal].State == collector.Missing && (is == collector.Missing || is == collector.Failed) {
			continue // not exported
		}
		text := fromTo(m.number(before, x.signal), m.number(now, x.signal))
		if x.name != "" {
			text = x.name + " " + text
		}
		out = append(out, span{m.styles.plain, m.text(text), x.weight})
	}
	if c.Older > 0 {
		text := collector.FormatDuration(c.Older) + " of the rate range are still from before the mark"
		if m.width < 120 {
			text = collector.FormatDuration(c.Older) + " of the rate range are from before"
		}
		out = append(out, span{m.styles.pending, m.text(text), 8})
	}
	if c.LeftOut > 0 {
		of := collector.FormatCount(float64(c.LeftOut)) + " of " + collector.FormatCount(float64(c.LeftOut+c.Counted))
		out = append(out, span{m.styles.dim, of + " readings before it left out", 2})
	}
	return out
}

// fromTo writes two numbers of one unit: "4,955 → 2,617/s", the unit once where
// it is a rate.
func fromTo(before, now string) string {
	if strings.HasSuffix(before, "/s") && strings.HasSuffix(now, "/s") {
		before = strings.TrimSuffix(before, "/s")
	}
	return before + " → " + now
}

// layStrip breaks the parts to lines; those behind the first are set in.
func (m *Model) layStrip(parts []span) []string {
	var out []string
	l := m.line().put(m.styles.plain, "  ")
	for i, p := range parts {
		if i > 0 && textWidth(p.text)+2 > l.room() {
			out = append(out, l.String())
			l = m.line().put(m.styles.plain, "    ")
		}
		if i == 1 {
			l.put(m.styles.plain, " ")
		} else {
			l.put(m.styles.plain, " ")
			if i > 1 {
				l.put(m.styles.plain, " ")
			}
		}
		l.put(p.style, p.text)
	}
	return append(out, l.String())
}

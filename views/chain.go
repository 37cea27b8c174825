package views

import (
	"math"
	"strings"

	"stormtop/collector"
)

// chainRows draws the Chain: what each layer makes of a request, the ratio at the
// edge against the product and the worst case, where to cut first, and the
// limits of every hop. What does not fit is scrolled to.
func (m *Model) chainRows() []string {
	if m.empty() || m.rig.shown == nil {
		return m.emptyRows()
	}
	if m.height == 2 {
		return []string{m.verdictRow(), m.edgeLine()}
	}
	above := m.rigAbove("CHAIN", 44, "")
	text := m.drawn(m.own(m.chainText()))
	room := max(m.height-len(above)-1, 0)
	m.rig.charted = false
	if left := room - len(text) - 1; left >= leastRatio {
		m.rig.charted = true
		text = append(append(text, ""), m.rigChart(left)...)
	}
	return m.scrolled(above, text)
}

// chainText are the parts of the Chain in their order.
func (m *Model) chainText() []textRow {
	out := m.edgeRows()
	services, classes := m.serviceRows(), m.classRows()
	if at := widest(services) + 6; len(classes) > 0 && at+widest(classes) < m.width {
		services, classes = m.beside(services, classes, at), nil
	}
	for _, part := range [][]textRow{m.funnelRows(), m.numberRows(), services, m.limitRows(), classes} {
		if len(part) > 0 {
			out = append(append(out, textRow{}), part...)
		}
	}
	return out
}

// edgeRows compare the ratio at the edge with the product of the gains and with
// the worst case.
func (m *Model) edgeRows() []textRow {
	r := m.rig.shown
	s := &m.styles
	first := textRow{{s.strong, " EDGE ", 0}, {s.strong, m.text(figure(r.Measured, collector.Ratio)), 0}}
	parts := []textRow{{{s.dim, "mean of " + m.meanOf(), 0}}}
	if len(r.Hops) > 0 {
		parts = append(parts, textRow{{s.plain, m.text(product(r)), 0}})
	}
	parts = append(parts, textRow{{s.dim, "worst case ", 0}, {s.plain, m.text(worstCase(r)), 0}})
	if text := boundedWhole(r); text != "" {
		parts = append(parts, textRow{{s.plain, m.text(text), 0}})
	}
	parts = append(parts, textRow{{s.dim, "wasted work ", 0}, {m.wastedStyle(), m.text(figure(r.Wasted, collector.Fraction)), 0}})
	return append(m.flowing(first, 5, parts), m.roomRows()...)
}

// roomRows say what the retries that are permitted leave of the last service for
// the requests of users, and what follows from it.
func (m *Model) roomRows() []textRow {
	r, s := &m.rig.shown.Room, &m.styles
	if r.Service == "" {
		return nil
	}
	part := func(word string, f float64, unit collector.Unit) textRow {
		return textRow{{s.dim, word + " ", 0}, {s.plain, m.text(figure(f, unit)), 0}}
	}
	hidden := part("hidden capacity", r.Hidden, collector.PerSecond)
	if r.Most > 1 {
		hidden = append(hidden, span{s.dim, m.text(" = " + figure(r.Capacity, collector.PerSecond) + " / " + most(r.Most)), 0})
	}
	margin, look, so := r.Margin(), s.plain, ": no storm can keep itself alive"
	if margin < 1 {
		look, so = s.pending, ": a storm can keep itself alive"
	}
	parts := []textRow{part("organic", r.Organic, collector.PerSecond)}
	if m.width >= 100 { // else the attempts at the last layer say it
		parts = append(parts, part("system", r.System, collector.PerSecond))
	}
	parts = append(parts, hidden, textRow{{s.dim, "margin ", 0}, {look, m.text(figure(margin, collector.Ratio) + so), 0}})
	return m.flowing(textRow{{s.strong, " LOAD", 0}, {s.dim, m.text(" of " + r.Service), 0}}, 5, parts)
}

// meanOf is the time that the numbers of the simulation are the means of.
func (m *Model) meanOf() string { return collector.FormatInterval(m.rig.shown.Mean) }

// wastedStyle is that of the share of work that nobody waits for.
func (m *Model) wastedStyle() style {
	if m.rig.shown.Wasted > 0 {
		return m.styles.strong
	}
	return m.styles.dim
}

// edgeLine is the Chain in one line.
func (m *Model) edgeLine() string {
	r := m.rig.shown
	st, lead := m.styles.strong, " EDGE "
	if m.isTruth() {
		st, lead = m.styles.dim, " not measured: EDGE "
	}
	l := m.line().put(st, m.text(lead+figure(r.Measured, collector.Ratio)))
	return l.put(m.styles.plain, m.text("  worst "+most(r.Worst))).String()
}

// funnelRows draw the layers from the edge inwards, each with the attempts that
// arrive at it, as bars on one scale, and the gain of the hop that leads to it,
// beside its fan-out where there is one. All of it is of one time, which the
// heading says.
func (m *Model) funnelRows() []textRow {
	r := m.rig.shown
	if len(r.Hops) == 0 {
		return nil
	}
	s := &m.styles
	cutAt, cuts := r.Cut()
	title := "LAYER"
	if m.width >= 72 {
		title += ", means of " + m.meanOf()
	}
	name, top := max(textWidth(m.text(r.Hops[0].From))+1, len(title)), r.Ingress
	fan, calls, attempts, gain, note := 0, len("CALLS"), len("ATTEMPTS"), len("GAIN"), 0
	for i := range r.Hops {
		h := &r.Hops[i]
		name = max(name, textWidth(m.text(h.To))+arrow(m, i)+1)
		calls = max(calls, textWidth(m.text(figure(h.Requests, collector.PerSecond))))
		attempts = max(attempts, textWidth(m.text(figure(h.Attempts, collector.PerSecond))))
		gain = max(gain, textWidth(m.text(figure(h.Gain, collector.Ratio))))
		if h.FanOut != 1 {
			fan = max(fan, len("FAN-OUT"), textWidth(m.text(figure(h.FanOut, collector.Ratio))))
		}
		top = highest(top, h.Attempts)
	}
	if cuts {
		note = textWidth(m.cutNote(cutAt))
	}
	name = min(name, max(m.width/3, 8))
	fixed := 1 + name + 2 + attempts + 2 + gain
	withCalls := m.width >= 72
	if withCalls {
		fixed += calls + 2
	}
	if fan > 0 {
		fixed += fan + 2
	}
	bar := m.width - 1 - fixed - 2
	if bar-note-2 >= leastCourse {
		bar -= note + 2
	} else {
		note = 0
	}
	bar = min(bar, 64)
	row := func(label, fanning, calling, arriving, gained string, st style, of float64) textRow {
		out := textRow{{s.plain, " ", 0}, m.cell(s.plain, label, name, false)}
		if fan > 0 {
			out = append(out, span{s.plain, "  ", 0}, m.cell(s.plain, fanning, fan, true))
		}
		if withCalls {
			out = append(out, span{s.plain, "  ", 0}, m.cell(s.dim, calling, calls, true))
		}
		out = append(out, span{s.plain, "  ", 0}, m.cell(st, arriving, attempts, true))
		out = append(out, span{s.plain, "  ", 0}, m.cell(st, gained, gain, true))
		if bar > 0 {
			out = append(out, span{s.plain, "  ", 0}, m.cell(s.area, m.bar(of, top, bar), bar, false))
		}
		return out
	}
	head := row(title, "FAN-OUT", "CALLS", "ATTEMPTS", "GAIN", s.dim, 0)
	head[1].style = s.strong
	out := []textRow{head, row(fitEnds(m.text(r.Hops[0].From), name, m.glyphs.ellipsis), "", "", m.text(figure(r.Ingress, collector.PerSecond)), "", s.plain, r.Ingress)}
	for i := range r.Hops {
		h := &r.Hops[i]
		st := s.plain
		if cuts && i == cutAt {
			st = s.strong
		}
		before := spaces(arrow(m, i)-textWidth(m.text("→ "))) + m.text("→ ")
		line := row(before+fitEnds(m.text(h.To), name-textWidth(before), m.glyphs.ellipsis), m.text(figure(h.FanOut, collector.Ratio)), m.text(figure(h.Requests, collector.PerSecond)),
			m.text(figure(h.Attempts, collector.PerSecond)), m.text(figure(h.Gain, collector.Ratio)), st, h.Attempts)
		if cuts && i == cutAt && note > 0 {
			line = append(line, span{s.plain, "  ", 0}, span{s.pending, m.cutNote(cutAt), 0})
		}
		out = append(out, line)
	}
	if cuts && note == 0 {
		first, saves := " "+m.text("cut first: "), m.text(", saves "+figure(r.Hops[cutAt].Saves, collector.PerSecond))
		hop := m.hopName(&r.Hops[cutAt], m.width-textWidth(first+saves))
		out = append(out, textRow{{s.pending, first + hop + saves, 0}})
	}
	return out
}

// arrow is the cells in front of the name of the layer behind hop i.
func arrow(m *Model, i int) int { return min(i, 3) + textWidth(m.text("→ ")) }

// cutNote says at a hop that it is the one to cut first, and what that saves.
func (m *Model) cutNote(i int) string {
	return m.text("← cut here first: saves " + figure(m.rig.shown.Hops[i].Saves, collector.PerSecond))
}

// hopName is a hop by its layers in so many cells, of which each layer has half
// where both are too long.
func (m *Model) hopName(h *collector.RigHop, width int) string {
	from, arrow, to := m.text(h.From), m.text(" → "), m.text(h.To)
	if over := textWidth(from+arrow+to) - width; over > 0 {
		each := (width - textWidth(arrow)) / 2
		from = fitEnds(from, max(each, width-textWidth(arrow+to)), m.glyphs.ellipsis)
		to = fitEnds(to, width-textWidth(from+arrow), m.glyphs.ellipsis)
	}
	return from + arrow + to
}

// bar is a bar for a number of which the longest bar stands for another one.
func (m *Model) bar(f, longest float64, width int) string {
	if !(f > 0) || !(longest > 0) || width <= 0 {
		return ""
	}
	return strings.Repeat(m.glyphs.bar, max(int(math.Round(min(f/longest, 1)*float64(width))), 1))
}

package views

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"stormtop/collector"
	"stormtop/views/verdict"
)

// rigging is the running simulation as the screens chain and lab show it.
type rigging struct {
	live    *collector.Rig // the newest
	shown   *collector.Rig // the one on the screen: live, or the one of the frozen picture
	pointed pointed
	charted bool // the frame that was drawn last has a chart of the time
}

// steers reports whether there is a simulation that keys steer.
func (m *Model) steers() bool { return m.opt.Rig != nil && m.rig.live != nil }

// rigged takes a picture of the simulation, and shows it unless the screen is
// frozen.
func (m *Model) rigged(r *collector.Rig) {
	m.rig.live = tidy(r)
	if m.rig.live != nil && m.rig.live.Speed == m.playing.speed {
		m.playing.speed = 0
	}
	if !m.frozen {
		m.rig.shown = m.rig.live
	}
	if s := m.path.screen(); s == chain || s == lab {
		m.fresh = false
	}
}

// tidy is a copy that may be drawn: its texts are clean, its levers have a
// column. What goes back to the simulation stays as it is.
func tidy(r *collector.Rig) *collector.Rig {
	if r == nil {
		return nil
	}
	out := *r
	clean := func(texts ...*string) {
		for _, t := range texts {
			*t = collector.Clean(*t)
		}
	}
	clean(&out.Scenario, &out.Title, &out.Look, &out.Room.Service, &out.Outcome)
	out.Layers, out.Faults, out.Repairs = slices.Clone(r.Layers), slices.Clone(r.Faults), slices.Clone(r.Repairs)
	out.Hops, out.Services, out.Classes = slices.Clone(r.Hops), slices.Clone(r.Services), slices.Clone(r.Classes)
	out.Peers = slices.Clone(r.Peers)
	for i := range out.Layers {
		clean(&out.Layers[i])
	}
	out.Levers = slices.DeleteFunc(slices.Clone(r.Levers), func(l collector.Lever) bool { return l.Layer < 0 || l.Layer >= len(r.Layers) })
	for i := range out.Levers {
		clean(&out.Levers[i].Row, &out.Levers[i].Value)
	}
	for i := range out.Faults {
		clean(&out.Faults[i].Title)
	}
	for i := range out.Repairs {
		clean(&out.Repairs[i].Title)
	}
	for i := range out.Hops {
		h := &out.Hops[i]
		clean(&h.From, &h.To, &h.Policy, &h.Formula, &h.Breaker)
	}
	for i := range out.Services {
		clean(&out.Services[i].Name, &out.Services[i].State)
	}
	for i := range out.Classes {
		clean(&out.Classes[i].Name)
	}
	for i := range out.Peers {
		clean(&out.Peers[i].Name)
	}
	if r.Effect != nil {
		e := *r.Effect
		e.Figures = slices.Clone(e.Figures)
		clean(&e.Text)
		for i := range e.Figures {
			clean(&e.Figures[i].Name, &e.Figures[i].Of)
		}
		out.Effect = &e
	}
	return &out
}

// figure formats a number of the simulation; NaN is not known, which is no zero.
func figure(f float64, unit collector.Unit) string {
	if math.IsNaN(f) {
		return "–"
	}
	return collector.Num(f, unit, collector.Exact).String()
}

// shareOf formats a share of the requests, of which more than all is "100%+".
func shareOf(f float64) string {
	if math.IsNaN(f) {
		return "–"
	}
	return verdict.Share(collector.Num(f, collector.Fraction, collector.Exact))
}

// bare is a figure without its unit.
func bare(f float64, unit collector.Unit) string {
	return strings.TrimRight(figure(f, unit), "x/s%")
}

// most formats a ratio that is a whole number: "27x".
func most(f float64) string {
	if math.IsInf(f, 0) {
		return "∞"
	}
	return collector.FormatThreshold(f, collector.Ratio)
}

// rigTitle is the line that names screen and scenario, how far it is at its
// right.
func (m *Model) rigTitle(word string) string {
	r := m.rig.shown
	at := "t=" + collector.FormatDuration(r.At)
	if r.Length > 0 {
		at += " of " + collector.FormatDuration(r.Length)
	}
	right := at + "  seed " + strconv.FormatInt(r.Seed, 10)
	if m.width < 40 {
		right = at
	}
	l := m.line().put(m.styles.strong, " "+word+"  ")
	room := m.width - textWidth(right) - 2
	if room < len(word)+8 {
		return l.put(m.styles.plain, m.text(r.Scenario)).String()
	}
	l.put(m.styles.plain, fit(m.text(r.Scenario), room-l.used, m.glyphs.ellipsis))
	if r.Title != "" && room-l.used > 16 {
		l.put(m.styles.dim, "  "+fit(m.text(r.Title), room-l.used-3, m.glyphs.ellipsis))
	}
	return l.pad(m.styles.plain, room+1).put(m.styles.plain, right).String()
}

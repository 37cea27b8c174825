package views

import (
	"math"
	"strconv"

	"stormtop/collector"
)

// numberRows draw the attempts at the last hop by their number.
func (m *Model) numberRows() []textRow {
	r := m.rig.shown
	if len(r.Hops) == 0 {
		return nil
	}
	h := &r.Hops[len(r.Hops)-1]
	if len(h.ByAttempt) == 0 {
		return nil
	}
	top := 0.0
	for _, f := range h.ByAttempt {
		top = highest(top, f)
	}
	first := textRow{{m.styles.strong, " AT " + m.text(h.To), 0}, {m.styles.dim, "  attempt", 0}}
	bar := min(max((m.width-first.width()-1)/len(h.ByAttempt)-14, 0), 16)
	if bar < 3 {
		bar = 0
	}
	parts := make([]textRow, len(h.ByAttempt))
	for i, f := range h.ByAttempt {
		parts[i] = textRow{{m.styles.strong, strconv.Itoa(i + 1), 0}, {m.styles.area, " " + m.bar(f, top, bar), 0}}
		if bar > 0 {
			parts[i] = append(parts[i], span{m.styles.plain, " ", 0})
		}
		parts[i] = append(parts[i], span{m.styles.plain, m.text(figure(f, collector.PerSecond)), 0})
	}
	return m.flowing(first, 3, parts)
}

// limitRows say of every hop what limits it, and in which state that is.
func (m *Model) limitRows() []textRow {
	r, s := m.rig.shown, &m.styles
	t := grid{m: m}
	hop := t.column("HOP", false, 9)
	policy := t.column("POLICY", false, 4)
	bound := t.column("AT MOST", true, 8)
	budget := t.column("BUDGET", false, 6)
	formula := t.column("FORMULA", false, 1)
	breaker := t.column("BREAKER", false, 7)
	pool := t.column("POOL", false, 5)
	wait := t.column("WAIT", true, 3)
	refused := t.column("REFUSED", true, 2)
	for i := range r.Hops {
		h := &r.Hops[i]
		hop.put(s.plain, m.hopName(h, max(m.width/3, 16))) // what limits it is seen beside it
		policy.put(s.plain, h.Policy)
		limited := ""
		if h.Bound < float64(h.Permitted) {
			limited = figure(h.Bound, collector.Ratio)
		}
		bound.put(s.strong, limited)
		left, st := "none", s.dim
		if h.Formula != "" || !math.IsNaN(h.Budget) {
			left, st = figure(h.Budget, collector.Fraction)+" left", s.plain
			if h.Budget <= 0 {
				left, st = "used up", s.pending
			}
		}
		budget.put(st, left)
		formula.put(s.dim, h.Formula)
		breaker.put(m.breakerStyle(h), breakerText(h))
		pool.put(m.poolStyle(h), poolText(h))
		waited := "–"
		if h.PoolSize > 0 {
			waited = h.PoolWait.String()
		}
		wait.put(s.plain, waited)
		refused.put(s.plain, figure(h.Refused, collector.PerSecond))
	}
	return t.rows()
}

// breakerText is the state of a breaker, and what it lets pass where that is not
// all.
func breakerText(h *collector.RigHop) string {
	switch {
	case h.Breaker == "":
		return "none"
	case h.Passing < 1 && h.Passing > 0:
		return h.Breaker + ", " + figure(h.Passing, collector.Fraction) + " pass"
	}
	return h.Breaker
}

func (m *Model) breakerStyle(h *collector.RigHop) style {
	switch h.Breaker {
	case "":
		return m.styles.dim
	case "closed":
		return m.styles.plain
	}
	return m.styles.pending
}

// poolText is how much of a pool is used, and who waits for it.
func poolText(h *collector.RigHop) string {
	if h.PoolSize <= 0 {
		return "none"
	}
	text := collector.FormatCount(float64(h.PoolUsed)) + "/" + collector.FormatCount(float64(h.PoolSize))
	if h.PoolQueue > 0 {
		text += ", " + collector.FormatCount(float64(h.PoolQueue)) + " wait"
	}
	return text
}

func (m *Model) poolStyle(h *collector.RigHop) style {
	switch {
	case h.PoolSize <= 0:
		return m.styles.dim
	case h.PoolUsed >= h.PoolSize:
		return m.styles.pending
	}
	return m.styles.plain
}

// serviceRows say how busy the services are.
func (m *Model) serviceRows() []textRow {
	r, s := m.rig.shown, &m.styles
	t := grid{m: m}
	name := t.column("SERVICE, now", false, 9)
	busy := t.column("BUSY", true, 7)
	slots := t.column("OF", false, 6)
	queue := t.column("QUEUE", true, 8)
	p99 := t.column("P99", true, 5)
	state := t.column("STATE", false, 4)
	for i := range r.Services {
		v := &r.Services[i]
		st, of := s.plain, "no limit"
		if v.Slots > 0 {
			of = collector.FormatCount(float64(v.Slots))
			if v.Busy >= v.Slots {
				st = s.pending
			}
		}
		name.put(s.plain, v.Name)
		busy.put(st, collector.FormatCount(float64(v.Busy)))
		slots.put(s.dim, of)
		waits := s.plain
		if v.Queued > 0 {
			waits = s.strong
		}
		queue.put(waits, collector.FormatCount(float64(v.Queued)))
		p99.put(s.plain, v.P99.String())
		state.put(st, v.State)
	}
	return t.rows()
}

// classRows say how the user requests fare.
func (m *Model) classRows() []textRow {
	r, s := m.rig.shown, &m.styles
	t := grid{m: m}
	name := t.column("REQUESTS OF", false, 9)
	ingress := t.column("INGRESS", true, 6)
	delivered := t.column("DELIVERED", true, 8)
	pending := t.column("PENDING", true, 7)
	for i := range r.Classes {
		c := &r.Classes[i]
		name.put(s.plain, c.Name)
		ingress.put(s.plain, figure(c.Ingress, collector.PerSecond))
		delivered.put(s.strong, shareOf(c.Delivered))
		pending.put(s.plain, collector.FormatCount(float64(c.Pending)))
	}
	return t.rows()
}

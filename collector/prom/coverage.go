package prom

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/promql"
)

const (
	lookEvery   = 10              // polls between two looks at who reports
	lookAgainAt = 3               // polls after which a fall of the rates is worth another look
	fallen      = 0.8             // of the rate at the last look, below which a side has fallen
	acceptAfter = 5 * time.Minute // after which fewer reporters are the usual ones
	manyTargets = 1000            // targets beyond which the past is not asked who reported
)

// coverage is who reports the two sides of a system's targets. A side that lost
// reporters looks like one that calmed down, so that it is marked as partial.
type coverage struct {
	begun bool
	polls int // since the last look
	sides [2]map[string]*presence
}

// presence is the reporters of one side of one target.
type presence struct {
	now, usual int
	rate       float64   // the largest of the side since the last look
	ratio      float64   // attempts a request, the largest since then; with the downstream side
	before     float64   // the same at that look
	low        time.Time // since when fewer than usual are there; zero: they are not
}

func (p *presence) short() bool {
	return collector.Reporters{Now: p.now, Usual: p.usual}.Short()
}

// short is conditions.short.
func (c *coverage) short(id string) (ingress, downstream bool) {
	of := func(side int) bool { p := c.sides[side][id]; return p != nil && p.short() }
	return of(0), of(1)
}

// anyShort reports whether some side of some target lacks reporters.
func (c *coverage) anyShort() bool {
	for _, side := range c.sides {
		for id, p := range side {
			if id != all && p.short() {
				return true
			}
		}
	}
	return false
}

// due reports whether the reporters are to be looked at with this poll: at the
// start, from time to time, while some are away, and at once when a side has
// fallen, alone or against the other.
func (c *coverage) due(rows []collector.Row) bool {
	c.polls++
	fell := false
	for i := range rows {
		for side, sig := range measure.Sides {
			p := c.sides[side][rows[i].Target.ID]
			v, ok := rows[i].Values[sig].Number()
			if p == nil || !ok {
				continue
			}
			p.rate = max(p.rate, v) // those of a young series still rise
			fell = fell || p.now > 1 && v < p.rate*fallen
		}
		fell = fell || c.tilted(&rows[i])
	}
	return !c.begun || c.polls >= lookEvery || c.anyShort() || fell && c.polls >= lookAgainAt
}

// tilted reports whether the ratio of a target has moved as it does when one side
// loses reporters.
func (c *coverage) tilted(row *collector.Row) bool {
	p := c.sides[1][row.Target.ID]
	in, okIn := row.Values[collector.Ingress].Number()
	down, okDown := row.Values[collector.Downstream].Number()
	if p == nil || !okIn || !okDown || in <= 0 {
		return false
	}
	ratio := down / in
	p.ratio = max(p.ratio, ratio)
	if p.before == 0 {
		p.before = ratio
	}
	return ratio < p.ratio*fallen || ratio*fallen > p.before
}

// reporterQuery counts the reporters of each target behind a selector; "" where
// the targets have no grouping.
func (p *plan) reporterQuery(sel string) string {
	if p.By == nil || sel == "" {
		return ""
	}
	only, ok := narrowed(sel, "instance", "")
	if !ok {
		return ""
	}
	by := promql.By(p.By)
	if by == "" {
		return fmt.Sprintf("count(count by (instance) (%s))", only)
	}
	if slices.Contains(p.By, "instance") {
		return fmt.Sprintf("count by (%s) (%s)", by, only)
	}
	return fmt.Sprintf("count by (%s) (count by (%s, instance) (%s))", by, by, only)
}

// wholeQuery counts the reporters of all targets behind a selector together.
func wholeQuery(sel string) string {
	only, ok := narrowed(sel, "instance", "")
	if !ok {
		return ""
	}
	return fmt.Sprintf("count(count by (instance) (%s))", only)
}

// all is the key of the reporters of all targets together: one that reports ten
// targets is one reporter.
const all = collector.TotalID

// look finds out who reports, and at the start also who usually does. What fails
// leaves things as they are. rows are those of the sheet that is being filled.
func (s *Source) look(ctx context.Context, sys *system, r *collector.Reading, rows []collector.Row) {
	c := &sys.cover
	in, down := sys.plan.sides()
	if in == down {
		in = ""
	}
	for side, sel := range []string{in, down} {
		query := sys.plan.reporterQuery(sel)
		if query == "" {
			continue
		}
		counts, ok := s.counts(ctx, sys, r, query, false)
		if !ok || len(counts) == 0 && !c.begun {
			continue
		}
		whole, _ := s.counts(ctx, sys, r, wholeQuery(sel), true)
		maps.Copy(counts, whole)
		usual := map[string]float64{}
		if !c.begun && len(rows) <= manyTargets {
			if past, ok := s.counts(ctx, sys, r, overTheLastHour(query), false); ok {
				usual = past
			}
			whole, _ = s.counts(ctx, sys, r, overTheLastHour(wholeQuery(sel)), true)
			maps.Copy(usual, whole)
		}
		c.enter(side, counts, usual, r.At)
	}
	c.begun, c.polls = c.begun || len(rows) > 0, 0 // who reports nothing yet is looked at again
	for i := range rows {
		for side, sig := range measure.Sides {
			if p := c.sides[side][rows[i].Target.ID]; p != nil {
				p.rate, _ = rows[i].Values[sig].Number()
				p.ratio, p.before = 0, 0
			}
		}
	}
}

// overTheLastHour is what a count usually was.
func overTheLastHour(query string) string {
	return fmt.Sprintf("quantile_over_time(0.5, (%s)[1h:5m])", query)
}

// counts asks for one number a target, or for that of all of them.
func (s *Source) counts(ctx context.Context, sys *system, r *collector.Reading, query string, whole bool) (map[string]float64, bool) {
	res := s.q.instant(ctx, query, r.At, len(sys.known))
	addCost(r, res.cost)
	if res.fail != nil {
		return nil, false
	}
	out := make(map[string]float64, len(res.ans.series))
	for i := range res.ans.series {
		v := res.ans.points[res.ans.series[i].end-1].v
		if !math.IsNaN(v) && v >= 0 && v < 1e9 {
			id := all
			if !whole {
				id = sys.plan.target(res.ans.series[i].labels).ID
			}
			out[id] = v
		}
	}
	return out, true
}

// enter takes the answer of a look. More than usual are the usual ones from now
// on; fewer become so when they stay away.
func (c *coverage) enter(side int, counts, usual map[string]float64, at time.Time) {
	if c.sides[side] == nil {
		c.sides[side] = make(map[string]*presence, len(counts))
	}
	for id, n := range counts {
		if c.sides[side][id] == nil {
			c.sides[side][id] = &presence{usual: int(math.Round(usual[id]))}
		}
		c.sides[side][id].now = int(n)
	}
	for id, p := range c.sides[side] {
		if _, ok := counts[id]; !ok {
			p.now = 0
		}
		p.usual = max(p.usual, p.now)
		switch {
		case !p.short():
			p.low = time.Time{}
		case p.low.IsZero():
			p.low = at
		case at.Sub(p.low) >= acceptAfter:
			p.usual, p.low = p.now, time.Time{}
		}
		if p.usual == 0 {
			delete(c.sides[side], id)
		}
	}
}

// reporters is what a reading says of it: both sides as a whole, and those of
// the targets that lack some. The edge pair of a system has the reporters of its
// hops, so that as a whole it is not told.
func (c *coverage) reporters(p *plan) []collector.Reporters {
	var out []collector.Reporters
	for side, sig := range measure.Sides {
		for _, id := range slices.Sorted(maps.Keys(c.sides[side])) {
			if n := c.sides[side][id]; id == all && !p.Edge() || id != all && n.short() {
				out = append(out, collector.Reporters{System: p.Name(), Side: sig, Target: id, Now: n.now, Usual: n.usual})
			}
		}
	}
	return out
}

package prom

import (
	"math"
	"time"

	"stormtop/collector"
	"stormtop/collector/measure"
)

// past holds what range queries brought, column by column, and makes readings
// of it one at a time.
type past struct {
	source   *Source
	origin   *collector.Origin
	parts    []*part // one a system
	spans    []span
	cost     collector.Cost
	pass, at int  // the next reading
	begun    bool // a reading with data was made
	told     bool // the cost was handed out
}

// part is the past of one system.
type part struct {
	system  *system
	targets []collector.Target
	passes  []pass // one a span
}

// pass is a stretch of the past with one step.
type pass struct {
	span
	columns map[collector.Signal]*pastColumn
	totals  map[collector.Signal]*pastColumn // nil: the total is the sum of the targets
	failed  []collector.Signal
}

// pastColumn holds a signal's values by target and step; NaN with a cleared
// bit in known is not known.
type pastColumn struct {
	values  [][]float64 // by target, nil where it has none
	known   [][]bool
	partial bool
}

func newPastColumn(targets int) *pastColumn {
	return &pastColumn{values: make([][]float64, targets), known: make([][]bool, targets)}
}

// put enters the points of a series; those between steps are left out.
func (c *pastColumn) put(target int, points []point, s span) {
	n := s.points()
	if c.values[target] == nil {
		c.values[target], c.known[target] = make([]float64, n), make([]bool, n)
	}
	start, step := s.start.UnixMilli(), s.step.Milliseconds()
	for _, p := range points {
		i := int(math.Round(float64(p.t-start) / float64(step)))
		if i >= 0 && i < n {
			c.values[target][i], c.known[target][i] = p.v, true
		}
	}
}

func (c *pastColumn) get(target, i int) (float64, bool) {
	if c.known[target] == nil || !c.known[target][i] {
		return 0, false
	}
	return c.values[target][i], true
}

// begin makes room for the stretches of a past. Where the targets of a part are
// not all there are, its total is asked for, too.
func (p *past) begin(spans []span) {
	p.spans = spans
	for _, pt := range p.parts {
		pt.passes = nil
		for _, sp := range spans {
			ps := pass{span: sp, columns: map[collector.Signal]*pastColumn{}}
			if len(pt.system.known) > len(pt.targets) {
				ps.totals = map[collector.Signal]*pastColumn{}
			}
			pt.passes = append(pt.passes, ps)
		}
	}
}

// empty reports whether a past holds nothing at all.
func (p *past) empty() bool {
	for _, pt := range p.parts {
		for i := range pt.passes {
			if len(pt.passes[i].columns) > 0 {
				return false
			}
		}
	}
	return true
}

// next makes the next reading, nil when there is none. What lies before the
// first sample of all is left out.
func (p *past) next() *collector.Reading {
	for {
		r := p.reading()
		if r == nil {
			return nil
		}
		if p.begun = p.begun || len(r.Targets) > 0; !p.begun {
			continue
		}
		if !p.told {
			p.told = true
			r.Cost = p.cost
		}
		return r
	}
}

func (p *past) reading() *collector.Reading {
	if p.pass < len(p.spans) && p.at >= p.spans[p.pass].points() {
		p.pass, p.at = p.pass+1, 0
	}
	if p.pass >= len(p.spans) {
		return nil
	}
	sp := p.spans[p.pass]
	r := &collector.Reading{At: sp.start.Add(time.Duration(p.at) * sp.step).UTC(), Origin: p.origin, Past: true}
	c := conditions{baselines: p.origin.Baselines}
	totals := map[*system]*pass{}
	p.source.assemble(r, func(sys *system) measure.Part {
		for _, pt := range p.parts {
			if pt.system != sys {
				continue
			}
			ps := &pt.passes[p.pass]
			totals[sys] = ps
			part, _ := pt.sheet(ps, p.at).finish(c)
			return part
		}
		return measure.Part{System: &sys.plan.System}
	})
	if lead := p.source.systems[0]; !lead.plan.Edge() && totals[lead] != nil && totals[lead].totals != nil {
		p.wholeTotal(r, lead, totals[lead], c)
	}
	p.at++
	return r
}

// sheet fills a sheet with step i of a pass.
func (pt *part) sheet(ps *pass, i int) *sheet {
	sh := newSheet(pt.system.plan, len(pt.targets))
	for _, sig := range ps.failed {
		sh.fail(sig)
	}
	for t := range pt.targets {
		row := -1
		for sig, c := range ps.columns {
			if v, ok := c.get(t, i); ok {
				if row < 0 {
					row = sh.rows.Row(pt.targets[t])
				}
				sh.put(row, sig, v)
			}
			sh.partial[sig] = c.partial
		}
	}
	return sh
}

// wholeTotal replaces the sum over some targets by that over all of them.
func (p *past) wholeTotal(r *collector.Reading, lead *system, ps *pass, c conditions) {
	if r.Total.Target.Kind == collector.Edge && lead.plan.Kind != collector.Edge {
		return // an edge pair is whole as it is
	}
	one := newSheet(lead.plan, 1)
	row := one.rows.Row(collector.Target{ID: "total"})
	for _, sig := range ps.failed {
		one.fail(sig)
	}
	for sig, col := range ps.totals {
		if v, ok := col.get(0, p.at); ok {
			one.put(row, sig, v)
		}
		one.partial[sig] = col.partial
	}
	part, _ := one.finish(c)
	r.Total.Values, r.Total.Baseline = part.Rows[0].Values, part.Rows[0].Baseline
}

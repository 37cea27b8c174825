package prom

import (
	"math"
	"time"

	"stormtop/collector"
)

// past holds what range queries brought, column by column, and makes readings
// of it one at a time.
type past struct {
	plan     *plan
	origin   *collector.Origin
	baseline float64
	targets  []collector.Target
	passes   []pass
	cost     collector.Cost
	pass, at int  // the next reading
	begun    bool // a reading with data was made
	told     bool // the cost was handed out
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

// begin makes room for the stretches of a past; totals says that the total is
// asked for, too, because the targets are not all of them.
func (p *past) begin(spans []span, totals bool) {
	p.passes = nil
	for _, sp := range spans {
		ps := pass{span: sp, columns: map[collector.Signal]*pastColumn{}}
		if totals {
			ps.totals = map[collector.Signal]*pastColumn{}
		}
		p.passes = append(p.passes, ps)
	}
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
	if p.pass < len(p.passes) && p.at >= p.passes[p.pass].points() {
		p.pass, p.at = p.pass+1, 0
	}
	if p.pass >= len(p.passes) {
		return nil
	}
	ps := &p.passes[p.pass]
	r := &collector.Reading{At: ps.start.Add(time.Duration(p.at) * ps.step).UTC(), Origin: p.origin, Past: true}
	sh := newSheet(p.plan, len(p.targets))
	for _, sig := range ps.failed {
		sh.fail(sig)
	}
	for t := range p.targets {
		row := -1
		for sig, c := range ps.columns {
			if v, ok := c.get(t, p.at); ok {
				if row < 0 {
					row = sh.targetRow(p.targets[t])
				}
				sh.put(row, sig, v)
			}
			sh.partial[sig] = c.partial
		}
	}
	r.Targets, r.Total = sh.finish(ages{}, p.baseline)
	if ps.totals != nil {
		one := newSheet(p.plan, 1)
		row := one.targetRow(collector.Target{ID: "total"})
		one.failed, one.partial = sh.failed, sh.partial
		for sig, c := range ps.totals {
			if v, ok := c.get(0, p.at); ok {
				one.put(row, sig, v)
			}
		}
		_, total := one.finish(ages{}, p.baseline)
		r.Total.Values = total.Values
	}
	p.at++
	return r
}

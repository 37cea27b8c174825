package prom

import (
	"slices"
	"strings"

	"stormtop/collector"
)

// assemble puts the rows of all systems into a reading, and makes its total.
// read gives the rows of a system, and the one that stands for it where there
// is none.
func (s *Source) assemble(r *collector.Reading, read func(*system) (rows []collector.Row, blank collector.Row)) {
	var edge *collector.Row
	for i, sys := range s.systems {
		rows, blank := read(sys)
		switch {
		case sys.edge():
			row := blank
			if len(rows) > 0 {
				row = rows[0]
			}
			row.Target = *sys.plan.fixed
			edge = &row
		case i == 0:
			r.Targets = rows
			if len(rows) == 0 { // a row that nobody owns carries what failed
				rows = []collector.Row{blank}
			}
			r.Total = s.total(sys, rows)
		default:
			r.Targets = append(r.Targets, rows...)
		}
	}
	s.edgeless = edge != nil && !whole(edge.Values)
	if edge != nil && !s.edgeless {
		s.enterEdge(r, *edge)
	}
	byName := func(a, b collector.Row) int {
		if c := strings.Compare(a.Target.Name, b.Target.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Target.ID, b.Target.ID)
	}
	slices.SortFunc(r.Targets, byName)
}

// total is the sum of the rows of one system. A derived signal that was named
// directly has none.
func (s *Source) total(sys *system, rows []collector.Row) collector.Row {
	p := sys.plan
	out := collector.Total(rows)
	out.Target.Kind, out.Target.System = p.kind, sys.name()
	for _, sig := range p.signals {
		if !sig.Derived() {
			continue
		}
		out.Values[sig] = collector.Value{}
		if h := &sys.signals[sig]; h.fail != nil {
			out.Values[sig] = collector.Value{State: collector.Failed, Unit: p.units[sig], Trust: p.trust[sig]}
		}
	}
	return out
}

// whole reports whether an edge pair has both sides: with one of them it is none.
func whole(v collector.Values) bool {
	return v[collector.Ingress].State != collector.Missing && v[collector.Downstream].State != collector.Missing
}

// enterEdge makes the total of an edge pair, which is a target of its own as
// well where its ratio can be judged: one that holds fan-out cannot, unless a
// baseline takes that out.
func (s *Source) enterEdge(r *collector.Reading, edge collector.Row) {
	values := r.Total.Values
	for sig := collector.Amplification; sig < collector.NumSignals; sig++ {
		values[sig] = collector.Value{}
	}
	for _, sig := range sideSignals {
		values[sig] = edge.Values[sig]
	}
	values[collector.Retries] = collector.Value{} // those of the hops behind it are not all of them
	values.Derive(edge.Baseline)
	name := r.Total.Target
	name.ID, name.Name, name.Kind, name.System = collector.TotalID, "total", collector.Edge, edge.Target.System
	r.Total = collector.Row{Target: name, Values: values, Baseline: edge.Baseline}
	heuristic := edge.Values[collector.Amplification].Trust == collector.Heuristic
	if !heuristic || edge.Baseline > 0 {
		r.Targets = append(r.Targets, edge)
	}
}

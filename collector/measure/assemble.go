package measure

import (
	"cmp"
	"slices"
	"strings"

	"stormtop/collector"
)

// Part is what was read of one system (System.Finish).
type Part struct {
	System *System
	Rows   []collector.Row
	Blank  collector.Row // stands for the system where it has no rows: what failed has failed
}

// Assemble puts the parts into a reading and makes its total: that of the first
// one, or of the edge pair, the last one, where there is such a pair and both of
// its sides have series. edgeless is that one of them has none.
func Assemble(r *collector.Reading, parts []Part) (edgeless bool) {
	for i, p := range parts {
		switch {
		case p.System.Edge():
			row := p.Blank
			if len(p.Rows) > 0 {
				row = p.Rows[0]
			}
			row.Target = *p.System.Fixed
			if edgeless = !whole(row.Values); !edgeless {
				enterEdge(r, row)
			}
		case i == 0:
			r.Targets, r.Total = p.Rows, p.total()
		default:
			r.Targets = append(r.Targets, p.Rows...)
		}
	}
	slices.SortFunc(r.Targets, func(a, b collector.Row) int {
		return cmp.Or(strings.Compare(a.Target.Name, b.Target.Name), strings.Compare(a.Target.ID, b.Target.ID))
	})
	return edgeless
}

// total is the sum of the rows of one system. A derived signal that was named
// directly has none.
func (p Part) total() collector.Row {
	rows := p.Rows
	if len(rows) == 0 { // a row that nobody owns carries what failed
		rows = []collector.Row{p.Blank}
	}
	out := collector.Total(rows)
	out.Target.Kind, out.Target.System = p.System.Kind, p.System.Name()
	for _, s := range p.System.Signals {
		if s.Derived() {
			out.Values[s] = p.Blank.Values[s]
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
func enterEdge(r *collector.Reading, edge collector.Row) {
	values := r.Total.Values
	if r.Total.Target.System != edge.Target.System {
		values = collector.Values{} // another system's successes say nothing of this edge
	}
	for s := collector.Amplification; s < collector.NumSignals; s++ {
		values[s] = collector.Value{}
	}
	for _, s := range Sides {
		values[s] = edge.Values[s]
	}
	values[collector.Retries] = collector.Value{} // those of the hops behind it are not all of them
	values.Derive(edge.Baseline)
	name := r.Total.Target
	name.ID, name.Name, name.Kind, name.System = collector.TotalID, "total", collector.Edge, edge.Target.System
	r.Total = collector.Row{Target: name, Values: values, Baseline: edge.Baseline}
	if edge.Values[collector.Amplification].Trust != collector.Heuristic || edge.Baseline > 0 {
		r.Targets = append(r.Targets, edge)
	}
}

package eval

import (
	"math"
	"slices"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// group is what an aggregation gathers of the samples with the same labels.
type group struct {
	labels   labels.Labels
	sum      kahan
	n        int
	min, max float64
}

// results are what an aggregation makes of a group.
var results = map[parser.ItemType]func(g *group) float64{
	parser.SUM:   func(g *group) float64 { return g.sum.value() },
	parser.AVG:   func(g *group) float64 { return g.sum.value() / float64(g.n) },
	parser.MIN:   func(g *group) float64 { return g.min },
	parser.MAX:   func(g *group) float64 { return g.max },
	parser.COUNT: func(g *group) float64 { return float64(g.n) },
	parser.GROUP: func(*group) float64 { return 1 },
}

func (e *Expr) aggregate(n *parser.AggregateExpr) (node, error) {
	result, ok := results[n.Op]
	if !ok {
		return nil, &Unsupported{What: n.Op.String() + "(...)"}
	}
	inner, err := e.compile(n.Expr)
	if err != nil {
		return nil, err
	}
	match := matching{on: !n.Without, names: slices.Compact(slices.Sorted(slices.Values(n.Grouping)))}
	return func(r *run) ([]Sample, error) {
		in, err := inner(r)
		if err != nil {
			return nil, err
		}
		byKey := map[string]*group{}
		var groups []*group
		for _, s := range in {
			r.buf = match.key(r.buf, s.Labels)
			g := byKey[string(r.buf)]
			if g == nil {
				g = &group{labels: match.keep(s.Labels), min: s.V, max: s.V}
				byKey[string(r.buf)] = g
				groups = append(groups, g)
			}
			g.add(s.V)
		}
		out := make([]Sample, len(groups))
		for i, g := range groups {
			out[i] = Sample{g.labels, result(g)}
		}
		return out, nil
	}, nil
}

// add takes one more value in. NaN is the smallest and the largest only among
// its like.
func (g *group) add(v float64) {
	g.n++
	g.sum.add(v)
	if v < g.min || math.IsNaN(g.min) {
		g.min = v
	}
	if v > g.max || math.IsNaN(g.max) {
		g.max = v
	}
}

// kahan sums without losing the small parts, so that the order of the series
// does not show in the result.
type kahan struct{ sum, lost float64 }

func (k *kahan) add(v float64) {
	t := k.sum + v
	switch {
	case math.IsInf(t, 0):
		k.lost = 0
	case math.Abs(k.sum) >= math.Abs(v):
		k.lost += (k.sum - t) + v
	default:
		k.lost += (v - t) + k.sum
	}
	k.sum = t
}

func (k *kahan) value() float64 {
	if math.IsInf(k.sum, 0) {
		return k.sum
	}
	return k.sum + k.lost
}

package eval

import (
	"time"

	"github.com/prometheus/prometheus/promql/parser"
)

// overRange are the functions of the points of a range. ok is false where the
// points say nothing.
var overRange = map[string]func(points []Point, at int64, size time.Duration) (v float64, ok bool){
	"rate": func(points []Point, at int64, size time.Duration) (float64, bool) {
		v, ok := increase(points, at, size)
		return v / size.Seconds(), ok
	},
	"increase": increase,
	"irate":    lastRate,
}

// ranged compiles a function of a range.
func (e *Expr) ranged(n *parser.Call) (node, error) {
	f := overRange[n.Func.Name]
	matrix, ok := n.Args[0].(*parser.MatrixSelector)
	if !ok {
		return nil, &Unsupported{What: n.Func.Name + " of " + kind(n.Args[0])}
	}
	if matrix.RangeExpr != nil {
		return nil, &Unsupported{What: "a range that is computed, [" + matrix.RangeExpr.String() + "],"}
	}
	vs, ok := matrix.VectorSelector.(*parser.VectorSelector)
	if !ok {
		return nil, &Unsupported{What: kind(n.Args[0])}
	}
	s, err := e.selector(vs)
	if err != nil {
		return nil, err
	}
	s.Range = matrix.Range
	return func(r *run) ([]Sample, error) {
		found := r.data.Select(s)
		out := make([]Sample, 0, len(found))
		for _, series := range found {
			if v, ok := f(series.within(r.at, s.Range), r.at, s.Range); ok {
				out = append(out, Sample{series.Labels, v})
			}
		}
		return nameless(out)
	}, nil
}

// increase is how much a counter grew within the range that ends at an instant,
// carried on to the ends of the range by the rules of Prometheus: to an end that
// is no further than 1.1 times the usual distance of points, else by half that
// distance; never back beyond the point where the counter would have been 0. A
// value that falls is a counter that began again at 0.
func increase(points []Point, at int64, size time.Duration) (float64, bool) {
	if len(points) < 2 {
		return 0, false
	}
	first, last := points[0], points[len(points)-1]
	grown := last.V - first.V
	for i, p := range points[1:] {
		if p.V < points[i].V {
			grown += points[i].V
		}
	}
	seen := seconds(last.T - first.T)
	spacing := seen / float64(len(points)-1)
	reach := func(gap float64) float64 {
		if gap >= 1.1*spacing {
			return spacing / 2
		}
		return gap
	}
	before := reach(seconds(first.T - (at - size.Milliseconds())))
	if grown > 0 && first.V >= 0 {
		before = min(before, seen*first.V/grown)
	}
	return grown * (seen + before + reach(seconds(at-last.T))) / seen, true
}

// lastRate is the rate between the two newest points of a range.
func lastRate(points []Point, _ int64, _ time.Duration) (float64, bool) {
	if len(points) < 2 {
		return 0, false
	}
	a, b := points[len(points)-2], points[len(points)-1]
	grown := b.V - a.V
	if b.V < a.V {
		grown = b.V
	}
	return grown / seconds(b.T-a.T), true
}

func seconds(ms int64) float64 { return float64(ms) / 1000 }

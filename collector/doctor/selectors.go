package doctor

import (
	"slices"

	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector/promql"
)

// selector is one choice of series in a query.
type selector struct {
	text   string // without range and offset
	metric string // the metric's name; "" where the name is a pattern
	rated  bool   // a rate or an increase is taken of it, so that it has to be a counter
	ranged bool   // it is read over a range, which has to hold two samples
}

// anatomy is what can be said of a query without asking it.
type anatomy struct {
	selectors []selector // distinct, in the order of the query
	filters   bool       // a comparison in it drops series, as "> 0" drops an idle divisor
}

// dissect finds the selectors of a query. One that cannot be parsed has none:
// the server says what is wrong with it.
func dissect(query string) anatomy {
	expr, err := promql.Language.ParseExpr(query)
	if err != nil {
		return anatomy{}
	}
	var a anatomy
	parser.Inspect(expr, func(n parser.Node, above []parser.Node) error {
		switch n := n.(type) {
		case *parser.BinaryExpr:
			a.filters = a.filters || n.Op.IsComparisonOperator() && !n.ReturnBool
		case *parser.VectorSelector:
			plain := parser.VectorSelector{Name: n.Name, LabelMatchers: n.LabelMatchers}
			a.add(selector{text: plain.String(), metric: n.Name, rated: rated(above), ranged: ranged(above)})
		}
		return nil
	})
	return a
}

func (a *anatomy) add(s selector) {
	i := slices.IndexFunc(a.selectors, func(o selector) bool { return o.text == s.text })
	if i < 0 {
		a.selectors = append(a.selectors, s)
		return
	}
	a.selectors[i].rated = a.selectors[i].rated || s.rated
	a.selectors[i].ranged = a.selectors[i].ranged || s.ranged
}

func ranged(above []parser.Node) bool {
	return slices.ContainsFunc(above, func(n parser.Node) bool {
		_, ok := n.(*parser.MatrixSelector)
		return ok
	})
}

func rated(above []parser.Node) bool {
	return slices.ContainsFunc(above, func(n parser.Node) bool {
		call, ok := n.(*parser.Call)
		return ok && (call.Func.Name == "rate" || call.Func.Name == "irate" || call.Func.Name == "increase")
	})
}

// ranged reports whether any part of the query is read over a range.
func (a anatomy) ranged() bool {
	return slices.ContainsFunc(a.selectors, func(s selector) bool { return s.ranged })
}

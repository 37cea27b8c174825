package prom

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector/promql"
)

// rewriting is what happens to every query of a plan before it is sent.
type rewriting struct {
	only     []*labels.Matcher // added to every selector
	collapse []string          // labels in which series that count the same thing differ
}

// errSelect says how matchers are written.
var errSelect = errors.New(`is no list of label matchers: write it like namespace="shop",pod!~"canary.*"`)

// parseSelect reads matchers as they stand between the braces of a selector.
func parseSelect(text string) ([]*labels.Matcher, error) {
	inner := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "{"), "}")
	if inner == "" {
		return nil, nil
	}
	list, err := promql.Language.ParseMetricSelector(`{` + inner + `}`)
	if err != nil {
		return nil, errSelect // the text may be anything, a credential too
	}
	return list, nil
}

// apply is the query with what was asked for worked in. What does not parse, or
// needs no change, stays as it is.
func (rw rewriting) apply(query string) string {
	if len(rw.only) == 0 && len(rw.collapse) == 0 {
		return query
	}
	expr, err := promql.Language.ParseExpr(query)
	if err != nil {
		return query
	}
	return rw.expr(expr).String()
}

// selector narrows down a plain selector.
func (rw rewriting) selector(sel string) string {
	if sel == "" || len(rw.only) == 0 {
		return sel
	}
	return rewriting{only: rw.only}.apply(sel)
}

func (rw rewriting) expr(e parser.Expr) parser.Expr {
	switch e := e.(type) {
	case *parser.VectorSelector:
		e.LabelMatchers = append(slices.Clone(e.LabelMatchers), rw.only...)
		return rw.collapsed(e)
	case *parser.MatrixSelector:
		if vs, ok := e.VectorSelector.(*parser.VectorSelector); ok {
			vs.LabelMatchers = append(slices.Clone(vs.LabelMatchers), rw.only...)
		}
	case *parser.Call:
		ranged := false
		for i, arg := range e.Args {
			_, matrix := arg.(*parser.MatrixSelector)
			ranged = ranged || matrix
			e.Args[i] = rw.expr(arg)
		}
		if ranged {
			return rw.collapsed(e)
		}
	case *parser.AggregateExpr:
		e.Expr = rw.expr(e.Expr)
	case *parser.BinaryExpr:
		e.LHS, e.RHS = rw.expr(e.LHS), rw.expr(e.RHS)
	case *parser.ParenExpr:
		e.Expr = rw.expr(e.Expr)
	case *parser.UnaryExpr:
		e.Expr = rw.expr(e.Expr)
	case *parser.SubqueryExpr:
		e.Expr = rw.expr(e.Expr)
	}
	return e
}

// collapsed makes one series of those that differ in nothing but the labels.
func (rw rewriting) collapsed(e parser.Expr) parser.Expr {
	if len(rw.collapse) == 0 {
		return e
	}
	return &parser.AggregateExpr{Op: parser.MAX, Without: true, Grouping: rw.collapse, Expr: e}
}

// restrict adds matchers to every selector of a query, so that only the named
// values of a label are read. ok is false when the labels of the result may
// not be those of the series.
func restrict(query string, values map[string][]string) (string, bool) {
	expr, err := promql.Language.ParseExpr(query)
	if err != nil {
		return "", false
	}
	only := make([]*labels.Matcher, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		m, err := labels.NewMatcher(labels.MatchRegexp, name, alternatives(values[name]))
		if err != nil {
			return "", false
		}
		only = append(only, m)
	}
	ok := true
	parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
		if call, is := n.(*parser.Call); is && (call.Func.Name == "label_replace" || call.Func.Name == "label_join") {
			ok = false
		}
		return nil
	})
	return rewriting{only: only}.expr(expr).String(), ok
}

func alternatives(list []string) string {
	quoted := make([]string, len(list))
	for i, v := range list {
		quoted[i] = regexp.QuoteMeta(v)
	}
	return strings.Join(quoted, "|")
}

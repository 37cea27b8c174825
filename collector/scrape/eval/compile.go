package eval

import (
	"errors"
	"fmt"

	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
)

// Expr is an expression that can be evaluated. It is immutable.
type Expr struct {
	text      string
	root      node
	scalar    bool
	selectors []*Selector
}

// node computes one part of an expression. A scalar is a vector of one sample
// without labels.
type node func(r *run) ([]Sample, error)

// run is one evaluation.
type run struct {
	data Data
	at   int64
	buf  []byte // for keys
}

// Unsupported says what of an expression needs a Prometheus.
type Unsupported struct{ What string }

// Error is a sentence that begins with what is not known: "topk(...) needs a Prometheus".
func (u *Unsupported) Error() string { return collector.Clean(u.What) + " needs a Prometheus" }

var language = parser.NewParser(parser.Options{})

// Compile reads an expression that has no placeholders. The error is an
// *Unsupported where it is PromQL that cannot be evaluated here.
func Compile(text string) (*Expr, error) {
	tree, err := language.ParseExpr(text)
	if err != nil {
		var list parser.ParseErrors
		if errors.As(err, &list) && len(list) > 0 {
			return nil, fmt.Errorf("malformed PromQL: %s", collector.Clean(list[0].Err.Error()))
		}
		return nil, fmt.Errorf("malformed PromQL: %s", collector.Clean(err.Error()))
	}
	e := &Expr{text: text}
	switch tree.Type() {
	case parser.ValueTypeVector:
	case parser.ValueTypeScalar:
		e.scalar = true
	default:
		return nil, fmt.Errorf("the expression is a %s, not one number for each target: use rate(...) or another function around a range", tree.Type())
	}
	if e.root, err = e.compile(tree); err != nil {
		return nil, err
	}
	return e, nil
}

// String is the text that was compiled.
func (e *Expr) String() string { return e.text }

// Selectors are the selectors of the expression, in the order of its text.
func (e *Expr) Selectors() []*Selector { return e.selectors }

// Eval computes the expression at an instant, in milliseconds since 1970. The
// order of the samples is not specified. Errors are those of PromQL, such as two
// series that match the same one, in one sentence.
func (e *Expr) Eval(data Data, at int64) ([]Sample, error) {
	return e.root(&run{data: data, at: at})
}

func (e *Expr) compile(tree parser.Expr) (node, error) {
	switch n := tree.(type) {
	case *parser.ParenExpr:
		return e.compile(n.Expr)
	case *parser.StepInvariantExpr:
		return e.compile(n.Expr)
	case *parser.NumberLiteral:
		return number(n.Val), nil
	case *parser.UnaryExpr:
		return e.unary(n)
	case *parser.VectorSelector:
		return e.instant(n)
	case *parser.AggregateExpr:
		return e.aggregate(n)
	case *parser.BinaryExpr:
		return e.binary(n)
	case *parser.Call:
		return e.call(n)
	}
	return nil, &Unsupported{What: kind(tree)}
}

// kind names an expression that is not known, as people know it.
func kind(tree parser.Expr) string {
	switch tree.(type) {
	case *parser.SubqueryExpr:
		return "the subquery " + tree.String()
	case *parser.StringLiteral:
		return "the text " + tree.String()
	case *parser.MatrixSelector:
		return "the range " + tree.String()
	}
	return tree.String()
}

func number(v float64) node {
	out := []Sample{{V: v}}
	return func(*run) ([]Sample, error) { return out, nil }
}

func (e *Expr) unary(n *parser.UnaryExpr) (node, error) {
	inner, err := e.compile(n.Expr)
	if err != nil || n.Op != parser.SUB {
		return inner, err
	}
	return mapped(inner, func(v float64) float64 { return -v }), nil
}

// mapped applies a function to every value, which takes the metrics' names away.
func mapped(inner node, f func(float64) float64) node {
	return func(r *run) ([]Sample, error) {
		in, err := inner(r)
		if err != nil {
			return nil, err
		}
		out := make([]Sample, len(in))
		for i, s := range in {
			out[i] = Sample{s.Labels, f(s.V)}
		}
		return nameless(out)
	}
}

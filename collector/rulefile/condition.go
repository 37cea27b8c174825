package rulefile

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
	"stormtop/collector/promql"
)

// checkExpr says what is wrong with an expression, or returns nil.
func checkExpr(text string) error {
	_, err := promql.Language.ParseExpr(text)
	var list parser.ParseErrors
	switch {
	case err == nil:
		return nil
	case errors.As(err, &list) && len(list) > 0:
		return fmt.Errorf("malformed PromQL at character %d: %s", int(list[0].PositionRange.Start)+1, collector.Clean(list[0].Err.Error()))
	}
	return fmt.Errorf("malformed PromQL: %s", collector.Clean(err.Error()))
}

// Condition is an expression that ends in a comparison with a number: what is
// compared, and with what. It can be tuned.
type Condition struct {
	Expr      string // the whole
	Left      string // what is compared, as it was written
	Compare   collector.Comparison
	Threshold float64

	from, to int // where the number stands in Expr
}

// ConditionOf takes an expression apart. ok is false where it is no comparison
// with a number at its top level: then only for and keep_firing_for can be
// tuned.
func ConditionOf(text string) (c Condition, ok bool) {
	expr, err := promql.Language.ParseExpr(text)
	if err != nil {
		return c, false
	}
	bin, is := bare(expr).(*parser.BinaryExpr)
	if !is || bin.ReturnBool {
		return c, false
	}
	ops := map[parser.ItemType]collector.Comparison{
		parser.GTR: collector.Above, parser.GTE: collector.AtLeast, parser.LSS: collector.Below, parser.LTE: collector.AtMost,
	}
	op, is := ops[bin.Op]
	if !is {
		return c, false
	}
	left, number := bin.LHS, bin.RHS
	v, isNumber := constant(number)
	if !isNumber {
		if v, isNumber = constant(bin.LHS); !isNumber {
			return c, false
		}
		left, number, op = bin.RHS, bin.LHS, flipped(op)
	}
	if left.Type() != parser.ValueTypeVector || math.IsNaN(v) || math.IsInf(v, 0) {
		return c, false
	}
	at, what := number.PositionRange(), left.PositionRange()
	if int(at.End) > len(text) || int(what.End) > len(text) || at.Start < 0 || what.Start < 0 {
		return c, false
	}
	c = Condition{
		Expr: text, Left: strings.TrimSpace(text[what.Start:what.End]), Compare: op, Threshold: v,
		from: int(at.Start), to: int(at.End),
	}
	// What was cut out must be what was parsed.
	if again, err := promql.Language.ParseExpr(c.Left); err != nil || again.String() != left.String() {
		return c, false
	}
	return c, true
}

// With is the expression with another threshold; nothing else of it changes.
func (c Condition) With(threshold float64) string {
	if threshold == c.Threshold {
		return c.Expr
	}
	return c.Expr[:c.from] + Number(threshold) + c.Expr[c.to:]
}

func bare(e parser.Expr) parser.Expr {
	for {
		switch x := e.(type) {
		case *parser.ParenExpr:
			e = x.Expr
		case *parser.StepInvariantExpr:
			e = x.Expr
		default:
			return e
		}
	}
}

// constant is the value of a number, also a negative one or one in parentheses.
func constant(e parser.Expr) (float64, bool) {
	switch x := bare(e).(type) {
	case *parser.NumberLiteral:
		return x.Val, true
	case *parser.UnaryExpr:
		v, ok := constant(x.Expr)
		if x.Op == parser.SUB {
			v = -v
		}
		return v, ok
	}
	return 0, false
}

// flipped is the comparison with its sides exchanged.
func flipped(c collector.Comparison) collector.Comparison {
	return [...]collector.Comparison{
		collector.Above: collector.Below, collector.AtLeast: collector.AtMost, collector.Below: collector.Above, collector.AtMost: collector.AtLeast,
	}[c]
}

// Matcher is one label matcher of a selector.
type Matcher struct {
	Name, Value string
	Regexp      bool // =~; else =
}

// Selector takes a plain selector apart. ok is false where the text is anything
// else, or has a matcher that excludes.
func Selector(text string) (metric string, list []Matcher, ok bool) {
	expr, err := promql.Language.ParseExpr(text)
	if err != nil {
		return "", nil, false
	}
	vs, is := expr.(*parser.VectorSelector)
	if !is || vs.OriginalOffset != 0 || vs.Timestamp != nil {
		return "", nil, false
	}
	for _, m := range vs.LabelMatchers {
		switch {
		case m.Name == "__name__" && m.Type == labels.MatchEqual:
		case m.Type == labels.MatchEqual || m.Type == labels.MatchRegexp:
			list = append(list, Matcher{m.Name, m.Value, m.Type == labels.MatchRegexp})
		default:
			return "", nil, false
		}
	}
	return vs.Name, list, true
}

// Metrics are the names of the metrics that an expression selects by name.
func Metrics(text string) []string {
	expr, err := promql.Language.ParseExpr(text)
	if err != nil {
		return nil
	}
	var out []string
	parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
		if vs, ok := n.(*parser.VectorSelector); ok && vs.Name != "" {
			out = append(out, vs.Name)
		}
		return nil
	})
	return out
}

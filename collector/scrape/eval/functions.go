package eval

import (
	"math"
	"regexp"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

func (e *Expr) call(n *parser.Call) (node, error) {
	if _, ok := overRange[n.Func.Name]; ok {
		return e.ranged(n)
	}
	switch n.Func.Name {
	case "clamp", "clamp_min", "clamp_max":
		return e.clamp(n)
	case "label_replace":
		return e.labelReplace(n)
	case "vector":
		return e.compile(n.Args[0])
	case "scalar":
		inner, err := e.compile(n.Args[0])
		return single(inner), err
	}
	return nil, &Unsupported{What: n.Func.Name + "(...)"}
}

// single is the value of a vector of one sample as a number, else NaN.
func single(inner node) node {
	return func(r *run) ([]Sample, error) {
		in, err := inner(r)
		switch {
		case err != nil:
			return nil, err
		case len(in) != 1:
			return []Sample{{V: math.NaN()}}, nil
		}
		return []Sample{{V: in[0].V}}, nil
	}
}

// clamp keeps values between two bounds, one of which may be absent.
func (e *Expr) clamp(n *parser.Call) (node, error) {
	args := make([]node, len(n.Args))
	for i, a := range n.Args {
		var err error
		if args[i], err = e.compile(a); err != nil {
			return nil, err
		}
	}
	low, high := number(math.Inf(-1)), number(math.Inf(1))
	switch n.Func.Name {
	case "clamp_min":
		low = args[1]
	case "clamp_max":
		high = args[1]
	default:
		low, high = args[1], args[2]
	}
	return func(r *run) ([]Sample, error) {
		a, b, err := both(r, low, high)
		if err != nil || b[0].V < a[0].V {
			return nil, err
		}
		return mapped(args[0], func(v float64) float64 { return math.Max(a[0].V, math.Min(b[0].V, v)) })(r)
	}, nil
}

// labelReplace sets a label from what a regular expression finds in another.
func (e *Expr) labelReplace(n *parser.Call) (node, error) {
	var text [4]string
	for i := range text {
		literal, ok := n.Args[i+1].(*parser.StringLiteral)
		if !ok {
			return nil, &Unsupported{What: "label_replace with " + n.Args[i+1].String()}
		}
		text[i] = literal.Val
	}
	target, replacement, source := text[0], text[1], text[2]
	expression, err := regexp.Compile("^(?s:" + text[3] + ")$")
	if err != nil {
		return nil, &Unsupported{What: "label_replace with the expression " + text[3]}
	}
	inner, err := e.compile(n.Args[0])
	if err != nil {
		return nil, err
	}
	return func(r *run) ([]Sample, error) {
		in, err := inner(r)
		if err != nil {
			return nil, err
		}
		out := make([]Sample, len(in))
		b := labels.NewBuilder(labels.EmptyLabels())
		for i, s := range in {
			out[i] = s
			value := s.Labels.Get(source)
			if found := expression.FindStringSubmatchIndex(value); found != nil {
				b.Reset(s.Labels)
				b.Set(target, string(expression.ExpandString(nil, replacement, value, found)))
				out[i].Labels = b.Labels()
			}
		}
		return out, distinct(out)
	}, nil
}

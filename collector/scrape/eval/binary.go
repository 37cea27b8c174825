package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// arithmetic are the operators that compute a number.
var arithmetic = map[parser.ItemType]func(a, b float64) float64{
	parser.ADD: func(a, b float64) float64 { return a + b },
	parser.SUB: func(a, b float64) float64 { return a - b },
	parser.MUL: func(a, b float64) float64 { return a * b },
	parser.DIV: func(a, b float64) float64 { return a / b },
	parser.MOD: math.Mod,
	parser.POW: math.Pow,
}

// comparisons are the operators that keep a sample or not.
var comparisons = map[parser.ItemType]func(a, b float64) bool{
	parser.EQLC: func(a, b float64) bool { return a == b },
	parser.NEQ:  func(a, b float64) bool { return a != b },
	parser.GTR:  func(a, b float64) bool { return a > b },
	parser.LSS:  func(a, b float64) bool { return a < b },
	parser.GTE:  func(a, b float64) bool { return a >= b },
	parser.LTE:  func(a, b float64) bool { return a <= b },
}

// operator is a binary operator between two numbers. named says that the result
// is a sample of the left side still, with its metric's name.
type operator struct {
	apply func(a, b float64) (v float64, keep bool)
	named bool
}

func newOperator(op parser.ItemType, asBool bool) (operator, bool) {
	if f, ok := arithmetic[op]; ok {
		return operator{apply: func(a, b float64) (float64, bool) { return f(a, b), true }}, true
	}
	f, ok := comparisons[op]
	switch {
	case !ok:
		return operator{}, false
	case asBool:
		return operator{apply: func(a, b float64) (float64, bool) {
			if f(a, b) {
				return 1, true
			}
			return 0, true
		}}, true
	}
	return operator{named: true, apply: func(a, b float64) (float64, bool) { return a, f(a, b) }}, true
}

func (e *Expr) binary(n *parser.BinaryExpr) (node, error) {
	left, err := e.compile(n.LHS)
	if err != nil {
		return nil, err
	}
	right, err := e.compile(n.RHS)
	if err != nil {
		return nil, err
	}
	if n.Op.IsSetOperator() {
		return sets(n.Op, matchingOf(n.VectorMatching), left, right)
	}
	op, ok := newOperator(n.Op, n.ReturnBool)
	if !ok {
		return nil, &Unsupported{What: "the operator " + n.Op.String()}
	}
	leftScalar, rightScalar := n.LHS.Type() == parser.ValueTypeScalar, n.RHS.Type() == parser.ValueTypeScalar
	switch {
	case leftScalar && rightScalar:
		return scalars(op, left, right), nil
	case leftScalar || rightScalar:
		return withScalar(op, left, right, leftScalar), nil
	case n.VectorMatching.Card != parser.CardOneToOne:
		return nil, &Unsupported{What: n.Op.String() + " with " + n.VectorMatching.Card.String() + " matching (group_left, group_right)"}
	}
	return vectors(op, matchingOf(n.VectorMatching), left, right), nil
}

func matchingOf(m *parser.VectorMatching) matching {
	return matching{on: m.On, names: slices.Compact(slices.Sorted(slices.Values(m.MatchingLabels)))}
}

// both evaluates two sides.
func both(r *run, left, right node) (a, b []Sample, err error) {
	if a, err = left(r); err != nil {
		return nil, nil, err
	}
	b, err = right(r)
	return a, b, err
}

func scalars(op operator, left, right node) node {
	return func(r *run) ([]Sample, error) {
		a, b, err := both(r, left, right)
		if err != nil {
			return nil, err
		}
		v, _ := op.apply(a[0].V, b[0].V)
		return []Sample{{V: v}}, nil
	}
}

// withScalar is an operator between a vector and a number, on the left or right.
func withScalar(op operator, left, right node, leftScalar bool) node {
	return func(r *run) ([]Sample, error) {
		a, b, err := both(r, left, right)
		if err != nil {
			return nil, err
		}
		vector, constant := a, b
		if leftScalar {
			vector, constant = b, a
		}
		out := make([]Sample, 0, len(vector))
		for _, s := range vector {
			x, y := s.V, constant[0].V
			if leftScalar {
				x, y = y, x
			}
			v, keep := op.apply(x, y)
			if op.named {
				v = s.V // a filter keeps the vector's value, on whichever side it stands
			}
			if keep {
				out = append(out, Sample{s.Labels, v})
			}
		}
		if op.named {
			return out, nil
		}
		return nameless(out)
	}
}

// vectors is an operator between two vectors, one to one.
func vectors(op operator, match matching, left, right node) node {
	return func(r *run) ([]Sample, error) {
		a, b, err := both(r, left, right)
		if err != nil || len(a) == 0 || len(b) == 0 {
			return nil, err
		}
		partners := make(map[string]int, len(b))
		for i, s := range b {
			r.buf = match.key(r.buf, s.Labels)
			if j, twice := partners[string(r.buf)]; twice {
				return nil, ambiguous("right", b[j], s)
			}
			partners[string(r.buf)] = i
		}
		taken := make(map[int]int, len(a))
		out := make([]Sample, 0, len(a))
		for i, s := range a {
			r.buf = match.key(r.buf, s.Labels)
			partner, ok := partners[string(r.buf)]
			if !ok {
				continue
			}
			if j, twice := taken[partner]; twice {
				return nil, ambiguous("left", a[j], s)
			}
			taken[partner] = i
			v, keep := op.apply(s.V, b[partner].V)
			if !keep {
				continue
			}
			set := match.keep(s.Labels)
			if op.named && !match.on { // a filter keeps the metric's name
				set = labels.NewBuilder(s.Labels).Del(match.names...).Labels()
			}
			out = append(out, Sample{set, v})
		}
		return out, nil
	}
}

func ambiguous(side string, a, b Sample) error {
	return fmt.Errorf("two series for the same match on the %s side, %s and %s: aggregate them first", side, show(a.Labels), show(b.Labels))
}

// sets are and, or, unless: samples of one side chosen by those of the other.
func sets(op parser.ItemType, match matching, left, right node) (node, error) {
	if op != parser.LAND && op != parser.LOR && op != parser.LUNLESS {
		return nil, &Unsupported{What: "the operator " + op.String()}
	}
	return func(r *run) ([]Sample, error) {
		a, b, err := both(r, left, right)
		if err != nil {
			return nil, err
		}
		if op == parser.LOR {
			out := append(make([]Sample, 0, len(a)+len(b)), a...)
			return append(out, r.chosen(match, b, a, false)...), nil
		}
		return r.chosen(match, a, b, op == parser.LAND), nil
	}, nil
}

// chosen are the samples of list that have a partner among others, or have none.
func (r *run) chosen(match matching, list, others []Sample, partner bool) []Sample {
	keys := make(map[string]bool, len(others))
	for _, s := range others {
		r.buf = match.key(r.buf, s.Labels)
		keys[string(r.buf)] = true
	}
	out := make([]Sample, 0, len(list))
	for _, s := range list {
		r.buf = match.key(r.buf, s.Labels)
		if keys[string(r.buf)] == partner {
			out = append(out, s)
		}
	}
	return out
}

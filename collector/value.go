package collector

import "math"

// Value is one number of one signal together with what is known about it.
// The zero Value is Missing.
type Value struct {
	V     float64 // meaningful only when State.HasNumber
	State State
	Unit  Unit
	Trust Trust
}

// Num makes a value of a measured number. NaN becomes Idle (Prometheus answers
// 0/0 so), an infinity becomes Infinite: neither is ever a number.
func Num(v float64, unit Unit, trust Trust) Value {
	out := Value{V: v, State: Ok, Unit: unit, Trust: trust}
	switch {
	case math.IsNaN(v):
		out.V, out.State = 0, Idle
	case math.IsInf(v, 0):
		out.V, out.State = 0, Infinite
	}
	return out
}

// Float is the number that PromQL would see: NaN when idle, +Inf when infinite.
// ok is false when there is no sample at all (missing or failed).
func (v Value) Float() (f float64, ok bool) {
	switch v.State {
	case Ok, Stale, Partial:
		return v.V, true
	case Idle:
		return math.NaN(), true
	case Infinite:
		return math.Inf(1), true
	}
	return 0, false
}

// Number is the finite number of the value, if it has one.
func (v Value) Number() (f float64, ok bool) { return v.V, v.State.HasNumber() }

// With returns the value in another state, keeping unit and trust.
func (v Value) With(s State) Value {
	v.State = s
	if !s.HasNumber() {
		v.V = 0
	}
	return v
}

// orState marks a number as no better than s; idle and infinite stay what they are.
func (v Value) orState(s State) Value {
	if v.State == Ok {
		v.State = s
	}
	return v
}

// quotient divides two values taken at the same instant. What is not known of
// either side is not known of the quotient: failed before missing before the
// states that carry a number.
func quotient(num, den Value, unit Unit) Value {
	out := Value{Unit: unit, Trust: max(num.Trust, den.Trust)}
	n, nok := num.Float()
	d, dok := den.Float()
	switch {
	case num.State == Failed || den.State == Failed:
		out.State = Failed
	case !nok || !dok:
		out.State = Missing
	default:
		out = Num(n/d, unit, out.Trust).orState(weaker(num.State, den.State))
	}
	return out
}

// weaker is the state of a number that was computed from two numbers.
func weaker(a, b State) State {
	switch {
	case a == Partial || b == Partial:
		return Partial
	case a == Stale || b == Stale:
		return Stale
	}
	return Ok
}

// Worse orders amplifications, worst first: infinite before every number,
// larger numbers first, idle and what is not known last.
func Worse(a, b Value) bool { return rank(a) > rank(b) }

// rank orders amplifications of any state: infinite first, idle and unknown below zero.
func rank(v Value) float64 {
	f, ok := v.Float()
	if !ok || math.IsNaN(f) {
		return -1
	}
	return max(f, 0)
}

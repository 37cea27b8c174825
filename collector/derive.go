package collector

import "math"

// Values holds one value for every signal, indexed by Signal.
type Values [NumSignals]Value

// Derive fills the derived signals of v from its inputs, at one instant:
//
//	amplification = downstream / ingress / baseline
//	retry_rate    = retries / downstream, else (downstream - ingress * baseline) / downstream (approximate)
//	rescued_share = rescued / successes
//	delivered     = successes / ingress
//
// A derived signal that is already present (its state is not Missing) was given
// directly and is left alone. baseline is the healthy fan-out, finite and above
// 0; any other number counts as 1.
func (v *Values) Derive(baseline float64) {
	if !(baseline > 0) || math.IsInf(baseline, 1) {
		baseline = 1
	}
	if v[Amplification].State == Missing {
		a := quotient(v[Downstream], v[Ingress], Ratio)
		if n, ok := a.Number(); ok {
			a = Num(n/baseline, Ratio, a.Trust).orState(a.State)
		}
		v[Amplification] = a
	}
	if v[RetryRate].State == Missing {
		v[RetryRate] = v.retryRate(baseline)
	}
	if v[RescuedShare].State == Missing {
		v[RescuedShare] = quotient(v[Rescued], v[Successes], Fraction)
	}
	if v[Delivered].State == Missing {
		v[Delivered] = quotient(v[Successes], v[Ingress], Fraction)
	}
}

// Sides are the inputs that a derived signal is the quotient of (see Derive); ok
// is false for an input.
func (s Signal) Sides() (num, den Signal, ok bool) {
	switch s {
	case Amplification:
		return Downstream, Ingress, true
	case RetryRate:
		return Retries, Downstream, true
	case RescuedShare:
		return Rescued, Successes, true
	case Delivered:
		return Successes, Ingress, true
	}
	return 0, 0, false
}

func (v *Values) retryRate(baseline float64) Value {
	if v[Retries].State != Missing {
		return quotient(v[Retries], v[Downstream], Fraction)
	}
	in, inOK := v[Ingress].Number()
	down, downOK := v[Downstream].Number()
	extra := Value{State: worstUnknown(v[Ingress].State, v[Downstream].State), Unit: PerSecond, Trust: max(Approx, v[Ingress].Trust)}
	if inOK && downOK {
		extra.V, extra.State = max(down-baseline*in, 0), weaker(v[Ingress].State, v[Downstream].State)
	}
	return quotient(extra, v[Downstream], Fraction)
}

func worstUnknown(a, b State) State {
	if a == Failed || b == Failed {
		return Failed
	}
	return Missing
}

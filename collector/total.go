package collector

// Total is the row of the sum over the targets of one reading: inputs are added
// up, of pool_wait the worst target's counts, and the ratios follow from the
// sums and the baselines, weighted by ingress (Values.Derive). Derived values of
// the rows are not looked at.
//
// A sum is missing only where no target has the signal. It is failed where a
// part of it is, else infinite where one is, partial where one is, stale where
// one is; an idle part adds nothing. The kind is the one that all rows share.
func Total(rows []Row) Row {
	out := Row{Target: Target{ID: TotalID, Name: "total"}}
	for i := range rows {
		if k := rows[i].Target.Kind; i == 0 {
			out.Target.Kind = k
		} else if k != out.Target.Kind {
			out.Target.Kind = NoRatioKind
		}
		for s := Ingress; s < Amplification; s++ {
			out.Values[s] = plus(out.Values[s], rows[i].Values[s], s == PoolWait)
		}
	}
	out.Baseline = fanOut(rows)
	out.Values.Derive(out.Baseline)
	return out
}

// fanOut is the baseline of the sum: the mean of those of the rows, by ingress;
// that of the first row where no ingress is known.
func fanOut(rows []Row) float64 {
	var weighted, sum float64
	for i := range rows {
		if in, ok := rows[i].Values[Ingress].Number(); ok && in > 0 {
			weighted += in * rows[i].baseline()
			sum += in
		}
	}
	switch {
	case sum > 0:
		return weighted / sum
	case len(rows) > 0 && rows[0].Baseline > 0:
		return rows[0].Baseline
	}
	return 1
}

// Plus is the sum of two values of one unit, taken at the same instant; what is
// not known of either is not known of the sum.
func Plus(a, b Value) Value {
	switch {
	case a.State == Failed || b.State == Failed:
		return Value{State: Failed, Unit: a.Unit, Trust: max(a.Trust, b.Trust)}
	case a.State == Missing || b.State == Missing:
		return Value{Unit: a.Unit, Trust: max(a.Trust, b.Trust)}
	}
	return plus(a, b, false)
}

// plus adds two values of one signal, or takes the larger one.
func plus(a, b Value, larger bool) Value {
	switch {
	case a.State == Missing:
		return b
	case b.State == Missing:
		return a
	}
	sum := Value{Unit: a.Unit, Trust: max(a.Trust, b.Trust)}
	switch {
	case a.Unit != b.Unit: // waiters and seconds have no sum
		return Value{}
	case a.State == Failed || b.State == Failed:
		sum.State = Failed
	case a.State == Infinite || b.State == Infinite:
		sum.State = Infinite
	case a.State == Idle:
		sum.State, sum.V = b.State, b.V
	case b.State == Idle:
		sum.State, sum.V = a.State, a.V
	case larger:
		sum.State, sum.V = weaker(a.State, b.State), max(a.V, b.V)
	default:
		sum.State, sum.V = weaker(a.State, b.State), a.V+b.V
	}
	return sum
}

// baseline is the row's, 1 where it has none.
func (r *Row) baseline() float64 {
	if r.Baseline > 0 {
		return r.Baseline
	}
	return 1
}

package verdict

import (
	"math"

	"stormtop/collector"
)

// sides are the two inputs that a ratio is made of.
func sides(s collector.Signal) (below, above collector.Signal) {
	switch s {
	case collector.Amplification:
		return collector.Ingress, collector.Downstream
	case collector.RetryRate:
		return collector.Downstream, collector.Retries
	case collector.RescuedShare:
		return collector.Successes, collector.Rescued
	case collector.Delivered:
		return collector.Ingress, collector.Successes
	}
	return s, s
}

// NoSeries names the side whose series are missing, as the reason why a signal
// is: "no ingress series", "no downstream series"; "" where the signal is there.
func NoSeries(v *collector.Values, s collector.Signal) string {
	if v[s].State != collector.Missing {
		return ""
	}
	below, above := sides(s)
	if s == collector.RetryRate && v[collector.Downstream].State != collector.Missing {
		above = collector.Ingress // without retries it is taken from both sides
	}
	switch missing := func(s collector.Signal) bool { return v[s].State == collector.Missing }; {
	case below == above:
		return "no such series"
	case missing(below) && missing(above):
		return "no " + below.String() + " and no " + above.String() + " series"
	case missing(below):
		return "no " + below.String() + " series"
	case missing(above):
		return "no " + above.String() + " series"
	}
	return "no such series"
}

// suspicious is the amplification from which on a retry counter should move.
const suspicious = 1.05

// NotCounted reports whether the retry counter of a target stands still while
// its attempts outnumber its requests: it is probably not enabled, and a share
// of 0 % would be a lie.
func NotCounted(row collector.Row) bool {
	retries, ok := row.Values[collector.Retries].Number()
	amp, known := row.Values[collector.Amplification].Number()
	return ok && known && retries == 0 && amp > suspicious
}

// NotCountedText is the sentence about it.
func NotCountedText(row collector.Row) string {
	if !NotCounted(row) {
		return ""
	}
	return "the retry counter stays at 0 beside an amplification of " +
		row.Values[collector.Amplification].String() + ": probably not enabled"
}

// Ratio is the amplification of a row before its baseline: attempts for one
// request.
func Ratio(row collector.Row) collector.Value {
	in, ok := row.Values[collector.Ingress].Number()
	down, known := row.Values[collector.Downstream].Number()
	v := row.Values[collector.Amplification]
	switch {
	case !v.State.HasNumber():
		return v
	case ok && known && in > 0:
		v.V = down / in
	case row.Baseline > 0:
		v.V *= row.Baseline
	}
	if math.IsInf(v.V, 0) || math.IsNaN(v.V) {
		return v.With(collector.Infinite)
	}
	return v
}

// Divided says what an amplification was divided by, where that is not 1: the
// ratio and the baseline, "9.00x / 3.63", and where the baseline is from. o may be nil.
func Divided(row collector.Row, o *collector.Origin) (division, from string) {
	if row.Baseline <= 0 || row.Baseline == 1 {
		return "", ""
	}
	base := collector.Num(row.Baseline, collector.Ratio, collector.Exact).String()
	base = base[:len(base)-len("x")]
	if v := Ratio(row); v.State.HasNumber() {
		v.State = collector.Ok
		division = v.String() + " / " + base
	} else {
		division = "divided by " + base
	}
	return division, baselineFrom(row.Target, o)
}

// baselineFrom says where the baseline of a target comes from.
func baselineFrom(t collector.Target, o *collector.Origin) string {
	switch {
	case o == nil:
		return "baseline"
	case t.ID != collector.TotalID && o.Baselines.Of[t.Name] > 0:
		return "baseline of its own"
	case o.Baselines.Learned[t.ID] > 0 && o.Baselines.From != "":
		return "baseline learned: " + collector.Clean(o.Baselines.From)
	case t.ID == collector.TotalID && (len(o.Baselines.Of) > 0 || len(o.Baselines.Learned) > 0):
		return "baselines of its targets, by ingress"
	}
	return "baseline"
}

package collector

import "math"

// Baselines are the healthy fan-outs that amplifications are divided by:
// attempts for a request when all is well. The zero Baselines divide by 1.
type Baselines struct {
	Number  float64            // for targets that have none of their own; 0: not given, 1 is assumed
	Of      map[string]float64 // by Target.Name, as somebody entered them
	Learned map[string]float64 // by Target.ID, from a calm past
	From    string             // what Learned was learned from: "median of 1h, 1d before"
}

// For is the baseline of a target: what was entered for it, else what was
// learned, else the number for all. It is finite and above 0.
func (b Baselines) For(t Target) float64 {
	for _, n := range []float64{b.Of[t.Name], b.Learned[t.ID], b.Number} {
		if n > 0 && !math.IsInf(n, 1) {
			return n
		}
	}
	return 1
}

// Given reports whether a baseline is known for a target: without one, 1 is
// assumed, which is wrong for a ratio that holds fan-out.
func (b Baselines) Given(t Target) bool {
	return b.Number > 0 || b.Of[t.Name] > 0 || b.Learned[t.ID] > 0
}

// Least is the smallest baseline of any target.
func (b Baselines) Least() float64 {
	least := b.For(Target{})
	for _, list := range []map[string]float64{b.Of, b.Learned} {
		for _, n := range list {
			if n > 0 {
				least = min(least, n)
			}
		}
	}
	return least
}

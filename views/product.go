package views

import (
	"strconv"
	"strings"

	"stormtop/collector"
)

// multiplied is "fan-out 3.63 x gains 3.00 x 2.94": the fan-out where there is one,
// and the factors of the hops behind a word.
func multiplied(r *collector.Rig, word string, factors []string) string {
	text := word + strings.Join(factors, " x ")
	if f := r.FanOut(); f != 1 {
		text = "fan-out " + bare(f, collector.Ratio) + " x " + text
	}
	return text
}

// product is the gains of the hops multiplied, with the fan-out where there is one:
// "gains 3.00 x 3.00 x 2.94 = 26.5x", "fan-out 3.63 x gain 1.00 = 3.63x".
func product(r *collector.Rig) string {
	if len(r.Hops) == 1 && r.FanOut() == 1 {
		return "gain " + figure(r.Product(), collector.Ratio)
	}
	gains := make([]string, len(r.Hops))
	for i := range r.Hops {
		gains[i] = bare(r.Hops[i].Gain, collector.Ratio)
	}
	word := "gains "
	if len(gains) == 1 {
		word = "gain "
	}
	return multiplied(r, word, gains) + " = " + figure(r.Product(), collector.Ratio)
}

// worstCase is "27x = 3 x 3 x 3", the most attempts that the policies permit.
func worstCase(r *collector.Rig) string {
	if len(r.Hops) == 0 || len(r.Hops) == 1 && r.FanOut() == 1 {
		return most(r.Worst)
	}
	factors := make([]string, len(r.Hops))
	for i := range r.Hops {
		factors[i] = strconv.Itoa(r.Hops[i].Permitted)
	}
	word := ""
	if len(factors) == 1 {
		word = "attempts "
	}
	return most(r.Worst) + " = " + multiplied(r, word, factors)
}

// bounded says what budgets and forced breakers leave of the worst case: "on
// average at most 11.8x with budgets", for a sliding window comes in waves, and of
// which factors: " = 1.31 x 3 x 3"; "" where they leave all of it. The number comes
// before what may be cut.
func bounded(r *collector.Rig) (most, of string) {
	if !(r.Bound < r.Worst) {
		return "", ""
	}
	factors := make([]string, len(r.Hops))
	budgets, breakers := false, false
	for i := range r.Hops {
		h := &r.Hops[i]
		factors[i] = strconv.Itoa(h.Permitted)
		if h.Bound < float64(h.Permitted) {
			factors[i] = bare(h.Bound, collector.Ratio)
			forced := h.Breaker != "" && h.Passing < 1
			breakers = breakers || forced
			budgets = budgets || h.Formula != "" && h.Bound > 0 || !forced
		}
	}
	by := "budgets"
	switch {
	case budgets && breakers:
		by = "budgets and forced breakers"
	case breakers:
		by = "forced breakers"
	}
	most = "on average at most " + figure(r.Bound, collector.Ratio) + " with " + by
	if len(factors) == 1 {
		return most, ""
	}
	return most, " = " + multiplied(r, "", factors)
}

// boundedWhole is bounded in one text.
func boundedWhole(r *collector.Rig) string {
	most, of := bounded(r)
	return most + of
}

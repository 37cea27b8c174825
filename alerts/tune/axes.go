package tune

import (
	"math"
	"slices"
	"strconv"
	"time"

	"stormtop/collector"
)

// Thresholds are at most n thresholds to look at, ascending, for a rule over
// histories: those that the rule has, and from where the values begin to where
// they end, closer where they are small, in numbers of three digits at most.
func Thresholds(list []*History, spec collector.RuleSpec, n int, also ...float64) []float64 {
	base := 0.0 // what a healthy value does not fall below
	if spec.Signal == collector.Amplification {
		base = 1
	}
	keep := append([]float64{spec.Threshold}, also...)
	least, most := math.Inf(1), math.Inf(-1)
	for _, h := range list {
		for i := range h.Courses {
			for k := range h.Courses[i].samples {
				if v := h.Courses[i].samples[k].Value; v > base && !math.IsInf(v, 0) {
					least, most = min(least, v-base), max(most, v-base)
				}
			}
		}
	}
	for _, t := range keep {
		if t > base {
			least, most = min(least, (t-base)/2), max(most, (t-base)*2)
		}
	}
	out := slices.Clone(keep)
	if most < least {
		return sorted(out)
	}
	least = max(least, most/1e4, (positive(spec.Threshold-base)+most/1e3)/50)
	if base == 0 && slices.Contains(keep, 0) {
		out = append(out, 0)
	}
	if points := n - len(sorted(slices.Clone(out))); points > 1 {
		for i := range points {
			f := least * math.Pow(most/least, float64(i)/float64(points-1))
			out = append(out, rounded(base+f))
		}
	}
	return sorted(out)
}

func positive(f float64) float64 { return max(f, 0) }

// rounded is a number of at most three significant digits.
func rounded(f float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 3, 64), 64)
	if err != nil {
		return f
	}
	return out
}

func sorted[T float64 | time.Duration](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}

// usualFors are times of for that somebody would write.
var usualFors = []time.Duration{
	0, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second, 40 * time.Second, 45 * time.Second,
	time.Minute, 75 * time.Second, 90 * time.Second, 105 * time.Second, 2 * time.Minute, 150 * time.Second, 3 * time.Minute, 4 * time.Minute,
	5 * time.Minute, 6 * time.Minute, 7 * time.Minute, 8 * time.Minute, 10 * time.Minute, 12 * time.Minute, 15 * time.Minute,
	20 * time.Minute, 25 * time.Minute, 30 * time.Minute, 40 * time.Minute, 45 * time.Minute, time.Hour, 75 * time.Minute, 90 * time.Minute,
	2 * time.Hour, 3 * time.Hour, 4 * time.Hour, 6 * time.Hour, 8 * time.Hour, 12 * time.Hour, 16 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// Fors are at most n times of for to look at, ascending: friendly ones up to
// about a quarter of the shortest history, and those that are given.
func Fors(list []*History, n int, also ...time.Duration) []time.Duration {
	out := slices.Clone(also)
	longest := time.Duration(0)
	for i, h := range list {
		from, to := h.Span()
		if span := to.Sub(from) / 4; i == 0 || span < longest {
			longest = span
		}
	}
	for _, d := range usualFors {
		if len(sorted(slices.Clone(out))) >= n {
			break
		}
		if d <= max(longest, time.Minute) {
			out = append(out, d)
		}
	}
	return sorted(out)
}

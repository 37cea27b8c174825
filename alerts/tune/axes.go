package tune

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"time"

	"stormtop/collector"
)

// Thresholds are at most n thresholds to look at, ascending, for a rule over
// histories: those that the rule has, and from where the values begin to where
// they end, closer where they are small, in numbers of three digits at most. Of
// an expression, of which nothing is known, half of them are where most values
// are.
func Thresholds(list []*History, spec collector.RuleSpec, n int, also ...float64) []float64 {
	base := 0.0 // what a healthy value does not fall below
	if spec.Signal == collector.Amplification {
		base = 1
	}
	keep := append([]float64{spec.Threshold}, also...)
	out := slices.Clone(keep)
	if base == 0 && slices.Contains(keep, 0) {
		out = append(out, 0)
	}
	values := finite(list)
	above := reach{sign: 1, base: base}
	below := reach{sign: -1, base: base}
	above.see(values, keep)
	if spec.Threshold < base || spec.Compare == collector.Below || spec.Compare == collector.AtMost {
		below.see(values, keep)
	}
	if d := spec.Threshold - base; d > above.seen { // how far up it could go
		out = append(out, rounded(base+2*d))
	}
	left := func() int { return n - len(sorted(slices.Clone(out))) }
	if spec.Signal == collector.NoSignal {
		out = append(out, quantiles(sample(values), left()/2)...)
	}
	both := left()
	if above.some() && below.some() {
		both /= 2
	}
	out = append(out, above.points(both, spec.Threshold)...)
	out = append(out, below.points(min(both, left()), spec.Threshold)...)
	return sorted(out)
}

// finite are all values of histories that are numbers.
func finite(list []*History) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for _, h := range list {
			for i := range h.Courses {
				for k := range h.Courses[i].samples {
					if v := h.Courses[i].samples[k].Value; v == v && !math.IsInf(v, 0) && !yield(v) {
						return
					}
				}
			}
		}
	}
}

// mostSampled bounds the values of which quantiles are taken: every second of
// them, every fourth and so on is enough.
const mostSampled = 1 << 16

// sample is at most mostSampled of some values, distinct and in order.
func sample(values iter.Seq[float64]) []float64 {
	var out []float64
	every, n := 1, 0
	for v := range values {
		if n++; n%every != 0 {
			continue
		}
		if out = append(out, v); len(out) == mostSampled {
			every *= 2
			for i := range mostSampled / 2 {
				out[i] = out[2*i+1]
			}
			out = out[:mostSampled/2]
		}
	}
	return sorted(out)
}

// quantiles are n numbers that divide distinct values, in order, into equal
// parts, as short as they can be told apart.
func quantiles(values []float64, n int) []float64 {
	if len(values) < 2 || n < 1 {
		return nil
	}
	step := math.Pow10(int(math.Floor(math.Log10(values[len(values)-1]-values[0]))) - 2)
	var out []float64
	for i := range n {
		v := values[i*(len(values)-1)/max(n-1, 1)]
		if short := shortest(math.Round(v/step)*step, step); short == short && !math.IsInf(short, 0) {
			out = append(out, short)
		}
	}
	return out
}

// shortest is a multiple of a power of ten without what binary numbers add.
func shortest(f, step float64) float64 {
	digits := max(-int(math.Floor(math.Log10(step))), 0)
	out, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
	if err != nil {
		return f
	}
	return out
}

// reach is how far values are from a base, to one side of it.
type reach struct {
	sign, base  float64
	least, most float64 // of the distances; 0 where there are none
	seen        float64 // the greatest of a value
}

// see takes in values and thresholds. A threshold beyond all values says
// nothing of where to look.
func (r *reach) see(values iter.Seq[float64], thresholds []float64) {
	take := func(least, most float64) {
		if r.most == 0 || least < r.least {
			r.least = least
		}
		r.most = max(r.most, most)
	}
	for v := range values {
		if d := r.sign * (v - r.base); d > 0 {
			take(d, d)
		}
	}
	r.seen = r.most
	for _, t := range thresholds {
		if d := r.sign * (t - r.base); d > 0 && (d <= r.seen || r.seen == 0) {
			take(d/2, d*2)
		}
	}
}

func (r *reach) some() bool { return r.most > 0 }

// points are n of them, closer where they are small.
func (r *reach) points(n int, threshold float64) []float64 {
	if !r.some() || n < 2 {
		return nil
	}
	is := max(r.sign*(threshold-r.base), 0)
	if r.seen > 0 {
		is = min(is, r.seen)
	}
	least := max(r.least, r.most/1e4, (is+r.most/1e3)/50)
	var out []float64
	for i := range n {
		out = append(out, rounded(r.base+r.sign*least*math.Pow(r.most/least, float64(i)/float64(n-1))))
	}
	return out
}

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

package report

import (
	"cmp"
	"slices"
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// fired is how often and how badly a rule fired on a target.
type fired struct {
	first, last watch.Entry
	times       int
	lasted      time.Duration   // all of them together
	peak        collector.Value // the highest; missing: not known of any
	open        bool            // the last one lasts still
	severity    collector.Severity
	threshold   float64
}

// foldFirings are the firings of a log, which is newest first, by rule and target.
// The worst comes first: by severity, what lasts still, how long it lasted and how
// far above the threshold; what is equal, by its beginning.
func foldFirings(s watch.Snapshot, firings []watch.Entry) []fired {
	type key struct{ rule, target string }
	at := map[key]int{}
	var out []fired
	for _, e := range slices.Backward(firings) {
		k := key{e.Rule, e.Target}
		i, seen := at[k]
		if !seen {
			i = len(out)
			at[k] = i
			out = append(out, fired{first: e})
			for _, r := range s.Rules {
				if r.Name == e.Rule {
					out[i].severity, out[i].threshold = r.Severity, r.Threshold
				}
			}
		}
		f := &out[i]
		f.last, f.open = e, e.Open
		f.times++
		f.lasted += e.Lasts
		if height(e.Peak) > height(f.peak) || f.peak.State == collector.Missing {
			f.peak = e.Peak
		}
	}
	slices.SortStableFunc(out, func(a, b fired) int {
		return cmp.Or(
			-cmp.Compare(a.severity, b.severity), -compareBool(a.open, b.open),
			-cmp.Compare(a.lasted, b.lasted), -cmp.Compare(a.excess(), b.excess()), a.first.At.Compare(b.first.At),
		)
	})
	return out
}

// height orders peaks of one unit: infinite first, unknown last.
func height(v collector.Value) float64 {
	if f, ok := v.Float(); ok {
		return f
	}
	return -1
}

// excess is the peak in thresholds.
func (f *fired) excess() float64 {
	if f.threshold <= 0 {
		return 0 // a count above nothing has no scale
	}
	return height(f.peak) / f.threshold
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// toldOf says how often a rule fired on a target, for how long and how badly.
func (t Text) toldOf(f *fired) string {
	if f.times == 1 {
		return verdict.EventTold(f.first, f.threshold)
	}
	text := collector.FormatCount(float64(f.times)) + " times, " + collector.FormatDuration(f.lasted) + " together"
	if f.peak.State != collector.Missing {
		text += ", peak " + f.peak.Against(f.threshold)
	}
	return text + "; the last at " + t.clock(f.last.At)
}

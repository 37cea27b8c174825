package profile

import (
	"cmp"
	"slices"
	"strings"

	"stormtop/collector"
)

// Most is how many systems are judged side by side; more would hide each other.
const Most = 4

// Rated reports whether the profile gives a ratio of attempts to requests.
func (p Profile) Rated() bool {
	has := func(s collector.Signal) bool { return p.Signals[s] != "" }
	switch {
	case has(collector.Amplification), p.Sum:
		return true
	}
	return has(collector.Downstream) && (has(collector.Ingress) || has(collector.Retries))
}

// Choose divides the profiles that have data into those that are judged by, at
// most Most, the most trusted first, and those that are only offered. Superseded
// ones are in neither list.
//
// Judged are ratios that are exact, approximate or a lower bound, and behind them
// what measures pools and queues alone. A heuristic ratio holds fan-out, so that
// it is only offered, unless there is no other.
func Choose(found []Profile) (judged, offered []Profile) {
	left := slices.DeleteFunc(slices.Clone(found), func(p Profile) bool { return SupersededBy(p, found) != "" })
	slices.SortStableFunc(left, func(a, b Profile) int {
		return cmp.Or(-boolean(a.Rated(), b.Rated()), boolean(a.Unproven, b.Unproven),
			cmp.Compare(a.Trust, b.Trust), strings.Compare(a.Name, b.Name))
	})
	alone := !slices.ContainsFunc(left, func(p Profile) bool { return p.Rated() && p.Trust != collector.Heuristic })
	for _, p := range left {
		good := p.Trust != collector.Heuristic || alone && p.Rated() && len(judged) == 0
		if good && p.measures() && len(judged) < Most {
			judged = append(judged, p)
		} else {
			offered = append(offered, p)
		}
	}
	return judged, offered
}

// Wanted divides the profiles that have data as Choose does, or where somebody
// wishes for some by their names (nil: nobody does), into those and all others
// that Choose knows. At most Most are judged by.
func Wanted(found []Profile, names []string) (judged, offered []Profile) {
	first, rest := Choose(found)
	if names == nil {
		return first, rest
	}
	for _, p := range append(first, rest...) {
		if slices.Contains(names, p.Name) && len(judged) < Most {
			judged = append(judged, p)
		} else {
			offered = append(offered, p)
		}
	}
	return judged, offered
}

// Places are the labels that say where something runs. They join the grouping
// where they have several values.
func Places() []string { return []string{"cluster", "region"} }

// measures reports whether the profile says anything of retries, pools or queues.
func (p Profile) measures() bool {
	return p.Rated() || p.Signals[collector.PoolWait] != "" || p.Signals[collector.QueueDepth] != "" || p.Signals[collector.Retries] != ""
}

// SupersededBy is the profile among those found that knows the series of p
// better, or "". One that is only offered takes nobody's place.
func SupersededBy(p Profile, found []Profile) string {
	sure := slices.ContainsFunc(found, func(f Profile) bool { return f.Rated() && f.Trust != collector.Heuristic })
	for _, other := range found {
		offered := sure && other.Rated() && other.Trust == collector.Heuristic
		if other.Name != p.Name && !offered && slices.Contains(other.Supersedes, p.Name) {
			return other.Name
		}
	}
	return ""
}

// boolean orders false before true.
func boolean(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

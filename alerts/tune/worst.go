package tune

import (
	"time"

	"stormtop/collector"
)

// Judge is the back-test of a rule over several histories, with the figures of
// all together.
type Judge struct {
	Rule    collector.RuleSpec
	All     Figures // counts and times summed; Lead the longest, Median that of all incidents
	Worst   Figures // the most of each over the histories; Incidents and Found are those of the history with the most misses
	Results []Result
}

// BacktestAll judges several histories by one rule.
func BacktestAll(list []*History, spec collector.RuleSpec) Judge {
	results := make([]Result, len(list))
	for i, h := range list {
		results[i] = Backtest(h, spec)
	}
	return Sum(spec, results)
}

// Sum puts the results of one rule over several histories together.
func Sum(spec collector.RuleSpec, results []Result) Judge {
	out := Judge{Rule: spec, Results: results}
	var all []int64
	for i := range results {
		f := &results[i].Figures
		out.All.Firings += f.Firings
		out.All.Firing += f.Firing
		out.All.Flaps += f.Flaps
		out.All.False += f.False
		out.All.Incidents += f.Incidents
		out.Worst.Firings = max(out.Worst.Firings, f.Firings)
		out.Worst.Firing = max(out.Worst.Firing, f.Firing)
		out.Worst.Flaps = max(out.Worst.Flaps, f.Flaps)
		out.Worst.False = max(out.Worst.False, f.False)
		out.Worst.Median = max(out.Worst.Median, f.Median)
		if i == 0 || f.Missed() > out.Worst.Missed() {
			out.Worst.Incidents, out.Worst.Found = f.Incidents, f.Found
		}
		for _, w := range results[i].Warned {
			if w.Found {
				all = append(all, int64(w.Lead))
			}
		}
	}
	out.All.Found, out.All.Lead, out.All.Median = leads(all)
	out.Worst.Lead = out.All.Lead
	return out
}

// First is the rule that warned first in an incident.
type First struct {
	Incident Incident
	Rule     string // "": none did
	Lead     time.Duration
	Ahead    time.Duration // of the next rule; 0 where no other one warned
	Next     string
}

// WarnedFirst says for each incident of one history which of several rules
// warned first. Of two at the same instant the one that comes first in the list.
func WarnedFirst(results []Result) []First {
	var out []First
	for i := range results {
		for k, w := range results[i].Warned {
			if k >= len(out) {
				out = append(out, First{Incident: w.Incident})
			}
			f := &out[k]
			switch {
			case !w.Found:
			case f.Rule == "":
				f.Rule, f.Lead = results[i].Rule.Name, w.Lead
			case w.Lead < f.Lead:
				f.Next, f.Ahead = f.Rule, f.Lead-w.Lead
				f.Rule, f.Lead = results[i].Rule.Name, w.Lead
			case f.Next == "" || w.Lead-f.Lead < f.Ahead:
				f.Next, f.Ahead = results[i].Rule.Name, w.Lead-f.Lead
			}
		}
	}
	return out
}

package doctor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/prom"
)

const mostRaw = 1000 // series of a side that are read whole to compare their labels

// checkGrouping says which labels join the grouping, and which series lack one.
func (x *exam) checkGrouping() {
	if len(x.ex.Labels) > 0 {
		x.find(Note, TopicGrouping, "", "%s %s several values: part of the grouping", listed(x.ex.Labels), verb(len(x.ex.Labels), "has", "have"))
	}
	total := 0
	for _, s := range x.sys.Sides {
		total += s.Series
	}
	for _, label := range slices.Sorted(maps.Keys(x.ex.Missing)) {
		n := x.ex.Missing[label]
		if n <= 0 {
			continue
		}
		x.find(Gap, TopicGrouping, fmt.Sprintf("Give these series the label %s, or group by one that all of them have: --by=LABEL.", label),
			"%d of %s without the label %s: they fall into one target without a name", n, plural(max(total, n), "series is", "series are"), label)
	}
	x.checkDropped()
}

// checkDropped names grouping labels that a whole side lacks. Where the profile
// names a label that neither side has, it only makes names shorter.
func (x *exam) checkDropped() {
	for _, label := range x.sys.Grouping {
		var lack []string
		sides := 0
		for _, s := range []collector.Signal{collector.Ingress, collector.Downstream} {
			samples := x.answers[s].Samples
			if len(samples) == 0 {
				continue
			}
			sides++
			if !slices.ContainsFunc(samples, func(o prom.Sample) bool { return value(o.Labels, label) != "" }) {
				lack = append(lack, s.String())
			}
		}
		if len(lack) == 0 {
			continue
		}
		named := slices.Contains(x.cfg.By, label)
		text := fmt.Sprintf("no series of %s has the label %s", listed(lack), label)
		switch rule := x.recordingRule(lack); {
		case rule != "":
			x.find(Gap, TopicGrouping, fmt.Sprintf("Keep %s in the by (...) of the rule %s, or leave it out of the grouping with --by.", label, rule),
				"%s: the recording rule %s dropped it", text, rule)
		case named || len(lack) < sides:
			x.find(Gap, TopicGrouping, fmt.Sprintf("Give them the label %s, or group by labels that both sides have: --by=LABEL.", label), "%s", text)
		default:
			x.find(Note, TopicGrouping, "", "%s, so that it is not part of the names", text)
		}
	}
}

// recordingRule is the name of the metric of one of these sides where it is that
// of a recording rule (level:metric:operations), else "".
func (x *exam) recordingRule(sides []string) string {
	for _, s := range x.sys.Sides {
		if len(x.sys.Sides) > 1 && !slices.Contains(sides, s.Name) {
			continue
		}
		for _, sel := range dissect(s.Selector).selectors {
			if strings.Contains(sel.metric, ":") {
				return sel.metric
			}
		}
	}
	return ""
}

// checkLabelSets looks for one metric with two label sets: a client library
// that adds a label later drops or splits the series of the older set. It is no
// gap by itself, since some exporters leave a label out where it says nothing.
func (x *exam) checkLabelSets(ctx context.Context) {
	seen := map[string]bool{}
	for _, s := range x.sys.Sides {
		if seen[s.Selector] {
			continue
		}
		seen[s.Selector] = true
		for _, odd := range oddLabels(x.raw(ctx, s.Side)) {
			if _, told := x.ex.Missing[odd.label]; told {
				continue
			}
			x.find(Note, TopicLabels, "Where versions differ, bring them to one: a library that sees two label sets under one name may drop either.",
				"%s has two label sets: %s is on %d of its %d series%s", odd.metric, odd.label, odd.on, odd.of, ofJob(odd.job))
		}
	}
}

// raw are the series of a side as they are, where they are few enough.
func (x *exam) raw(ctx context.Context, s prom.Side) []prom.Sample {
	if s.Selector == "" || s.Series == 0 || s.Series > mostRaw {
		return nil
	}
	ans, err := x.ask(ctx, s.Selector)
	if err != nil {
		return nil
	}
	return ans.Samples
}

// odd is a label that only some series of a metric have within one job.
type odd struct {
	metric, job, label string
	on, of             int
}

// oddLabels compares the labels of series of one metric and job: across jobs
// other labels are normal, since targets bring their own.
func oddLabels(series []prom.Sample) []odd {
	type group struct{ metric, job string }
	sizes := map[group]int{}
	on := map[group]map[string]int{}
	for _, s := range series {
		g := group{value(s.Labels, "__name__"), value(s.Labels, "job")}
		sizes[g]++
		if on[g] == nil {
			on[g] = map[string]int{}
		}
		for _, l := range s.Labels {
			on[g][l.Name]++
		}
	}
	var out []odd
	for g, labels := range on {
		for label, n := range labels {
			if n < sizes[g] {
				out = append(out, odd{g.metric, g.job, label, n, sizes[g]})
			}
		}
	}
	slices.SortFunc(out, func(a, b odd) int {
		return cmp.Or(strings.Compare(a.metric, b.metric), strings.Compare(a.job, b.job), strings.Compare(a.label, b.label))
	})
	return out[:min(len(out), 3)]
}

func ofJob(job string) string {
	if job == "" {
		return ""
	}
	return " of the job " + job
}

func value(labels []collector.Label, name string) string {
	for _, l := range labels {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

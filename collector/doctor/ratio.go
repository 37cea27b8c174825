package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/prom"
)

// checkTargets looks whether both sides know the same targets.
func (x *exam) checkTargets(ctx context.Context) {
	in, down := x.targets(collector.Ingress), x.targets(collector.Downstream)
	if len(in) == 0 || len(down) == 0 {
		return
	}
	onlyIn, onlyDown := without(in, down), without(down, in)
	switch {
	case len(onlyIn) == len(in):
		x.find(Broken, TopicTargets, x.sharedLabel(ctx),
			"ingress and downstream both have series, but share no target: %s on one side, %s on the other", listed(onlyIn), listed(onlyDown))
	case len(onlyIn)+len(onlyDown) > 0:
		var words []string
		if len(onlyIn) > 0 {
			words = append(words, fmt.Sprintf("%s only requests (%s)", plural(len(onlyIn), "has", "have"), listed(onlyIn)))
		}
		if len(onlyDown) > 0 {
			words = append(words, fmt.Sprintf("%s only attempts (%s)", plural(len(onlyDown), "has", "have"), listed(onlyDown)))
		}
		x.find(Gap, TopicTargets, "Export the other side of these too, or leave them out with --select.",
			"of %s, %s: no ratio there", plural(len(in)+len(onlyDown), "target", "targets"), strings.Join(words, " and "))
	default:
		x.find(OK, TopicTargets, "", "both sides know the same %s", plural(len(in), "target", "targets"))
	}
}

// target is a target's number and name.
type target struct {
	name string
	v    float64
}

// targets are the targets in the answer of a signal.
func (x *exam) targets(s collector.Signal) map[string]target {
	ans, ok := x.answers[s]
	if !ok && s == collector.Downstream && x.sys.profile.Sum {
		return x.summed()
	}
	out := map[string]target{}
	for _, sample := range ans.Samples {
		t := x.target(sample.Labels)
		out[t.ID] = target{t.Name, out[t.ID].v + sample.V}
	}
	return out
}

// summed are the targets of attempts that are ingress and retries together.
func (x *exam) summed() map[string]target {
	out := x.targets(collector.Ingress)
	for id, r := range x.targets(collector.Retries) {
		out[id] = target{r.name, out[id].v + r.v}
	}
	return out
}

// target is the target of a label set: the labels of the grouping, or all but
// the metric's name where there is none.
func (x *exam) target(labels []collector.Label) collector.Target {
	var list []collector.Label
	for _, l := range labels {
		if l.Name != "__name__" && (x.sys.Grouping == nil || slices.Contains(x.sys.Grouping, l.Name)) {
			list = append(list, l)
		}
	}
	return collector.NewTarget(x.sys.Kind, list...)
}

// sharedLabel is what to do where the sides share no target: group by a label
// of which both have a value in common.
func (x *exam) sharedLabel(ctx context.Context) string {
	const remedy = "Relabel one side so that both name a target by the same label, or give the sums alone: --by=''."
	if len(x.sys.Sides) < 2 {
		return remedy
	}
	ours := values(x.raw(ctx, x.sys.Sides[0].Side))
	var shared []string
	for key := range values(x.raw(ctx, x.sys.Sides[1].Side)) {
		if ours[key] && !slices.Contains(shared, key.Name) && !slices.Contains(x.sys.Grouping, key.Name) && key.Name != "__name__" {
			shared = append(shared, key.Name)
		}
	}
	if len(shared) == 0 {
		return remedy
	}
	slices.Sort(shared)
	return fmt.Sprintf("Group by a label that both sides share (%s): --by=%s.", listed(shared), shared[0])
}

func values(series []prom.Sample) map[collector.Label]bool {
	out := map[collector.Label]bool{}
	for _, s := range series {
		for _, l := range s.Labels {
			out[l] = true
		}
	}
	return out
}

const (
	storming  = 1.05 // attempts per request from which retries have to be counted somewhere
	leastRate = 0.1  // requests a second below which a ratio is chance
)

// checkRetries finds a retry counter that does not move while there plainly are
// retries: it is exported, but not switched on.
func (x *exam) checkRetries() {
	retries, asked := x.answers[collector.Retries]
	if !asked || x.sys.Trust == collector.Heuristic {
		return
	}
	if len(retries.Samples) == 0 && !x.zeroFilled(collector.Retries) {
		return // that there is no such series is said already
	}
	for _, s := range retries.Samples {
		if s.V != 0 && !math.IsNaN(s.V) {
			return
		}
	}
	in := x.targets(collector.Ingress)
	worst, ratio := "", storming
	for id, down := range x.targets(collector.Downstream) {
		if r := down.v / in[id].v; in[id].v >= leastRate && r > ratio {
			worst, ratio = down.name, r
		}
	}
	if worst == "" {
		return
	}
	i := slices.IndexFunc(x.sys.Signals, func(s Signal) bool { return s.Signal == collector.Retries })
	f := &x.sys.Signals[i].Finding
	f.Level = Broken
	f.Text = joined(f.Text, fmt.Sprintf("it reads 0 while %s has %s attempts per request: probably not enabled",
		worst, collector.Num(ratio, collector.Ratio, collector.Exact)))
	f.Remedy = joined(enable(x.sys.profile.Name, collector.Retries, "the counter of retries"), f.Remedy)
	*f = f.cleaned()
}

// checkEdge asks the pair of sums that sees the same system from its users.
func (x *exam) checkEdge(ctx context.Context) {
	pair := x.sys.profile.Edge
	if pair == nil || x.ex.Rate <= 0 {
		return
	}
	var sums [2]float64
	for i, text := range []string{pair.Ingress, pair.Downstream} {
		ans, err := x.ask(ctx, strings.ReplaceAll(text, "$window", fmt.Sprintf("%dms", x.ex.Rate.Milliseconds())))
		if err != nil || len(ans.Samples) == 0 {
			x.find(Note, TopicEdge, "", "the ratio seen from the users cannot be had: no %s of it", [2]string{"ingress", "downstream"}[i])
			return
		}
		for _, s := range ans.Samples {
			sums[i] += s.V
		}
	}
	x.find(OK, TopicEdge, "", "seen from the users: %s in, %s behind it",
		collector.Num(sums[0], collector.PerSecond, collector.Exact), collector.Num(sums[1], collector.PerSecond, collector.Exact))
}

// without are the targets of a that b does not have, by name.
func without(a, b map[string]target) []string {
	var out []string
	for id, t := range a {
		if _, ok := b[id]; !ok {
			out = append(out, t.name)
		}
	}
	slices.Sort(out)
	return out
}

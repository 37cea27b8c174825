package prom

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/promql"
)

// DefaultReplicaLabels are the labels in which the series of a pair of
// Prometheus servers usually differ.
func DefaultReplicaLabels() []string { return []string{"prometheus_replica", "replica", "__replica__"} }

// Examined is what the series of a system look like on a server.
type Examined struct {
	Queries map[collector.Signal]string // as they are sent
	Rate    time.Duration               // the range of the rates in them
	Sides   [2]Side                     // ingress and downstream; where there is but one, the first is empty
	Labels  []string                    // of cluster and region, those with several values: they join the grouping
	Missing map[string]int              // label of the grouping -> series of either side without it
	Unknown []string                    // labels of the grouping that no series has
	Callers []string                    // labels of the callers that have several values
}

// Side is one side of a ratio as it is stored.
type Side struct {
	Selector  string
	Series    int
	Reporters int           // instances that export it now; 0: not known
	Usual     int           // instances that usually do; 0: not known
	Spacing   time.Duration // of the samples; 0: not known
	Replicas  []string      // replica labels with several values
	Doubled   float64       // series for each one that would be left if those labels were not there; 0: not known
	Jobs      float64       // the same for the label job: above 1, jobs scrape the same thing twice
	Newest    time.Time     // of the newest sample
}

// doubling is how much more than once a side may be there by chance, while a
// target moves from one address to the next.
const doubling = 1.05

// examine finds out what the series of a plan look like, in one query a side.
// What fails is not known.
func (s *Source) examine(ctx context.Context, p *plan, r *collector.Reading) Examined {
	out := Examined{Missing: map[string]int{}}
	in, down := p.sideSelectors()
	if len(in) > 0 && len(down) > 0 && in[0] == down[0] {
		in = nil
	}
	for i, list := range [][]string{in, down} {
		s.examineSide(ctx, p, list, &out, &out.Sides[i], r)
	}
	return out
}

// examineSide looks at the first selector of a side that has series.
func (s *Source) examineSide(ctx context.Context, p *plan, list []string, out *Examined, side *Side, r *collector.Reading) {
	for i, sel := range list {
		if i == 0 {
			side.Selector = sel
		}
		res := s.q.instant(ctx, s.examineQuery(p, sel), s.looking(), 16)
		addCost(r, res.cost)
		if res.fail != nil {
			return
		}
		facts := map[string]float64{}
		note(facts, factLabel, res.ans)
		if facts["series"] > 0 {
			side.Selector = sel
			s.enterFacts(p, out, side, facts)
			return
		}
	}
}

// factLabel carries the name of a fact in the combined query.
const factLabel = "stormtop_fact"

// examineQuery counts the series of a selector in several ways at once.
func (s *Source) examineQuery(p *plan, sel string) string {
	var parts []string
	fact := func(name, query string) {
		parts = append(parts, fmt.Sprintf("label_replace(%s, %q, %q, \"\", \"\")", query, factLabel, name))
	}
	fact("series", "count("+sel+")")
	fact("single", fmt.Sprintf("count(max without (%s) (%s))", promql.By(s.cfg.ReplicaLabels), sel))
	fact("jobs", fmt.Sprintf("count(max without (job) (%s))", sel))
	fact("reporters", fmt.Sprintf("count(count by (instance) (%s))", sel))
	for _, name := range slices.Concat(s.cfg.ReplicaLabels, profile.Places(), p.callers) {
		if only, ok := narrowed(sel, name, ""); ok {
			fact("values "+name, fmt.Sprintf("count(count by (%s) (%s))", promql.By([]string{name}), only))
		}
	}
	for _, name := range p.By {
		if without, ok := without(sel, name); ok {
			fact("without "+name, "count("+without+")")
		}
	}
	return strings.Join(parts, " or ")
}

func (s *Source) enterFacts(p *plan, out *Examined, side *Side, f map[string]float64) {
	side.Series, side.Reporters = int(f["series"]), int(f["reporters"])
	if f["single"] > 0 {
		side.Doubled = f["series"] / f["single"]
	}
	if f["jobs"] > 0 {
		side.Jobs = f["series"] / f["jobs"]
	}
	for _, name := range s.cfg.ReplicaLabels {
		if f["values "+name] > 1 {
			side.Replicas = append(side.Replicas, name)
		}
	}
	for _, name := range profile.Places() {
		if f["values "+name] > 1 && !slices.Contains(out.Labels, name) {
			out.Labels = append(out.Labels, name)
		}
	}
	for _, name := range p.callers {
		if f["values "+name] > 1 && !slices.Contains(out.Callers, name) {
			out.Callers = append(out.Callers, name)
		}
	}
	for name, n := range f {
		switch label, ok := strings.CutPrefix(name, "without "); {
		case !ok || n == 0:
		case n < f["series"]:
			out.Missing[label] += int(n)
		case s.cfg.By != nil && !slices.Contains(out.Unknown, label): // a template may make labels of its own
			out.Unknown = append(out.Unknown, label)
		}
	}
}

// narrowed adds label!="value" to a plain selector, without the one for label="value".
func narrowed(sel, label, not string) (string, bool) {
	return matching(sel, labels.MatchNotEqual, label, not)
}

// without narrows a plain selector down to the series that lack a label.
func without(sel, label string) (string, bool) { return matching(sel, labels.MatchEqual, label, "") }

func matching(sel string, t labels.MatchType, label, value string) (string, bool) {
	expr, err := promql.Language.ParseExpr(sel)
	vs, ok := expr.(*parser.VectorSelector)
	if err != nil || !ok {
		return "", false
	}
	m, err := labels.NewMatcher(t, label, value)
	if err != nil {
		return "", false
	}
	vs.LabelMatchers = append(slices.Clone(vs.LabelMatchers), m)
	return vs.String(), true
}

// adapt looks at the series of a system and makes its plan fit: what is there
// twice counts once, clusters are told apart, and the grouping is the one that
// was asked for.
func (s *Source) adapt(ctx context.Context, sys *system, r *collector.Reading) {
	p := sys.plan
	sys.facts = s.examine(ctx, p, r)
	p = p.finding(sys.facts.Sides)
	if list := sys.facts.replicas(); len(list) > 0 {
		p = p.collapsing(list)
	}
	if s.cfg.By == nil && p.Profile.Name != "" && p.Fixed == nil {
		p = p.with(sys.facts.Labels...)
	}
	sys.plan = s.grouped(p, sys.facts.Labels)
	sys.remarks = sys.facts.remarks(s.named(sys))
}

// replicas are the labels that must not count series twice.
func (e Examined) replicas() []string {
	var out []string
	for _, side := range e.Sides {
		if side.Doubled < doubling {
			continue
		}
		for _, name := range side.Replicas {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// remarks are what somebody must know of the series to trust the ratio.
func (e Examined) remarks(system string) []string {
	var out []string
	if list := e.replicas(); len(list) > 0 {
		text := fmt.Sprintf("%s has several values on the same series: each counts once", collector.Clean(strings.Join(list, " and ")))
		in, down := max(e.Sides[0].Doubled, 1), max(e.Sides[1].Doubled, 1)
		if e.Sides[0].Selector != "" && (down/in > doubling || in/down > doubling) {
			text += fmt.Sprintf(", or the ratio would read %s too much, since only one side is there twice",
				collector.Num(max(down/in, in/down), collector.Ratio, collector.Exact))
		}
		out = append(out, text)
	}
	for i, side := range e.Sides {
		if side.Jobs > doubling {
			word := [2]string{"ingress", "attempts"}[i]
			out = append(out, fmt.Sprintf("%s: two jobs scrape the same instances, so that much of it counts twice; keep one with --select 'job=\"NAME\"'", word))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Missing)) {
		out = append(out, fmt.Sprintf("%s series have no label %s: they stand together under an empty name",
			collector.FormatCount(float64(e.Missing[name])), collector.Clean(name)))
	}
	for _, name := range slices.Sorted(slices.Values(e.Unknown)) {
		out = append(out, fmt.Sprintf("no series of one side has the label %s", collector.Clean(name)))
	}
	if system != "" {
		for i := range out {
			out[i] = system + ": " + out[i]
		}
	}
	return out
}

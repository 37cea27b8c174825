package prom

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/profile"
)

const (
	detectLabel = "stormtop_profile" // carries a profile's name in the combined query
	detectBatch = 30                 // profiles that are looked for in one query
)

// detect looks which of the known profiles have data, in few combined queries.
// Nothing found is a failure, unless an edge pair was named.
func (s *Source) detect(ctx context.Context, r *collector.Reading) *failure {
	counts, fail := s.detectAll(ctx, r, s.cfg.Known)
	if fail != nil {
		return fail
	}
	found := withData(s.cfg.Known, counts)
	if len(found) == 0 && (s.cfg.Edge.Ingress == "" || s.cfg.Edge.Downstream == "") {
		return &failure{kind: collector.NothingFound, text: s.nothingFound()}
	}
	s.found, s.detected = found, s.cfg.Clock.Now()
	return nil
}

// detectMore looks for systems that have come since: of a server that was started
// a moment ago, not everything was there at once. One that was found stays.
func (s *Source) detectMore(ctx context.Context, r *collector.Reading) {
	s.detected = s.cfg.Clock.Now()
	counts, fail := s.detectAll(ctx, r, s.cfg.Known)
	if fail != nil {
		return
	}
	all := slices.Clone(s.found)
	for _, p := range withData(s.cfg.Known, counts) {
		if !slices.ContainsFunc(all, func(f profile.Profile) bool { return f.Name == p.Name }) {
			all = append(all, p)
		}
	}
	if len(all) == len(s.found) {
		return
	}
	before, _ := s.wanted()
	s.found = all
	if after, offered := s.wanted(); slices.EqualFunc(before, after, func(a, b profile.Profile) bool { return a.Name == b.Name }) {
		s.offer(offered)
	} else {
		s.startOver()
	}
}

// withData are the profiles of a list that were found; never nil.
func withData(list []profile.Profile, counts map[string]float64) []profile.Profile {
	out := []profile.Profile{}
	for i := range list {
		if _, ok := counts[list[i].Name]; ok {
			out = append(out, list[i])
		}
	}
	return out
}

// detectAll is what the detection queries of the profiles that have data
// returned. A combined query that the server rejects is split into its parts:
// one bad part must not hide the others.
func (s *Source) detectAll(ctx context.Context, r *collector.Reading, list []profile.Profile) (map[string]float64, *failure) {
	found := map[string]float64{}
	for start := 0; start < len(list); start += detectBatch {
		batch := list[start:min(start+detectBatch, len(list))]
		res := s.q.instant(ctx, s.detectQuery(batch), s.looking(), len(batch))
		addCost(r, res.cost)
		if res.fail != nil && res.fail.kind == collector.Rejected && res.fail.code != 404 && len(batch) > 1 {
			for i := range batch {
				one := s.q.instant(ctx, s.detectQuery(batch[i:i+1]), s.looking(), 1)
				addCost(r, one.cost)
				if one.fail == nil {
					note(found, detectLabel, one.ans)
				}
			}
			continue
		}
		if res.fail != nil {
			return nil, res.fail
		}
		note(found, detectLabel, res.ans)
	}
	return found, nil
}

// note enters the numbers of a combined answer under what a label says that they are.
func note(numbers map[string]float64, label string, ans *answer) {
	for _, series := range ans.series {
		for _, l := range series.labels.labels {
			if l.Name == label {
				numbers[l.Value] = ans.points[series.end-1].v
			}
		}
	}
}

func (s *Source) detectQuery(list []profile.Profile) string {
	only, _ := parseSelect(s.cfg.Select) // what is wrong with it was said by Open
	parts := make([]string, len(list))
	for i, p := range list {
		parts[i] = fmt.Sprintf("label_replace(%s, %q, %q, %q, \".*\")", rewriting{only: only}.apply(p.Detect), detectLabel, p.Name, detectLabel)
	}
	return strings.Join(parts, " or ")
}

// nothingFound is what the screen says when no known system has data.
func (s *Source) nothingFound() string {
	var metrics []string
	for _, p := range s.cfg.Known {
		metrics = append(metrics, p.LooksFor)
	}
	looked := "looked for " + strings.Join(metrics, ", ")
	if len(metrics) > 3 {
		looked = "stormtop profiles lists what was looked for, stormtop doctor says what is there"
	}
	systems := "none of %d known systems has"
	if len(metrics) == 1 {
		systems = "the %d known system has no"
	}
	return fmt.Sprintf("connected to %s; "+systems+" data here%s; %s; name your own with --signal ingress=PROMQL --signal downstream=PROMQL",
		s.q.addr.label(), len(metrics), s.among(), looked)
}

// nothingThere is the same for signals that were named: all of them are empty
// and so are the series behind them.
func (s *Source) nothingThere() string {
	return fmt.Sprintf("connected to %s, but none of the %d configured signals has any series here%s; is %s exported?",
		s.q.addr.label(), s.queries(), s.among(), strings.Join(s.selectors(3), ", "))
}

// among names what was looked at: a wrong tenant, or a selection that nothing is
// in, looks like empty data.
func (s *Source) among() string {
	out := ""
	if tenant := s.tenantID(); tenant != "" {
		out = fmt.Sprintf(" for tenant %q", collector.Clean(tenant))
	}
	if s.cfg.Select != "" {
		out += " among " + collector.Clean(s.cfg.Select)
	}
	return out
}

func (s *Source) tenantID() string {
	for k, v := range s.cfg.Headers {
		if strings.EqualFold(k, "X-Scope-OrgID") && v != "" {
			return v
		}
	}
	if s.cfg.HTTP != nil && s.cfg.HTTP.HTTPHeaders != nil {
		for k, h := range s.cfg.HTTP.HTTPHeaders.Headers {
			if strings.EqualFold(k, "X-Scope-OrgID") && len(h.Values) > 0 {
				return h.Values[0]
			}
		}
	}
	return ""
}

// selectors lists the distinct selectors of what is read, at most n.
func (s *Source) selectors(n int) []string {
	var out []string
	for _, sys := range s.systems {
		for _, sel := range sys.plan.selectors() {
			if !slices.Contains(out, sel) && len(out) < n {
				out = append(out, sel)
			}
		}
	}
	return out
}

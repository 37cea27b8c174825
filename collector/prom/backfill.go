package prom

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
)

const (
	worstTargets  = 50     // targets whose past is read beside those that breach
	breachTargets = 500    // targets that breach whose past is read
	maxSteps      = 10_000 // steps of one range query; Prometheus takes 11,000 points a series
	fewSteps      = 100    // steps that are asked for however many the targets are

	patience = 15 * time.Second // for the queries of the past, twice at most
)

// backfill reads what came before the first live reading: the span for the
// worst targets, and at full resolution as much as the rules need to be judged
// as if they had been watched all along. When it fails, the source goes on
// live and the reading says what is not known.
func (s *Source) backfill(ctx context.Context, live *collector.Reading) {
	if s.cfg.Span <= 0 {
		return
	}
	step := s.interval()
	end := pace.Slot(live.At.Add(step-1), step) // live may be off the slots when the interval has just changed
	need := s.ruleSpan(step)
	whole := max(s.cfg.Span, need)
	p := &past{source: s, origin: s.origin}
	cost := &collector.Reading{}
	what := "reading the last " + collector.FormatInterval(s.cfg.Span)
	s.progress(what, 0, s.queries())

	targets := 0
	for _, sys := range s.systems {
		pt := &part{system: sys, targets: s.choose(ctx, sys, cost, live, span{end.Add(-need), end.Add(-step), step})}
		p.parts = append(p.parts, pt)
		targets = max(targets, len(pt.targets))
	}
	steps := max(min(maxSteps, s.q.maxPoints/max(targets, 1)), fewSteps)
	p.begin(passes(end, whole, need, step, steps))
	remarks, slow := s.fillPast(ctx, cost, p, what)
	if slow && need < whole {
		// The states of the rules are worth another try, the picture is not.
		p.begin(passes(end, need, need, step, steps))
		recent := "reading the last " + collector.FormatInterval(need)
		remarks, _ = s.fillPast(ctx, cost, p, recent)
		remarks = append(remarks, fmt.Sprintf("%s took too long: it is filled in for the rules only, from %s",
			what, collector.FormatClock(end.Add(-need))))
	}
	live.Warnings = append(live.Warnings, remarks...)
	p.cost = cost.Cost
	if !p.empty() {
		s.past = p
		return
	}
	live.Warnings = append(live.Warnings, fmt.Sprintf("the last %s could not be read; the state of rules that ask for a duration is unknown until %s",
		collector.FormatInterval(s.cfg.Span), collector.FormatClock(live.At.Add(need))))
	addCost(live, p.cost)
}

// queries counts the queries of a poll for signals.
func (s *Source) queries() int {
	n := 0
	for _, sys := range s.systems {
		n += len(sys.plan.Signals)
	}
	return n
}

// ruleSpan is how far back rules reach: their longest duration and keep, and
// one step.
func (s *Source) ruleSpan(step time.Duration) time.Duration {
	var longest time.Duration
	for _, r := range s.cfg.Rules {
		if !r.Off {
			longest = max(longest, r.For+r.KeepFiring)
		}
	}
	return (longest + 2*step - 1).Truncate(step)
}

// passes divides the past before at: at the interval where that takes few
// enough steps, at most the given number in each, else coarse first and fine
// where the rules need it.
func passes(at time.Time, whole, fine, step time.Duration, most int) []span {
	limit := time.Duration(most)
	fine = min(fine, limit*step)
	steps := whole / step
	if steps <= limit {
		return []span{{at.Add(-steps * step), at.Add(-step), step}}
	}
	coarse := (steps + limit - 1) / limit * step
	end := at.Add(-fine - step)
	recent := span{at.Add(-fine), at.Add(-step), step}
	n := (whole - fine) / coarse
	if n == 0 {
		return []span{recent}
	}
	return []span{{end.Add(-(n - 1) * coarse), end, coarse}, recent}
}

// choose picks the targets whose past is read: all of them where they are few,
// else the worst at present and those that breached a rule lately.
func (s *Source) choose(ctx context.Context, sys *system, cost, live *collector.Reading, recent span) []collector.Target {
	if sys.plan.Edge() {
		return []collector.Target{*sys.plan.Fixed}
	}
	rows := make([]collector.Row, 0, len(sys.known))
	for i := range live.Targets {
		if t := &live.Targets[i].Target; t.System == sys.plan.Name() && (t.Kind != collector.Edge || sys.plan.Kind == collector.Edge) {
			rows = append(rows, live.Targets[i])
		}
	}
	if len(rows) > worstTargets {
		slices.SortStableFunc(rows, func(a, b collector.Row) int { return cmp.Compare(badness(b), badness(a)) })
	}
	var out []collector.Target
	chosen := map[string]bool{}
	for i := range rows[:min(len(rows), worstTargets)] {
		chosen[rows[i].Target.ID] = true
		out = append(out, rows[i].Target)
	}
	if len(rows) <= worstTargets {
		return out
	}
	left := 0
	for _, t := range s.breaching(ctx, sys, cost, live, recent) {
		switch {
		case chosen[t.ID]:
		case len(out) >= worstTargets+breachTargets:
			left++
		default:
			chosen[t.ID] = true
			out = append(out, t)
		}
	}
	if left > 0 {
		live.Warnings = append(live.Warnings, fmt.Sprintf("the rule states of %d further targets are unknown until %s", left,
			collector.FormatClock(live.At.Add(live.At.Sub(recent.start)))))
	}
	return out
}

// badness orders targets: amplification first, then attempts.
func badness(r collector.Row) float64 {
	a, ok := r.Values[collector.Amplification].Float()
	if !ok || math.IsNaN(a) {
		a = 0
	}
	d, _ := r.Values[collector.Downstream].Number()
	return min(a, 1e9) + min(d, 1e12)*1e-15
}

// fillPast sends the range queries, signal by signal, and returns the server's
// warnings and remarks on those that failed. It gives up when it is slow: the
// live picture waits for it, and a sick server is not to be burdened.
func (s *Source) fillPast(ctx context.Context, cost *collector.Reading, p *past, what string) (remarks []string, slow bool) {
	begun := s.cfg.Clock.Now()
	over := false // the server is not asked any more
	done, all := 0, s.queries()
	for _, pt := range p.parts {
		for _, sig := range pt.system.plan.Signals {
			failed := over
			for i := range pt.passes {
				ps := &pt.passes[i]
				if !failed {
					warnings, f := s.fillSignal(ctx, cost, pt, ps, sig)
					for _, w := range warnings {
						remarks = append(remarks, fmt.Sprintf("%s before the start: %s", sig, w))
					}
					if f != nil {
						failed = true
						remarks = append(remarks, fmt.Sprintf("%s before the start could not be read: %s", sig, f.text))
						slow = slow || f.kind == collector.TimedOut
						over = slow || f.dial || f.kind == collector.Forbidden || f.kind == collector.RateLimited || ctx.Err() != nil
					}
				}
				if failed {
					ps.failed = append(ps.failed, sig)
				}
			}
			done++
			s.progress(what, done, all)
			if done < all && s.cfg.Clock.Now().Sub(begun) > patience {
				slow, over = true, true
			}
		}
	}
	return remarks, slow
}

func (s *Source) fillSignal(ctx context.Context, cost *collector.Reading, pt *part, ps *pass, sig collector.Signal) ([]string, *failure) {
	p := pt.system.plan
	query := p.query(sig, s.rate())
	res := s.rangedFor(ctx, cost, p, query, ps.span, pt.targets, ps.totals != nil)
	if res.fail != nil {
		return nil, res.fail
	}
	col := newPastColumn(len(pt.targets))
	col.partial = len(res.ans.warnings) > 0
	index := make(map[string]int, len(pt.targets))
	for i, t := range pt.targets {
		index[t.ID] = i
	}
	for _, se := range res.ans.series {
		if i, ok := index[p.target(se.labels).ID]; ok {
			col.put(i, res.ans.points[se.start:se.end], ps.span)
		}
	}
	ps.columns[sig] = col
	if ps.totals == nil || sig.Derived() {
		return res.ans.warnings, nil
	}
	sum := "sum"
	if sig == collector.PoolWait {
		sum = "max"
	}
	total := s.q.ranged(ctx, sum+"("+query+")", ps.span)
	addCost(cost, total.cost)
	if total.fail != nil {
		return res.ans.warnings, total.fail
	}
	tc := newPastColumn(1)
	for _, se := range total.ans.series {
		tc.put(0, total.ans.points[se.start:se.end], ps.span)
	}
	ps.totals[sig] = tc
	return res.ans.warnings, nil
}

// rangedFor reads a range of the chosen targets only, where the query allows
// it. Where the narrowed query finds nothing, the labels were not those of the
// series after all, and everything is read.
func (s *Source) rangedFor(ctx context.Context, cost *collector.Reading, p *plan, query string, sp span, targets []collector.Target, narrow bool) result {
	if narrow && len(p.By) > 0 {
		if narrowed, ok := restrict(query, valuesOf(targets, p.By)); ok {
			res := s.q.ranged(ctx, narrowed, sp)
			addCost(cost, res.cost)
			if res.fail != nil || len(res.ans.series) > 0 {
				return res
			}
		}
	}
	res := s.q.ranged(ctx, query, sp)
	addCost(cost, res.cost)
	return res
}

func valuesOf(targets []collector.Target, by []string) map[string][]string {
	out := map[string][]string{}
	for _, name := range by {
		set := map[string]bool{}
		for _, t := range targets {
			set[t.Label(name)] = true
		}
		out[name] = slices.Sorted(maps.Keys(set))
	}
	return out
}

package prom

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"stormtop/collector"
	"stormtop/collector/promql"
)

// breaching lists the targets on which a rule's condition held within a span,
// by queries from which only these come back.
func (s *Source) breaching(ctx context.Context, sys *system, cost, live *collector.Reading, sp span) []collector.Target {
	var out []collector.Target
	seen := map[string]bool{}
	for _, r := range s.cfg.Rules {
		query, ok := sys.plan.condition(r, s.rate(), s.dividing().Least())
		if !ok {
			continue
		}
		res := s.q.ranged(ctx, query, sp)
		addCost(cost, res.cost)
		if res.fail != nil {
			live.Warnings = append(live.Warnings, fmt.Sprintf("%s: which targets it held on before the start could not be read: %s", r.Name, res.fail.text))
			if res.fail.kind == collector.TimedOut || res.fail.dial {
				break // the next one will not be quicker
			}
			continue
		}
		for _, se := range res.ans.series {
			if t := sys.plan.target(se.labels); !seen[t.ID] {
				seen[t.ID] = true
				out = append(out, t)
			}
		}
	}
	return out
}

// condition is a rule as one PromQL expression. ok is false for rules that are
// off, combine others, look only at the total, or whose signal is not measured.
func (p *plan) condition(r collector.RuleSpec, rate time.Duration, baseline float64) (string, bool) {
	if r.Off || r.Both[0] != "" || r.Scope == collector.ScopeTotal {
		return "", false
	}
	expr, ok := p.expression(r.Signal, rate, baseline)
	if !ok {
		return "", false
	}
	return fmt.Sprintf("%s %s %s", expr, r.Compare, strconv.FormatFloat(r.Threshold, 'g', -1, 64)), true
}

// expression is a signal as PromQL, formulas included, in parentheses.
func (p *plan) expression(s collector.Signal, rate time.Duration, baseline float64) (string, bool) {
	if p.Has(s) {
		return "(" + p.query(s, rate) + ")", true
	}
	num, den, ok := s.Sides()
	if !ok {
		return "", false
	}
	on := ""
	if p.By != nil {
		on = "on (" + promql.By(p.By) + ") "
	}
	if s == collector.RetryRate && !p.Has(collector.Retries) {
		in, okIn := p.expression(collector.Ingress, rate, 1)
		down, okDown := p.expression(collector.Downstream, rate, 1)
		return fmt.Sprintf("((%s - %s%s) / %s%s)", down, on, in, on, down), okIn && okDown
	}
	n, okN := p.expression(num, rate, 1)
	d, okD := p.expression(den, rate, 1)
	expr := n + " / " + on + d
	if s == collector.Amplification && baseline != 1 {
		expr += " / " + strconv.FormatFloat(baseline, 'g', -1, 64)
	}
	return "(" + expr + ")", okN && okD
}

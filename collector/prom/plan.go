package prom

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/profile"
)

// plan is what is asked for of one system: a query for each signal that is
// measured. But for the count of its sheets it is not changed once it is in use.
type plan struct {
	measure.System
	callers []string // labels that say who calls
	queries [collector.NumSignals]template
	found   [2]string // the selector of each side that has series; "": not known
	rewriting

	sheets uint64 // how many sheets were made for it
}

// signalsPlan combines a profile, or none, with signals that were named one by
// one.
func signalsPlan(cfg Config, p *profile.Profile) (*plan, error) {
	out := &plan{System: measure.NewSystem(p, cfg.By, cfg.Kind)}
	var err error
	if out.only, err = parseSelect(cfg.Select); err != nil {
		return nil, fmt.Errorf("--select %w", err)
	}
	texts := map[collector.Signal]string{}
	if p != nil {
		out.callers = p.Callers
		maps.Copy(texts, p.Signals)
		if out.By == nil {
			out.By = p.By
		}
	}
	maps.Copy(texts, cfg.Signals)
	for _, s := range slices.Sorted(maps.Keys(texts)) {
		if s == collector.NoSignal || s >= collector.NumSignals {
			return nil, fmt.Errorf("there is no %s to query", s)
		}
		_, named := cfg.Signals[s]
		if out.queries[s], err = parseTemplate(texts[s], out.By); err != nil {
			return nil, fmt.Errorf("%s: %w", measure.Where(out.Profile.Name, s, named), err)
		}
		out.Add(s, named)
	}
	if p != nil && p.Sum && !out.Has(collector.Downstream) {
		out.Adds()
	}
	return out, nil
}

// edgePlan is the plan of an edge pair: one target, two sums. A side that was
// named by the user wins over that of the profile; nil where a side has neither.
func edgePlan(cfg Config, p *profile.Profile) (*plan, error) {
	e := profile.Edge{Trust: collector.Approx, CannotSee: "sees what --ingress and --downstream count"}
	if p != nil && p.Edge != nil {
		e = *p.Edge
	}
	e.Ingress, e.Downstream = cmp.Or(cfg.Edge.Ingress, e.Ingress), cmp.Or(cfg.Edge.Downstream, e.Downstream)
	if e.Ingress == "" || e.Downstream == "" {
		return nil, nil
	}
	out := &plan{System: measure.NewEdge(p, e)}
	var err error
	if out.only, err = parseSelect(cfg.Select); err != nil {
		return nil, fmt.Errorf("--select %w", err)
	}
	named := [2]bool{cfg.Edge.Ingress != "", cfg.Edge.Downstream != ""}
	for i, text := range []string{e.Ingress, e.Downstream} {
		s := measure.Sides[i]
		if out.queries[s], err = parseTemplate(text, nil); err == nil {
			continue
		}
		if !named[i] && p != nil {
			return nil, fmt.Errorf("profile %s, edge, %s: %w", p.Name, s, err)
		}
		return nil, fmt.Errorf("--%s: %w", s, err)
	}
	return out, nil
}

// regroup is the plan with another grouping.
func (p *plan) regroup(by []string) *plan {
	out := *p
	out.By = by
	return &out
}

// with is the plan with further labels in its grouping.
func (p *plan) with(more ...string) *plan {
	by := slices.Clone(p.By)
	for _, name := range more {
		if !slices.Contains(by, name) {
			by = append(by, name)
		}
	}
	return p.regroup(by)
}

// collapsing is the plan in which series that differ in these labels alone
// count once.
func (p *plan) collapsing(list []string) *plan {
	out := *p
	out.collapse = list
	return &out
}

// finding is the plan whose sides are those that have series.
func (p *plan) finding(sides [2]Side) *plan {
	out := *p
	for i, side := range sides {
		if side.Series > 0 {
			out.found[i] = side.Selector
		}
	}
	return &out
}

// filled is the queries of a plan for one range of the rates.
type filled struct {
	rate    time.Duration
	queries [collector.NumSignals]string
	ages    [2]string // of the newest sample of a side, "" where it is not asked for
}

// fillFor is what a plan sends for a range of the rates: made once, for it is
// the same in every poll.
func (p *plan) fillFor(rate time.Duration) filled {
	out := filled{rate: rate}
	for _, s := range p.Signals {
		out.queries[s] = p.query(s, rate)
	}
	in, down := p.sides()
	if in != "" {
		out.ages[0] = "max(timestamp(" + in + "))"
	}
	if down != "" && down != in {
		out.ages[1] = "max(timestamp(" + down + "))"
	}
	return out
}

// query is what is sent for a signal.
func (p *plan) query(s collector.Signal, rate time.Duration) string {
	if p.Sum && s == collector.Downstream {
		in, re := p.queries[collector.Ingress], p.queries[collector.Retries]
		return p.apply(in.query(rate, p.By) + " + " + re.query(rate, p.By))
	}
	return p.apply(p.queries[s].query(rate, p.By))
}

// sides are the plain selectors behind ingress and downstream, "" where there
// is none: the ones that were found to have series, else the first. A signal
// that stands for a side when there is no such query is the first derived one.
func (p *plan) sides() (ingress, downstream string) {
	in, down := p.sideSelectors()
	pick := func(list []string, found string) string {
		if found != "" || len(list) == 0 {
			return found
		}
		return list[0]
	}
	return pick(in, p.found[0]), pick(down, p.found[1])
}

// sideSelectors are all plain selectors behind ingress and downstream: where a
// query falls back on a second metric, the first may have no series at all.
func (p *plan) sideSelectors() (ingress, downstream []string) {
	of := func(t template) []string {
		var out []string
		for _, sel := range t.sels {
			out = append(out, p.selector(sel))
		}
		return out
	}
	ingress, downstream = of(p.queries[collector.Ingress]), of(p.queries[collector.Downstream])
	if p.Sum {
		downstream = of(p.queries[collector.Retries])
	}
	if len(ingress)+len(downstream) == 0 {
		for _, s := range p.Signals {
			if list := of(p.queries[s]); len(list) > 0 {
				return nil, list
			}
		}
	}
	return ingress, downstream
}

// selectors lists the distinct plain selectors of the plan.
func (p *plan) selectors() []string {
	var out []string
	for _, s := range p.Signals {
		if sel := p.selector(p.queries[s].sel()); sel != "" && !slices.Contains(out, sel) {
			out = append(out, sel)
		}
	}
	return out
}

// system describes the plan for people.
func (p *plan) system(rate time.Duration, baseline float64) collector.System {
	return p.Describe(func(s collector.Signal) string {
		if p.queries[s].text == "" {
			return ""
		}
		return p.query(s, rate)
	}, baseline)
}

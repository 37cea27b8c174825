package prom

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// plan is what is asked for of one system: a query for each signal that is
// measured. But for the count of its sheets it is not changed once it is in use.
type plan struct {
	profile  profile.Profile // the zero one for signals that were named one by one
	by       []string        // nil: all labels of a series make the target
	callers  []string        // labels that say who calls
	kind     collector.RatioKind
	fixed    *collector.Target  // the only target, where labels do not make it
	signals  []collector.Signal // those with a query, in their fixed order
	queries  [collector.NumSignals]template
	units    [collector.NumSignals]collector.Unit
	trust    [collector.NumSignals]collector.Trust
	named    [collector.NumSignals]bool // given one by one, and not by the profile
	zeroFill []collector.Signal
	sum      bool // downstream is ingress + retries
	rewriting

	sheets uint64 // how many sheets were made for it
}

// signalsPlan combines a profile, or none, with signals that were named one by
// one.
func signalsPlan(cfg Config, p *profile.Profile) (*plan, error) {
	out := &plan{by: cfg.By, kind: cfg.Kind}
	var err error
	if out.only, err = parseSelect(cfg.Select); err != nil {
		return nil, fmt.Errorf("--select %w", err)
	}
	texts := map[collector.Signal]string{}
	if p != nil {
		out.profile, out.zeroFill, out.callers = *p, p.ZeroFill, p.Callers
		maps.Copy(texts, p.Signals)
		if out.by == nil {
			out.by = p.By
		}
		out.kind = cmp.Or(out.kind, p.Kind)
	}
	out.kind = cmp.Or(out.kind, collector.Hop)
	maps.Copy(texts, cfg.Signals)
	out.sum = p != nil && p.Sum && texts[collector.Downstream] == ""
	for _, s := range slices.Sorted(maps.Keys(texts)) {
		if s == collector.NoSignal || s >= collector.NumSignals {
			return nil, fmt.Errorf("there is no %s to query", s)
		}
		_, out.named[s] = cfg.Signals[s]
		t, err := parseTemplate(texts[s], out.by)
		if err != nil {
			where := "profile " + out.profile.Name + ", signal " + s.String()
			if out.named[s] {
				where = "--signal " + s.String()
			}
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		out.add(s, t)
	}
	if out.sum {
		out.trust[collector.Downstream], out.units[collector.Downstream] = p.Trust, collector.PerSecond
	}
	return out, nil
}

// add gives a signal its query.
func (p *plan) add(s collector.Signal, t template) {
	p.signals = append(p.signals, s)
	p.queries[s], p.units[s], p.trust[s] = t, s.Unit(), collector.Exact
	if !p.named[s] && p.profile.Name != "" {
		p.trust[s] = p.profile.Trust
		if !s.Derived() && p.trust[s] == collector.Heuristic && s != collector.Ingress && s != collector.Downstream {
			p.trust[s] = collector.Approx // the ratio is heuristic, what is counted is not
		}
		if u, ok := p.profile.Units[s]; ok {
			p.units[s] = u
		}
	}
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
	target := collector.Target{ID: "edge", Name: "edge", Kind: collector.Edge}
	out := &plan{kind: collector.Edge, by: []string{}}
	if p != nil {
		out.profile = profile.Profile{Name: p.Name, Title: p.Title, Trust: e.Trust, CannotSee: e.CannotSee, Unproven: p.Unproven}
		target = target.In(p.Name)
	} else {
		out.profile = profile.Profile{Trust: e.Trust, CannotSee: e.CannotSee}
	}
	out.fixed = &target
	var err error
	if out.only, err = parseSelect(cfg.Select); err != nil {
		return nil, fmt.Errorf("--select %w", err)
	}
	for _, side := range []struct {
		signal collector.Signal
		text   string
		flag   string
		named  bool
	}{
		{collector.Ingress, e.Ingress, "--ingress", cfg.Edge.Ingress != ""},
		{collector.Downstream, e.Downstream, "--downstream", cfg.Edge.Downstream != ""},
	} {
		t, err := parseTemplate(side.text, nil)
		if err != nil {
			if !side.named && p != nil {
				return nil, fmt.Errorf("profile %s, edge, %s: %w", p.Name, side.signal, err)
			}
			return nil, fmt.Errorf("%s: %w", side.flag, err)
		}
		out.named[side.signal] = side.named
		out.add(side.signal, t)
		out.trust[side.signal] = e.Trust
	}
	return out, nil
}

// regroup is the plan with another grouping.
func (p *plan) regroup(by []string) *plan {
	out := *p
	out.by = by
	return &out
}

// with is the plan with further labels in its grouping.
func (p *plan) with(more ...string) *plan {
	by := slices.Clone(p.by)
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

func (p *plan) has(s collector.Signal) bool {
	return p.queries[s].text != "" || p.sum && s == collector.Downstream
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
	for _, s := range p.signals {
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
	if p.sum && s == collector.Downstream {
		in, re := p.queries[collector.Ingress], p.queries[collector.Retries]
		return p.apply(in.query(rate, p.by) + " + " + re.query(rate, p.by))
	}
	return p.apply(p.queries[s].query(rate, p.by))
}

// sides are the plain selectors behind ingress and downstream, "" where there
// is none. A signal that stands for a side when there is no such query is the
// first derived one.
func (p *plan) sides() (ingress, downstream string) {
	ingress, downstream = p.queries[collector.Ingress].sel, p.queries[collector.Downstream].sel
	if p.sum {
		downstream = p.queries[collector.Retries].sel
	}
	if ingress == "" && downstream == "" {
		for _, s := range p.signals {
			if sel := p.queries[s].sel; sel != "" {
				return "", p.selector(sel)
			}
		}
	}
	return p.selector(ingress), p.selector(downstream)
}

// selectors lists the distinct plain selectors of the plan.
func (p *plan) selectors() []string {
	var out []string
	for _, s := range p.signals {
		if sel := p.selector(p.queries[s].sel); sel != "" && !slices.Contains(out, sel) {
			out = append(out, sel)
		}
	}
	return out
}

// system describes the plan for people.
func (p *plan) system(rate time.Duration, baseline float64) collector.System {
	out := collector.System{
		Profile: p.profile.Name, Title: p.profile.Title, Kind: p.kind, Trust: p.profile.Trust, Unproven: p.profile.Unproven,
		By: p.by, CannotSee: p.profile.CannotSee, Notes: p.profile.Notes, Explain: p.explain(rate, baseline),
	}
	if out.Trust == collector.NoTrust {
		out.Trust = collector.Exact
	}
	return out
}

// explain is the sentence behind each signal: its query, its formula, or why
// there is neither.
func (p *plan) explain(rate time.Duration, baseline float64) (out [collector.NumSignals]string) {
	for _, s := range collector.Signals() {
		switch {
		case p.sum && s == collector.Downstream:
			out[s] = "ingress + retries: attempts that never got a connection are in it, as they are in none of the counters of attempts"
		case p.has(s):
			out[s] = p.query(s, rate)
		case s == collector.Amplification:
			out[s] = "downstream / ingress"
			if baseline != 1 {
				out[s] += fmt.Sprintf(" / %v", baseline)
			}
		case s == collector.RetryRate && p.has(collector.Retries):
			out[s] = "retries / downstream"
		case s == collector.RetryRate:
			out[s] = "(downstream - ingress) / downstream"
		case s == collector.RescuedShare:
			out[s] = "rescued / successes"
		case s == collector.Delivered:
			out[s] = "successes / ingress"
		case p.profile.Absent[s] != "":
			out[s] = p.profile.Absent[s]
		case s == collector.Arrived || s == collector.Overflow:
		case p.profile.Name != "":
			out[s] = "not exported by " + p.profile.Name
		default:
			out[s] = fmt.Sprintf("no query: name one with --signal %s=PROMQL", s)
		}
	}
	return out
}

package prom

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// plan is what is asked for: a query for each signal that is measured.
type plan struct {
	detect    bool // nothing is named, so a profile has to be found first
	profile   string
	by        []string // nil: all labels of a series make the target
	kind      collector.RatioKind
	cannotSee string
	signals   []collector.Signal // those with a query, in their fixed order
	queries   [collector.NumSignals]template
	units     [collector.NumSignals]collector.Unit
	trust     [collector.NumSignals]collector.Trust
	zeroFill  []collector.Signal
	sheets    uint64 // how many sheets were made for it
}

// newPlan combines the profile with signals that were named one by one.
func newPlan(cfg Config) (*plan, error) {
	if cfg.Profile == nil && len(cfg.Signals) == 0 {
		for i := range cfg.Known {
			if _, err := planFor(cfg, &cfg.Known[i]); err != nil {
				return nil, err
			}
		}
		return &plan{detect: true}, nil
	}
	return planFor(cfg, cfg.Profile)
}

func planFor(cfg Config, p *profile.Profile) (*plan, error) {
	out := &plan{by: cfg.By, kind: cfg.Kind}
	texts := map[collector.Signal]string{}
	if p != nil {
		out.profile, out.cannotSee, out.zeroFill = p.Name, p.CannotSee, p.ZeroFill
		maps.Copy(texts, p.Signals)
		if out.by == nil {
			out.by = p.By
		}
		if out.kind == collector.NoRatioKind {
			out.kind = p.Kind
		}
	}
	if out.kind == collector.NoRatioKind {
		out.kind = collector.Hop
	}
	maps.Copy(texts, cfg.Signals)
	for _, s := range slices.Sorted(maps.Keys(texts)) {
		if s == collector.NoSignal || s >= collector.NumSignals {
			return nil, fmt.Errorf("there is no %s to query", s)
		}
		t, err := parseTemplate(texts[s], out.by)
		if err != nil {
			where := "profile " + out.profile + ", signal " + s.String()
			if _, own := cfg.Signals[s]; own {
				where = "--signal " + s.String()
			}
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		out.signals = append(out.signals, s)
		out.queries[s] = t
		out.units[s] = s.Unit()
		out.trust[s] = collector.Exact
		if _, own := cfg.Signals[s]; !own && p != nil {
			out.trust[s] = p.Trust
			if u, ok := p.Units[s]; ok {
				out.units[s] = u
			}
		}
	}
	return out, nil
}

func (p *plan) has(s collector.Signal) bool { return p.queries[s].text != "" }

// query is what is sent for a signal.
func (p *plan) query(s collector.Signal, rate time.Duration) string {
	return p.queries[s].query(rate, p.by)
}

// sides are the plain selectors behind ingress and downstream, "" where there
// is none. A signal that stands for a side when there is no such query is the
// first derived one.
func (p *plan) sides() (ingress, downstream string) {
	ingress, downstream = p.queries[collector.Ingress].sel, p.queries[collector.Downstream].sel
	if ingress == "" && downstream == "" {
		for _, s := range p.signals {
			if sel := p.queries[s].sel; sel != "" {
				return "", sel
			}
		}
	}
	return ingress, downstream
}

// explain is the sentence behind each signal: its query, its formula, or why
// there is neither.
func (p *plan) explain(rate time.Duration, baseline float64) (out [collector.NumSignals]string) {
	for _, s := range collector.Signals() {
		switch {
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
		case p.profile != "":
			out[s] = "not exported by " + p.profile
		default:
			out[s] = fmt.Sprintf("no query: name one with --signal %s=PROMQL", s)
		}
	}
	return out
}

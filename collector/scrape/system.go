package scrape

import (
	"fmt"
	"maps"
	"slices"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/scrape/eval"
)

// system is one kind of software that readings are judged by: its queries,
// compiled for the range of the rates and a grouping.
type system struct {
	profile profile.Profile // a name of "": signals that were named one by one
	by      []string        // nil: all labels of a series make the target
	kind    collector.RatioKind
	signals []collector.Signal // those with a query, in their fixed order
	exprs   [collector.NumSignals]*eval.Expr
	units   [collector.NumSignals]collector.Unit
	trust   [collector.NumSignals]collector.Trust
	why     [collector.NumSignals]string // why a template is not evaluated
	edge    [2]*eval.Expr                // ingress and downstream of the pair, or nil

	targets map[string]collector.Target // by label set, so that each is made once
}

// mostTargets bounds what is remembered of label sets.
const mostTargets = 100_000

// newSystem compiles a profile together with the signals that were named one by
// one. strict refuses what cannot be evaluated; else it is left out and said.
func (s *Source) newSystem(p profile.Profile, by []string, strict bool) (*system, error) {
	out := &system{profile: p, by: by, kind: s.cfg.Kind, targets: map[string]collector.Target{}}
	if out.kind == collector.NoRatioKind {
		out.kind = p.Kind
	}
	if out.kind == collector.NoRatioKind {
		out.kind = collector.Hop
	}
	texts := maps.Clone(p.Signals)
	if texts == nil {
		texts = map[collector.Signal]string{}
	}
	maps.Copy(texts, s.cfg.Signals)
	for _, sig := range slices.Sorted(maps.Keys(texts)) {
		if sig == collector.NoSignal || sig >= collector.NumSignals {
			return nil, fmt.Errorf("there is no %s to query", sig)
		}
		_, own := s.cfg.Signals[sig]
		name := p.Name
		if own {
			name = ""
		}
		expr, err := eval.Compile(fill(texts[sig], s.cfg.Rate, by))
		switch {
		case err != nil && (strict || own || !unsupported(err)):
			return nil, refusal(name, sig, err)
		case err != nil:
			out.why[sig] = err.Error()
			continue
		}
		out.signals = append(out.signals, sig)
		out.exprs[sig], out.units[sig], out.trust[sig] = expr, sig.Unit(), collector.Exact
		if !own {
			out.trust[sig], out.units[sig] = p.Trust, p.Unit(sig)
		}
	}
	return out, out.addEdge(s, strict)
}

// addEdge compiles the pair that relates what users asked to what arrived behind.
func (y *system) addEdge(s *Source, strict bool) error {
	e := y.profile.Edge
	if e == nil || e.Trust == collector.Heuristic {
		return nil
	}
	var pair [2]*eval.Expr
	for i, text := range []string{e.Ingress, e.Downstream} {
		expr, err := eval.Compile(fill(text, s.cfg.Rate, nil))
		switch {
		case err != nil && (strict || !unsupported(err)):
			return fmt.Errorf("profile %s, edge: %w", y.profile.Name, err)
		case err != nil:
			return nil
		}
		pair[i] = expr
	}
	y.edge = pair
	return nil
}

// sums reports whether downstream is computed from two other signals.
func (y *system) sums() bool {
	return y.profile.Sum && y.exprs[collector.Downstream] == nil && y.exprs[collector.Ingress] != nil && y.exprs[collector.Retries] != nil
}

// expressions are all expressions of the system.
func (y *system) expressions() []*eval.Expr {
	var out []*eval.Expr
	for _, sig := range y.signals {
		out = append(out, y.exprs[sig])
	}
	for _, e := range y.edge {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// selectors are all selectors of the system.
func (y *system) selectors() []*eval.Selector {
	var out []*eval.Selector
	for _, e := range y.expressions() {
		out = append(out, e.Selectors()...)
	}
	return out
}

// side is the selector behind ingress or downstream, nil where there is none.
func (y *system) side(sig collector.Signal) *eval.Selector {
	if sig == collector.Downstream && y.sums() {
		sig = collector.Retries
	}
	if e := y.exprs[sig]; e != nil && len(e.Selectors()) > 0 {
		return e.Selectors()[0]
	}
	return nil
}

// target makes the target of a label set: the grouping labels, or all labels but
// the metric's name where there is no grouping.
func (y *system) target(buf []byte, sample eval.Sample) (collector.Target, []byte) {
	buf = sample.Labels.Bytes(buf)
	if t, ok := y.targets[string(buf)]; ok {
		return t, buf
	}
	var list []collector.Label
	for name, value := range sample.Labels.Map() {
		if y.by == nil && name != "__name__" || slices.Contains(y.by, name) {
			list = append(list, collector.Label{Name: name, Value: value})
		}
	}
	t := collector.NewTarget(y.kind, list...).In(y.profile.Name)
	if len(y.targets) >= mostTargets {
		clear(y.targets)
	}
	y.targets[string(buf)] = t
	return t, buf
}

// describe is the system as an origin holds it.
func (y *system) describe(b collector.Baselines) collector.System {
	p := y.profile
	out := collector.System{Profile: p.Name, Title: p.Title, Kind: y.kind, Trust: p.Trust, Unproven: p.Unproven,
		By: y.by, CannotSee: p.CannotSee, Notes: p.Notes}
	if p.Name == "" {
		out.Trust = collector.Exact
	}
	for _, sig := range collector.Signals() {
		out.Explain[sig] = y.explain(sig, b)
	}
	return out
}

// explain is the query or formula behind a signal, or why there is neither.
func (y *system) explain(sig collector.Signal, b collector.Baselines) string {
	name := y.profile.Name
	switch {
	case y.exprs[sig] != nil:
		return y.exprs[sig].String()
	case y.why[sig] != "":
		return y.why[sig]
	case sig == collector.Downstream && y.sums():
		return "ingress + retries"
	case sig == collector.Amplification && b.For(collector.Target{}) != 1:
		return fmt.Sprintf("downstream / ingress / %v", b.For(collector.Target{}))
	case sig == collector.Amplification:
		return "downstream / ingress"
	case sig == collector.RetryRate && y.exprs[collector.Retries] != nil:
		return "retries / downstream"
	case sig == collector.RetryRate:
		return "(downstream - ingress) / downstream"
	case sig == collector.RescuedShare:
		return "rescued / successes"
	case sig == collector.Delivered:
		return "successes / ingress"
	case y.profile.Absent[sig] != "":
		return y.profile.Absent[sig]
	case name != "":
		return "not exported by " + name
	}
	return fmt.Sprintf("no query: name one with --signal %s=PROMQL", sig)
}

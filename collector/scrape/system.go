package scrape

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prometheus/prometheus/model/labels"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/profile"
	"stormtop/collector/promql"
	"stormtop/collector/scrape/eval"
)

// system is one kind of software that readings are judged by: its queries,
// compiled for the range of the rates and a grouping.
type system struct {
	measure.System
	exprs [collector.NumSignals]*eval.Expr
	why   [collector.NumSignals]string // why a template is not evaluated

	targets map[string]collector.Target // by label set, so that each is made once
	known   []collector.Target          // of the reading before, for a blind one
}

// mostTargets bounds what is remembered of label sets.
const mostTargets = 100_000

// newSystem compiles a profile together with the signals that were named one by
// one. strict refuses what cannot be evaluated; else it is left out and said.
func (s *Source) newSystem(p profile.Profile, by []string, strict bool) (*system, error) {
	out := &system{System: measure.NewSystem(&p, by, s.cfg.Kind), targets: map[string]collector.Target{}}
	texts := map[collector.Signal]string{}
	maps.Copy(texts, p.Signals)
	maps.Copy(texts, s.cfg.Signals)
	for _, sig := range slices.Sorted(maps.Keys(texts)) {
		if sig == collector.NoSignal || sig >= collector.NumSignals {
			return nil, fmt.Errorf("there is no %s to query", sig)
		}
		_, own := s.cfg.Signals[sig]
		expr, err := eval.Compile(promql.Fill(texts[sig], s.cfg.Rate, by))
		switch {
		case err != nil && (strict || own || !unsupported(err)):
			return nil, fmt.Errorf("%s: %w", measure.Where(p.Name, sig, own), err)
		case err != nil:
			out.why[sig] = err.Error()
			continue
		}
		out.exprs[sig] = expr
		out.Add(sig, own)
	}
	if p.Sum && !out.Has(collector.Downstream) && out.Has(collector.Ingress) && out.Has(collector.Retries) {
		out.Adds()
	}
	return out, nil
}

// newEdge compiles the pair that relates what users asked to what arrived behind;
// nil where a profile has none, or one that cannot be evaluated.
func (s *Source) newEdge(p profile.Profile, strict bool) (*system, error) {
	if p.Edge == nil {
		return nil, nil
	}
	out := &system{System: measure.NewEdge(&p, *p.Edge), targets: map[string]collector.Target{}}
	for i, text := range []string{p.Edge.Ingress, p.Edge.Downstream} {
		expr, err := eval.Compile(promql.Fill(text, s.cfg.Rate, nil))
		switch {
		case err != nil && (strict || !unsupported(err)):
			return nil, fmt.Errorf("profile %s, edge, %s: %w", p.Name, measure.Sides[i], err)
		case err != nil:
			return nil, nil
		}
		out.exprs[measure.Sides[i]] = expr
	}
	return out, nil
}

// selectors are all selectors of the system.
func (y *system) selectors() []*eval.Selector {
	var out []*eval.Selector
	for _, sig := range y.Signals {
		out = append(out, y.exprs[sig].Selectors()...)
	}
	return out
}

// side is the selector behind ingress or downstream, nil where there is none.
func (y *system) side(sig collector.Signal) *eval.Selector {
	if sig == collector.Downstream && y.Sum {
		sig = collector.Retries
	}
	if e := y.exprs[sig]; e != nil && len(e.Selectors()) > 0 {
		return e.Selectors()[0]
	}
	return nil
}

// target is the target of a sample, made once for each label set.
func (y *system) target(buf []byte, sample eval.Sample) (collector.Target, []byte) {
	buf = sample.Labels.Bytes(buf)
	if t, ok := y.targets[string(buf)]; ok {
		return t, buf
	}
	t := y.Target(labelsOf(sample.Labels))
	if len(y.targets) >= mostTargets {
		clear(y.targets)
	}
	y.targets[string(buf)] = t
	return t, buf
}

// labelsOf are the labels of a series as ours.
func labelsOf(set labels.Labels) []collector.Label {
	out := make([]collector.Label, 0, set.Len())
	set.Range(func(l labels.Label) { out = append(out, collector.Label{Name: l.Name, Value: l.Value}) })
	return out
}

// remember keeps the targets of a reading, so that they can be shown as failed
// when nothing comes.
func (y *system) remember(rows []collector.Row) {
	y.known = y.known[:0]
	for i := range rows {
		y.known = append(y.known, rows[i].Target)
	}
}

// text is the query of a signal as it is evaluated, or why it is not; "" where
// there is none.
func (y *system) text(sig collector.Signal) string {
	if e := y.exprs[sig]; e != nil {
		return e.String()
	}
	return y.why[sig]
}

package profile

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
)

// bySignal reads a mapping whose keys are signals.
func (r *reader) bySignal(n *yaml.Node, in string, each func(collector.Signal, *yaml.Node)) {
	r.pairs(n, in, func(key string, k, v *yaml.Node) {
		s, err := collector.ParseSignal(key)
		if err != nil {
			r.wrong(k.Line, "%s%w", in, err)
			return
		}
		each(s, v)
	})
}

func (r *reader) signals(n *yaml.Node) {
	r.bySignal(n, "signals: ", func(s collector.Signal, v *yaml.Node) {
		in := "signals: " + s.String() + ": "
		text := r.text(v, in)
		switch {
		case s == collector.Downstream && strings.Join(strings.Fields(text), " ") == sumOf:
			r.p.Sum = true
		case text == "" && resolve(v).Kind == yaml.ScalarNode:
			r.wrong(v.Line, "%sthe template is empty: leave the signal out, or say why there is none under absent", in)
		default:
			r.p.Signals[s] = r.template(text, v.Line, in)
		}
	})
}

func (r *reader) units(n *yaml.Node) {
	r.bySignal(n, "units: ", func(s collector.Signal, v *yaml.Node) {
		u, err := collector.ParseUnit(r.text(v, "units: "))
		if err != nil {
			r.wrong(v.Line, "units: %s: %w", s, err)
			return
		}
		r.p.Units[s] = u
	})
}

func (r *reader) zeroFill(n *yaml.Node) {
	r.list(n, "zero_fill: ", func(text string, line int) {
		s, err := collector.ParseSignal(text)
		if err != nil {
			r.wrong(line, "zero_fill: %w", err)
			return
		}
		r.p.ZeroFill = append(r.p.ZeroFill, s)
	})
}

func (r *reader) edge(n *yaml.Node) {
	if null(resolve(n)) {
		return
	}
	e := &Edge{}
	r.fields(n, "edge: ", []field{
		{"ingress", func(n *yaml.Node) {
			e.Ingress = r.template(r.text(n, "edge: ingress: "), n.Line, "edge: ingress: ", "$by")
		}},
		{"downstream", func(n *yaml.Node) {
			e.Downstream = r.template(r.text(n, "edge: downstream: "), n.Line, "edge: downstream: ", "$by")
		}},
		{"trust", func(n *yaml.Node) { e.Trust = r.trust(n, "edge: ") }},
		{"cannot_see", func(n *yaml.Node) { e.CannotSee = r.sentence(n, "edge: cannot_see: ") }},
	})
	if e.Ingress == "" || e.Downstream == "" || e.Trust == collector.NoTrust || e.CannotSee == "" {
		r.wrong(n.Line, "edge: ingress, downstream, trust and cannot_see are needed")
	}
	r.p.Edge = e
}

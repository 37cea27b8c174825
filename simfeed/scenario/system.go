package scenario

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// The system: its classes, services and edges.

func (r *reader) classes(n *yaml.Node) {
	r.named(n, "classes", chain.MaxClasses, func(name string) { r.s.Classes = append(r.s.Classes, chain.NewClass(name)) })
	r.each(n, "classes.", func(in string, v *yaml.Node) { r.below(v, in, false) })
}

func (r *reader) services(n *yaml.Node) {
	r.named(n, "services", chain.MaxServices, func(name string) { r.s.Services = append(r.s.Services, chain.NewService(name)) })
	r.each(n, "services.", func(in string, v *yaml.Node) { r.below(v, in, true) })
	r.each(n, "services.", func(in string, v *yaml.Node) {
		r.ofClasses(v, in, func(n *yaml.Node, in string) { r.below(n, in, false) })
	})
}

func (r *reader) edges(n *yaml.Node) {
	const most = chain.MaxServices * chain.MaxHops
	if r.plain(n, "edges") && n.Kind == yaml.MappingNode && len(n.Content)/2 > most {
		r.wrong(at(n), "edges: are %d: at most %d", len(n.Content)/2, most)
		return
	}
	r.pairs(n, "edges.", func(key string, k, v *yaml.Node) {
		from, to, ok := strings.Cut(key, ">")
		if !ok || from == "" || to == "" || strings.ContainsAny(key, "[].* ") || strings.Contains(to, ">") {
			r.wrong(at(k), "edges: %s is no edge: write CALLER>CALLEE, without spaces", collector.Quote(key))
			return
		}
		r.places["edges."+key] = at(k)
		r.s.Edges = append(r.s.Edges, chain.NewEdge(from, to))
	})
	r.each(n, "edges.", func(in string, v *yaml.Node) { r.policy(v, in) })
	r.each(n, "edges.", func(in string, v *yaml.Node) { r.ofClasses(v, in, r.policy) })
}

// policy reads the fields of an edge, a preset first: it replaces all others.
func (r *reader) policy(n *yaml.Node, in string) {
	if n.Kind != yaml.MappingNode {
		r.below(n, in, true) // says what is wrong
		return
	}
	ordered := *n
	ordered.Content = nil
	for _, first := range []bool{true, false} {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if (n.Content[i].Value == "policy") == first {
				ordered.Content = append(ordered.Content, n.Content[i], n.Content[i+1])
			}
		}
	}
	r.below(&ordered, in, true)
}

// ofClasses reads the level "classes" of a service or an edge, once everything
// that they share is there.
func (r *reader) ofClasses(n *yaml.Node, in string, read func(n *yaml.Node, in string)) {
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != "classes" {
			continue
		}
		owner := strings.TrimSuffix(in, ".")
		r.pairs(n.Content[i+1], in+"classes.", func(class string, k, v *yaml.Node) {
			if strings.ContainsAny(class, "[].*") {
				r.wrong(at(k), "%sclasses: %s is no class", in, collector.Quote(class))
				return
			}
			r.places[owner+"["+class+"]"] = at(k)
			read(v, owner+"["+class+"].")
		})
	}
}

// named makes the things of a mapping, before any field of them is read.
func (r *reader) named(n *yaml.Node, what string, most int, add func(name string)) {
	if r.plain(n, what) && n.Kind == yaml.MappingNode && len(n.Content)/2 > most {
		r.wrong(at(n), "%s: are %d: at most %d", what, len(n.Content)/2, most)
		n.Content = nil
		return
	}
	r.pairs(n, what+".", func(key string, k, _ *yaml.Node) {
		if strings.ContainsAny(key, ">[].* ") {
			r.wrong(at(k), "%s: %s is no name: use letters, digits, - and _", what, collector.Quote(key))
			return
		}
		r.places[what+"."+key] = at(k)
		add(key)
	})
}

// each reads the fields of the things of a mapping that named or edges made.
func (r *reader) each(n *yaml.Node, in string, read func(in string, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if r.places[in+k.Value] != at(k) || v.Kind == yaml.AliasNode || v.Anchor != "" {
			continue // already told
		}
		if v.Kind == yaml.ScalarNode && v.Tag == "!!null" {
			continue // "NAME:" alone is one with the defaults
		}
		read(in+k.Value+".", v)
	}
}

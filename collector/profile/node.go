package profile

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// reader turns the nodes of a file into a profile and keeps what is wrong.
type reader struct {
	p        Profile
	check    Check          // nil: templates are not looked at
	lines    map[string]int // where the fields that are there stand
	mistakes []mistake
}

// field reads the value of one field.
type field struct {
	name string
	read func(*yaml.Node)
}

// fields reads a mapping that has certain fields only.
func (r *reader) fields(n *yaml.Node, in string, list []field) {
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	r.pairs(n, in, func(key string, k, v *yaml.Node) {
		for _, f := range list {
			if f.name == key {
				r.lines[in+key] = k.Line
				f.read(v)
				return
			}
		}
		r.wrong(k.Line, "%sunknown field %s%s: the fields are %s", in, collector.Quote(key), usage.DidYouMean(key, names), strings.Join(names, ", "))
	})
}

// pairs calls each for every key of a mapping.
func (r *reader) pairs(n *yaml.Node, in string, each func(key string, k, v *yaml.Node)) {
	if n = resolve(n); n.Kind != yaml.MappingNode {
		if !null(n) {
			r.wrong(n.Line, "%sa list of NAME: VALUE is needed here", in)
		}
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		key := resolve(k).Value
		if line, twice := seen[key]; twice {
			r.wrong(k.Line, "%s%s is there twice, first in line %d", in, collector.Quote(key), line)
			continue
		}
		seen[key] = k.Line
		each(key, k, v)
	}
}

// text reads a value that is one text, without space around it.
func (r *reader) text(n *yaml.Node, in string) string {
	switch v := resolve(n); {
	case v.Kind != yaml.ScalarNode:
		r.wrong(n.Line, "%sa text is needed here", in)
	case !null(v):
		return strings.TrimSpace(v.Value)
	}
	return ""
}

// sentence reads a text for people: one line, safe for a terminal.
func (r *reader) sentence(n *yaml.Node, in string) string {
	return collector.Clean(strings.Join(strings.Fields(r.text(n, in)), " "))
}

// list reads a sequence of texts, of which none is empty or there twice.
func (r *reader) list(n *yaml.Node, in string, each func(text string, line int)) {
	v := resolve(n)
	if v.Kind != yaml.SequenceNode {
		if !null(v) {
			r.wrong(n.Line, "%sa list is needed here: write [a, b]", in)
		}
		return
	}
	seen := map[string]bool{}
	for _, item := range v.Content {
		text := r.text(item, in)
		switch {
		case text == "":
			r.wrong(item.Line, "%san item is empty", in)
		case seen[text]:
			r.wrong(item.Line, "%s%s is there twice", in, collector.Quote(text))
		default:
			seen[text] = true
			each(text, item.Line)
		}
	}
}

// resolve follows an alias to what it stands for.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

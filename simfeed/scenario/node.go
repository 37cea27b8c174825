package scenario

import (
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// reader turns the nodes of a file into a scenario and keeps what is wrong.
type reader struct {
	s        Scenario
	places   map[string]place // where the fields stand, by path
	mistakes []mistake
}

// field reads the value of one field.
type field struct {
	name string
	read func(*yaml.Node)
}

// fields reads a mapping that has certain fields only. in is what stands in
// front of their names, such as "actions.cut.".
func (r *reader) fields(n *yaml.Node, in string, list []field) {
	r.pairs(n, in, func(key string, k, v *yaml.Node) {
		for _, f := range list {
			if f.name == key {
				r.places[in+key] = at(k)
				f.read(v)
				return
			}
		}
		var names []string
		for _, f := range list {
			names = append(names, f.name)
		}
		r.wrong(at(k), "%s: unknown field%s: the fields are %s", in+key, usage.DidYouMean(key, names), strings.Join(names, ", "))
	})
}

// pairs calls each for every key of a mapping, and notes keys that are there
// twice.
func (r *reader) pairs(n *yaml.Node, in string, each func(key string, k, v *yaml.Node)) {
	if !r.plain(n, in) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.wrong(at(n), "%s: a list of NAME: VALUE is needed here", name(in))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if !r.plain(k, in) || !r.plain(v, in+k.Value) {
			continue
		}
		switch line, twice := seen[k.Value]; {
		case k.Kind != yaml.ScalarNode || k.Value == "":
			r.wrong(at(k), "%s: a name is needed in front of the colon", name(in))
		case twice:
			r.wrong(at(k), "%s: is there twice, first in line %d: keep one", in+k.Value, line)
		default:
			seen[k.Value] = k.Line
			each(k.Value, k, v)
		}
	}
}

// name is a prefix of paths as the name of what it is in front of.
func name(in string) string {
	if in = strings.TrimSuffix(in, "."); in == "" {
		return "the file"
	}
	return in
}

// plain reports whether a node stands for itself.
func (r *reader) plain(n *yaml.Node, path string) bool {
	switch {
	case n.Kind == yaml.AliasNode:
		r.wrong(at(n), "%s: aliases (*%s) are not read: write the value itself", name(path), n.Value)
	case n.Anchor != "":
		r.wrong(at(n), "%s: anchors (&%s) are not read: leave it out", name(path), n.Anchor)
	default:
		return true
	}
	return false
}

// text reads a value that is one text, without space around it. Of a list it is
// the items with commas between them.
func (r *reader) text(n *yaml.Node, path string) (string, bool) {
	switch {
	case !r.plain(n, path):
	case n.Kind == yaml.SequenceNode:
		var items []string
		for _, item := range n.Content {
			if !r.plain(item, path) {
				return "", false
			}
			if item.Kind != yaml.ScalarNode {
				r.wrong(at(item), "%s: an item of the list must be one value", path)
				return "", false
			}
			items = append(items, strings.TrimSpace(item.Value))
		}
		return strings.Join(items, ", "), true
	case n.Kind != yaml.ScalarNode:
		r.wrong(at(n), "%s: one value is needed here, not a list of NAME: VALUE", path)
	case n.Tag == "!!null":
		r.wrong(at(n), "%s: has no value: write one, or leave the line out", path)
	default:
		return strings.TrimSpace(n.Value), true
	}
	return "", false
}

// sentence reads a text for people: one line, safe for a terminal.
func (r *reader) sentence(n *yaml.Node, path string) string {
	text, _ := r.text(n, path)
	return collector.Clean(strings.Join(strings.Fields(text), " "))
}

func (r *reader) duration(n *yaml.Node, path string, most time.Duration) time.Duration {
	text, ok := r.text(n, path)
	if !ok {
		return 0
	}
	if strings.HasPrefix(text, "-") {
		r.wrong(at(n), "%s: %s is negative: it must be from 0s to %s", path, collector.Quote(text), collector.FormatInterval(most))
		return 0
	}
	d, err := collector.ParseDuration(text)
	switch {
	case err != nil:
		r.wrong(at(n), "%s: %v", path, err)
		return 0
	case d > most:
		r.wrong(at(n), "%s: %s is too long: it must be from 0s to %s", path, collector.Quote(text), collector.FormatInterval(most))
		return 0
	}
	return d
}

func (r *reader) toggle(n *yaml.Node, path string) bool {
	text, ok := r.text(n, path)
	if !ok {
		return false
	}
	on, err := usage.Switch(text)
	if err != nil {
		r.wrong(at(n), "%s: %v: write on or off", path, err)
	}
	return on
}

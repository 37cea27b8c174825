package scenario

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// What changes: the timeline, what an operator can do, the variants.

func (r *reader) timeline(n *yaml.Node) { r.s.Timeline = r.changes(n, "timeline", true) }

// changes reads a list of changes. Each may set several fields.
func (r *reader) changes(n *yaml.Node, path string, timed bool) []chain.Change {
	out := []chain.Change{}
	r.items(n, path, chain.MaxChanges, func(item string, v *yaml.Node) {
		out = append(out, r.change(v, path, item, len(out), timed)...)
	})
	return out
}

// change reads one item: when, what, and for how long. first is the number of
// its first change in the list that it belongs to.
func (r *reader) change(n *yaml.Node, list, path string, first int, timed bool) []chain.Change {
	var c chain.Change
	var sets *yaml.Node
	when := false
	fields := []field{
		{"at", func(v *yaml.Node) { c.At, when = r.duration(v, path+".at", chain.MaxLength), true }},
		{"set", func(v *yaml.Node) { sets = v }},
		{"for", func(v *yaml.Node) { c.For = r.duration(v, path+".for", chain.MaxLength) }},
		{"over", func(v *yaml.Node) { c.Over = r.duration(v, path+".over", chain.MaxLength) }},
		{"note", func(v *yaml.Node) { c.Note = r.sentence(v, path+".note") }},
	}
	if timed {
		fields = append(fields, field{"standing", func(v *yaml.Node) { c.Standing = r.toggle(v, path+".standing") }})
	}
	r.fields(n, path+".", fields)
	if timed && !when && n.Kind == yaml.MappingNode {
		r.wrong(at(n), "%s: has no time: write at: and when, such as at: 60s", path)
	}
	if sets == nil {
		if n.Kind == yaml.MappingNode {
			r.wrong(at(n), "%s: sets nothing: write set: {PATH: VALUE}", path)
		}
		return nil
	}
	return r.setsOf(sets, list, path, first, c)
}

// setsOf is a change for each field that is set.
func (r *reader) setsOf(n *yaml.Node, list, path string, first int, c chain.Change) []chain.Change {
	var out []chain.Change
	for _, s := range r.settings(n, path+".set") {
		r.places[list+"["+strconv.Itoa(first+len(out))+"]"] = s.place
		c.Field, c.Value = s.Field, s.Value
		out = append(out, c)
	}
	return out
}

type placed struct {
	Setting
	place
}

// settings reads a mapping of paths and values, in its order.
func (r *reader) settings(n *yaml.Node, path string) []placed {
	var out []placed
	r.pairs(n, path+".", func(key string, k, v *yaml.Node) {
		if text, ok := r.text(v, path+"."+key); ok {
			out = append(out, placed{Setting{key, text}, at(k)})
		}
	})
	return out
}

func (r *reader) actions(n *yaml.Node) { r.s.Actions = r.actionsOf(n, "actions.") }

// actionsOf reads what an operator can do. in is what stands in front of the
// names.
func (r *reader) actionsOf(n *yaml.Node, list string) (out []chain.Action) {
	r.pairs(n, list, func(key string, k, v *yaml.Node) {
		in := list + key
		r.places[in] = at(k)
		a := chain.Action{Name: key}
		var sets, steps *yaml.Node
		var c chain.Change
		r.fields(v, in+".", []field{
			{"title", func(v *yaml.Node) { a.Title = r.sentence(v, in+".title") }},
			{"at", func(v *yaml.Node) { a.At = r.duration(v, in+".at", chain.MaxLength) }},
			{"wrong", func(v *yaml.Node) { a.Wrong = r.toggle(v, in+".wrong") }},
			{"set", func(v *yaml.Node) { sets = v }},
			{"for", func(v *yaml.Node) { c.For = r.duration(v, in+".for", chain.MaxLength) }},
			{"over", func(v *yaml.Node) { c.Over = r.duration(v, in+".over", chain.MaxLength) }},
			{"steps", func(v *yaml.Node) { steps = v }},
		})
		if sets != nil {
			a.Changes = r.setsOf(sets, in, in, 0, c)
		}
		if steps != nil {
			r.items(steps, in+".steps", chain.MaxChanges, func(item string, v *yaml.Node) {
				a.Changes = append(a.Changes, r.change(v, in, item, len(a.Changes), false)...)
			})
		}
		if len(a.Changes) == 0 && v.Kind == yaml.MappingNode {
			r.wrong(at(k), "%s: does nothing: write set: {PATH: VALUE}, or steps: with a list of them", in)
		}
		if len(out) == maxActions {
			r.wrong(at(k), "%s: are more than %d: leave some out", name(list), maxActions)
			return
		}
		out = append(out, a)
	})
	return out
}

func (r *reader) variants(n *yaml.Node) {
	r.pairs(n, "variants.", func(key string, k, v *yaml.Node) {
		if !isName(key) {
			r.wrong(at(k), "variants: %s is no name: use letters, digits, - and _", collector.Quote(key))
			return
		}
		in := "variants." + key
		r.places[in] = at(k)
		variant := Variant{Name: key}
		r.fields(v, in+".", []field{
			{"title", func(v *yaml.Node) { variant.Title = r.sentence(v, in+".title") }},
			{"set", func(v *yaml.Node) {
				for _, s := range r.settings(v, in+".set") {
					variant.Set = append(variant.Set, s.Setting)
					r.places[in+"."+s.Field] = s.place
				}
			}},
			{"timeline", func(v *yaml.Node) { variant.Timeline = r.changes(v, in+".timeline", true) }},
			{"actions", func(v *yaml.Node) { variant.Actions = r.actionsOf(v, in+".actions.") }},
		})
		if len(r.s.Variants) == maxVariants {
			r.wrong(at(k), "variants: are more than %d: leave some out", maxVariants)
			return
		}
		r.s.Variants = append(r.s.Variants, variant)
	})
}

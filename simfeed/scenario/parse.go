package scenario

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// MaxSize is the largest file that is read, in bytes. The time to check one is
// bounded by it.
const MaxSize = 256 << 10

// The bounds of what chain has no bounds for.
const (
	maxVariants = 24
	maxActions  = 100
	maxBlind    = 100
	// Every change is tried out in every variant.
	maxTrials = 4000
)

// remedy is where to find a file that is right.
const remedy = "stormtop scenarios --show payment-1945 prints one to start from"

// Parse reads a scenario and checks it with all its variants. file is its name,
// for errors: all of them come at once, each with its line and column.
func Parse(file string, data []byte) (Scenario, error) {
	r := &reader{places: map[string]place{}}
	r.s.Scenario, r.s.Baseline = chain.NewScenario(""), 1
	r.read(data)
	if err := r.report(file); err != nil {
		return Scenario{}, err
	}
	return r.s, nil
}

func (r *reader) read(data []byte) {
	if len(data) > MaxSize {
		r.wrong(place{}, "is %d bytes long: at most %d are read", len(data), MaxSize)
		return
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF), err == nil && len(doc.Content) == 0:
		r.wrong(place{}, "the file is empty: %s", remedy)
		return
	case err != nil:
		r.malformed(data, err)
		return
	}
	switch err := dec.Decode(&more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		r.malformed(data, err)
	default:
		r.wrong(at(&more), "a second document begins here: one file is one scenario")
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		r.wrong(at(root), "a scenario is a list of NAME: VALUE: %s", remedy)
		return
	}
	r.scenario(root)
	if len(r.mistakes) > 0 {
		return // what is missing may only be missing because of them
	}
	if n := r.trials(); n > maxTrials {
		list := "timeline"
		for _, later := range []string{"actions", "variants"} {
			if _, ok := r.places[later]; ok {
				list = later
			}
		}
		r.wrong(r.places[list], "%s: there are %d changes in all, of timeline and actions in every variant: at most %d; leave some out", list, n, maxTrials)
		return
	}
	if err := r.s.Validate(); err != nil {
		r.blame("", err)
		return
	}
	r.s.file = r.s.Clone()
	for _, v := range r.s.Variants {
		if _, err := r.s.with(v); err != nil {
			r.blameVariant(v.Name, err)
		}
	}
}

// trials is how many changes there are to be tried out, in the scenario and in
// all its variants.
func (r *reader) trials() int {
	of := func(actions []chain.Action) (n int) {
		for _, a := range actions {
			n += len(a.Changes)
		}
		return n
	}
	actions := of(r.s.Actions)
	all := len(r.s.Timeline) + actions
	for _, v := range r.s.Variants {
		all += actions + of(v.Actions)
		if v.Timeline == nil {
			all += len(r.s.Timeline)
		} else {
			all += len(v.Timeline)
		}
	}
	return all
}

// blameVariant notes what is wrong with a scenario as one of its variants.
func (r *reader) blameVariant(name string, err error) {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner // the prefix of with
	}
	r.blame("variants."+name+".", err)
}

// scenario reads the whole file. What the timeline and the variants change must
// be there before they are looked at, so they come last wherever they stand.
func (r *reader) scenario(root *yaml.Node) {
	s := &r.s
	later := map[string]*yaml.Node{}
	keep := func(name string) field { return field{name, func(n *yaml.Node) { later[name] = n }} }
	set := func(name string) field { return field{name, func(n *yaml.Node) { r.set(name, n) }} }
	r.fields(root, "", []field{
		{"name", func(n *yaml.Node) { s.Name = r.name(n) }},
		{"title", func(n *yaml.Node) { s.Title = r.sentence(n, "title") }},
		{"look", func(n *yaml.Node) { s.Look = r.sentence(n, "look") }},
		{"source", func(n *yaml.Node) { s.From = r.sentence(n, "source") }},
		keep("fitted"),
		set("length"),
		set("every"),
		{"loop", func(n *yaml.Node) { s.Loop = r.toggle(n, "loop") }},
		{"baseline", r.baseline},
		{"watch", func(n *yaml.Node) { r.below(n, "watch.", false) }},
		{"judge", func(n *yaml.Node) { r.below(n, "judge.", false) }},
		{"blind", r.blind},
		keep("classes"), keep("services"), keep("edges"), keep("timeline"), keep("actions"), keep("variants"),
	})
	if s.Name == "" && r.places["name"] == (place{}) {
		r.wrong(at(root), "name: is missing: write name: and a word in the first line")
	}
	for _, step := range []field{
		{"classes", r.classes}, {"services", r.services}, {"edges", r.edges},
		{"fitted", r.fitted}, {"timeline", r.timeline}, {"actions", r.actions}, {"variants", r.variants},
	} {
		if n := later[step.name]; n != nil {
			step.read(n)
		}
	}
}

func (r *reader) name(n *yaml.Node) string {
	text, ok := r.text(n, "name")
	if ok && !isName(text) {
		r.wrong(at(n), "name: %s is no name: use letters, digits, - and _, up to 60 of them", collector.Quote(text))
	}
	return text
}

// isName reports whether a text is one word that can stand in a path.
func isName(text string) bool {
	return text != "" && len(text) <= 60 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// set sets a field of the scenario, by its path.
func (r *reader) set(path string, n *yaml.Node) {
	text, ok := r.text(n, path)
	if !ok {
		return
	}
	r.places[path] = at(n)
	if err := r.s.Set(path, text); err != nil {
		r.wrong(at(n), "%v", err)
	}
}

// below sets all fields of a mapping: a level of it is a dot of the path. With
// classes the level of that name is left for later.
func (r *reader) below(n *yaml.Node, in string, classes bool) {
	r.pairs(n, in, func(key string, k, v *yaml.Node) {
		switch {
		case classes && key == "classes":
		case v.Kind == yaml.MappingNode:
			r.places[in+key] = at(k)
			r.below(v, in+key+".", false)
		default:
			r.setAt(in+key, k, v)
		}
	})
}

// setAt is set, with an error of the name told at the name, and one of the value
// at the value.
func (r *reader) setAt(path string, k, v *yaml.Node) {
	if _, err := r.s.Get(path); err != nil {
		r.wrong(at(k), "%v", err)
		return
	}
	r.set(path, v)
}

func (r *reader) baseline(n *yaml.Node) {
	text, ok := r.text(n, "baseline")
	if !ok {
		return
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f > 0 && f <= 1e6) {
		r.wrong(at(n), "baseline: %s: give the attempts for a request when all is well, above 0 and up to 1000000", collector.Quote(text))
		return
	}
	r.s.Baseline = f
}

func (r *reader) blind(n *yaml.Node) {
	r.items(n, "blind", maxBlind, func(path string, item *yaml.Node) {
		var b Span
		r.fields(item, path+".", []field{
			{"from", func(v *yaml.Node) { b.From = r.duration(v, path+".from", chain.MaxLength) }},
			{"to", func(v *yaml.Node) { b.To = r.duration(v, path+".to", chain.MaxLength) }},
		})
		last := Span{}
		if len(r.s.Blind) > 0 {
			last = r.s.Blind[len(r.s.Blind)-1]
		}
		switch {
		case b.To <= b.From:
			r.wrong(at(item), "%s: from %v to %v: it must begin before it ends", path, b.From, b.To)
		case b.From < last.To:
			r.wrong(at(item), "%s: begins before the one before it ends: order them by time", path)
		}
		r.s.Blind = append(r.s.Blind, b)
	})
}

// items calls each for every item of a list.
func (r *reader) items(n *yaml.Node, path string, most int, each func(path string, item *yaml.Node)) {
	switch {
	case !r.plain(n, path):
	case n.Kind != yaml.SequenceNode:
		r.wrong(at(n), "%s: a list is needed here: begin each item with a -", path)
	case len(n.Content) > most:
		r.wrong(at(n), "%s: has %d items: at most %d", path, len(n.Content), most)
	default:
		for i, item := range n.Content {
			each(path+"["+strconv.Itoa(i)+"]", item)
		}
	}
}

func (r *reader) fitted(n *yaml.Node) {
	r.items(n, "fitted", 200, func(path string, item *yaml.Node) {
		text, ok := r.text(item, path)
		if !ok {
			return
		}
		if _, err := r.s.Get(text); err != nil {
			r.wrong(at(item), "fitted: %v", err)
			return
		}
		r.s.Fitted = append(r.s.Fitted, text)
	})
}

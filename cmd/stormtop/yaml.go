package main

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// branch is a place in the configuration file: an option, or a mapping of more.
type branch struct {
	option *option
	below  map[string]*branch
	keys   []string
}

// tree arranges the options by their paths.
func tree(all []option) *branch {
	root := &branch{}
	for i := range all {
		if all[i].path == "" {
			continue
		}
		b := root
		for key := range strings.SplitSeq(all[i].path, ".") {
			b = b.child(key)
		}
		b.option = &all[i]
	}
	return root
}

func (b *branch) child(key string) *branch {
	if b.below == nil {
		b.below = map[string]*branch{}
	}
	if b.below[key] == nil {
		b.below[key] = &branch{}
		b.keys = append(b.keys, key)
	}
	return b.below[key]
}

// walker walks over a file, collecting values and everything that is wrong.
type walker struct {
	name  string // of the file
	all   []option
	wrong problems
}

// parseConfig reads the text of a configuration file. All its errors are
// reported at once, each with its line.
func parseConfig(all []option, name string, text []byte) (configFile, error) {
	out := configFile{name: name, layer: newLayer(fileLayer), contexts: map[string]layer{}}
	w := &walker{name: name, all: all}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return out, nil
	case err != nil:
		w.syntax(err)
		return configFile{}, w.wrong.orNil()
	}
	root := doc.Content[0]
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		w.add(&more, "a second document begins here: keep one")
	}
	if isNull(root) {
		return out, w.wrong.orNil()
	}
	schema := tree(all)
	schema.child(contextsKey)
	w.mapping(root, "the file", func(key, value *yaml.Node) {
		if key.Value == contextsKey {
			w.contexts(value, schema, &out)
			return
		}
		w.descend(schema, "", key, value, out.layer)
	})
	return out, w.wrong.orNil()
}

func (w *walker) contexts(node *yaml.Node, schema *branch, out *configFile) {
	fields := &branch{below: map[string]*branch{}}
	for _, key := range schema.keys {
		if key != contextsKey && key != contextPath {
			fields.keys = append(fields.keys, key)
			fields.below[key] = schema.below[key]
		}
	}
	w.mapping(node, contextsKey, func(key, value *yaml.Node) {
		l := newLayer(contextLayer)
		out.contexts[key.Value] = l
		out.order = append(out.order, key.Value)
		w.mapping(value, contextsKey+"."+key.Value, func(k, v *yaml.Node) {
			w.descend(fields, "", k, v, l)
		})
	})
}

// descend takes the entry key: value of the mapping that b describes.
func (w *walker) descend(b *branch, path string, key, value *yaml.Node, into layer) {
	next := b.below[key.Value]
	full := strings.TrimPrefix(path+"."+key.Value, ".")
	switch {
	case next == nil:
		w.unknown(key, full, b)
	case next.option != nil:
		w.option(next.option, full, key, value, into)
	case next.below["url"] != nil && isText(follow(value)):
		w.option(next.below["url"].option, full, key, value, into) // prom: URL is short for prom: {url: URL}
	case next.below["file"] != nil && isText(follow(value)):
		w.option(next.below["file"].option, full, key, value, into) // rules: FILE is short for rules: {file: FILE}
	default:
		w.mapping(value, full, func(k, v *yaml.Node) { w.descend(next, full, k, v, into) })
	}
}

// unknown explains a field that b does not have; full is its name with the
// levels above it.
func (w *walker) unknown(key *yaml.Node, full string, b *branch) {
	text := "unknown field " + collector.Quote(full)
	o := w.meant(full)
	switch near := usage.Nearest(key.Value, b.keys); {
	case o != nil && o.path == "":
		text += ": it is a flag only, --" + o.name
	case o != nil:
		text += ": it is " + o.path + " here, which is written as " + nested(o.path)
	case near != "":
		text += ", did you mean " + near + "?"
	default:
		text += ": here are " + strings.Join(b.keys, ", ")
	}
	w.add(key, text)
}

// alike makes flags, variables and fields of one option equal.
var alike = strings.NewReplacer("-", ".", "_", ".", " ", ".")

// meant is the option that somebody may mean by a field that does not exist:
// by the name of its flag or of its variable, or by its levels in one word.
func (w *walker) meant(full string) *option {
	word := alike.Replace(strings.ToLower(full))
	word = strings.TrimPrefix(strings.TrimLeft(word, "."), "stormtop.")
	for i := range w.all {
		o := &w.all[i]
		if o.path != contextPath && (word == alike.Replace(o.name) || word == alike.Replace(o.path)) {
			return o
		}
	}
	return nil
}

// nested is the place of an option as the file has it: "a: {b: ...}".
func nested(path string) string {
	levels := strings.Split(path, ".")
	return strings.Join(levels, ": {") + ": ..." + strings.Repeat("}", len(levels)-1)
}

// option takes the values of one option.
func (w *walker) option(o *option, full string, key, value *yaml.Node, into layer) {
	put := func(at *yaml.Node, text string) {
		if o.file && text != "" && !filepath.IsAbs(text) {
			text = filepath.Join(filepath.Dir(w.name), text)
		}
		var scratch settings
		if err := o.set(&scratch, []string{text}); err != nil {
			sentence := full + " " + err.Error()
			if rest, ok := strings.CutPrefix(err.Error(), at.Value+": "); ok && o.form == pairs {
				sentence = full + "." + at.Value + ": " + rest
			}
			w.add(at, sentence)
			return
		}
		into.put(o, text, w.place(at))
	}
	value = follow(value)
	switch {
	case o.form == pairs:
		w.mapping(value, full, func(k, v *yaml.Node) {
			if text, ok := w.scalar(v, full+"."+k.Value); ok {
				put(k, k.Value+"="+text)
			}
		})
	case o.form == list && value.Kind == yaml.SequenceNode:
		for _, item := range value.Content {
			if text, ok := w.scalar(item, full); ok {
				put(item, text)
			}
		}
	default:
		if text, ok := w.scalar(value, full); ok {
			put(key, text)
		}
	}
}

func (w *walker) scalar(node *yaml.Node, full string) (string, bool) {
	node = follow(node)
	switch {
	case node.Kind != yaml.ScalarNode:
		w.add(node, full+" is to be a single value")
	case isNull(node):
		w.add(node, full+" has no value: write one, or take the line out")
	default:
		return node.Value, true
	}
	return "", false
}

// mapping calls each for the entries of a mapping; keys that are given twice
// are errors.
func (w *walker) mapping(node *yaml.Node, full string, each func(key, value *yaml.Node)) {
	node = follow(node)
	if node.Kind != yaml.MappingNode {
		w.add(node, full+" is to hold fields, one a line, like name: value")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := follow(node.Content[i])
		switch {
		case key.Kind != yaml.ScalarNode:
			w.add(key, "the name of a field is to be a word")
			continue
		case seen[key.Value]:
			w.add(key, collector.Quote(key.Value)+" is given twice: keep one")
			continue
		}
		seen[key.Value] = true
		each(key, node.Content[i+1])
	}
}

// follow follows an alias. Aliases cannot nest, and the walk goes no deeper than
// the options do, so that a file cannot make it endless.
func follow(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode && node.Alias != nil {
		return node.Alias
	}
	return node
}

func isText(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && !isNull(node) }

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

func (w *walker) place(node *yaml.Node) string {
	return collector.Clean(w.name) + ":" + strconv.Itoa(max(node.Line, 1))
}

func (w *walker) add(node *yaml.Node, sentence string) {
	w.wrong = append(w.wrong, problem{at: w.place(node), line: max(node.Line, 1), err: errors.New(sentence)})
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax reports text that is no YAML at all.
func (w *walker) syntax(err error) {
	line, text := 1, err.Error()
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		if n, convErr := strconv.Atoi(m[1]); convErr == nil {
			line = n
		}
		text = m[2]
	}
	w.add(&yaml.Node{Line: line}, "this is no YAML: "+collector.Clean(text)+"; mind the indentation, spaces only")
}

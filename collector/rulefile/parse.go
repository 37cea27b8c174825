package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
)

// Problem is something wrong in a rule file.
type Problem struct {
	Line int
	Err  error
}

func (p *Problem) Error() string { return fmt.Sprintf("line %d: %v", p.Line, p.Err) }

// Unwrap is what is wrong, without the place.
func (p *Problem) Unwrap() error { return p.Err }

// Parse reads a rule file, plain or wrapped as a PrometheusRule. The error holds
// a *Problem for everything that is wrong, with its line, in the order of the
// lines.
func Parse(text []byte) (*File, error) {
	doc, err := document(text)
	if err != nil {
		return nil, err
	}
	r := &reader{}
	out := &File{Comment: head(text)}
	if len(doc.Content) == 0 {
		return nil, &Problem{1, errors.New("the file is empty: it has no groups")}
	}
	r.root(doc.Content[0], out)
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b *Problem) int { return a.Line - b.Line })
		errs := make([]error, len(r.problems))
		for i, p := range r.problems {
			errs[i] = p
		}
		return nil, errors.Join(errs...)
	}
	return out, nil
}

// document is the one of a file. Of several a server reads the first alone.
func document(text []byte) (doc yaml.Node, err error) {
	var more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); err != nil && err != io.EOF {
		return doc, yamlProblem(err)
	}
	for {
		switch err := d.Decode(&more); {
		case err == io.EOF:
			return doc, nil
		case err != nil:
			return doc, yamlProblem(err)
		case len(more.Content) > 0 && more.Content[0].Tag != "!!null":
			return doc, &Problem{max(more.Content[0].Line, 1), errors.New("a second document begins, which a server does not read: make one file of each")}
		}
	}
}

// yamlProblem takes the line out of the words of the YAML package.
func yamlProblem(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if n, rest, ok := strings.Cut(strings.TrimPrefix(text, "line "), ": "); ok && strings.HasPrefix(text, "line ") {
		if i, err := strconv.Atoi(n); err == nil {
			line, text = i, rest
		}
	}
	return &Problem{line, errors.New("no YAML: " + collector.Clean(text))}
}

// head is the comment at the beginning of a file.
func head(text []byte) []string {
	var out []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if !strings.HasPrefix(line, "#") {
			break
		}
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
	}
	return out
}

type reader struct{ problems []*Problem }

func (r *reader) wrong(n *yaml.Node, format string, args ...any) {
	r.problems = append(r.problems, &Problem{max(n.Line, 1), fmt.Errorf(format, args...)})
}

// root finds the groups.
func (r *reader) root(n *yaml.Node, out *File) {
	n = resolve(n)
	if n.Kind == yaml.MappingNode && value(n, "kind") != nil {
		r.resource(n, out)
		return
	}
	seen := false
	r.fields(n, "a rule file", map[string]func(*yaml.Node){
		"groups": func(n *yaml.Node) { seen = true; r.groups(n, out) },
	})
	if !seen && len(r.problems) == 0 {
		r.wrong(n, "it has no groups: a rule file begins with groups:")
	}
}

// resource reads a PrometheusRule.
func (r *reader) resource(n *yaml.Node, out *File) {
	kind := value(n, "kind")
	if kind.Value != "PrometheusRule" {
		r.wrong(kind, "it is a %s, not a PrometheusRule", collector.Quote(kind.Value))
		return
	}
	spec := value(n, "spec")
	if spec == nil || value(resolve(spec), "groups") == nil {
		r.wrong(n, "the PrometheusRule has no spec.groups")
		return
	}
	r.groups(value(resolve(spec), "groups"), out)
	out.Resource = &Resource{}
	meta := value(n, "metadata")
	if meta == nil {
		return
	}
	meta = resolve(meta)
	for name, into := range map[string]func(*yaml.Node){
		"name":        func(n *yaml.Node) { out.Resource.Name = r.text(n, "metadata.name") },
		"namespace":   func(n *yaml.Node) { out.Resource.Namespace = r.text(n, "metadata.namespace") },
		"labels":      func(n *yaml.Node) { out.Resource.Labels = r.pairs(n, "metadata.labels") },
		"annotations": func(n *yaml.Node) { out.Resource.Annotations = r.pairs(n, "metadata.annotations") },
	} {
		if n := value(meta, name); n != nil {
			into(n)
		}
	}
}

func (r *reader) groups(n *yaml.Node, out *File) {
	names := map[string]int{}
	for _, g := range r.list(n, "groups") {
		one := Group{Line: g.Line}
		r.fields(g, "a group", map[string]func(*yaml.Node){
			"name":         func(n *yaml.Node) { one.Name = r.text(n, "name") },
			"interval":     func(n *yaml.Node) { one.Interval = r.duration(n, "interval") },
			"query_offset": func(n *yaml.Node) { one.QueryOffset = r.duration(n, "query_offset") },
			"limit":        func(n *yaml.Node) { one.Limit = r.number(n, "limit") },
			"labels": func(n *yaml.Node) {
				one.Labels = r.pairs(n, "labels")
				r.names(n, one.Labels, "labels")
			},
			"partial_response_strategy": func(n *yaml.Node) { one.Partial = r.text(n, "partial_response_strategy") },
			"rules": func(n *yaml.Node) {
				for _, item := range r.list(n, "rules") {
					one.Rules = append(one.Rules, r.rule(item))
				}
			},
		})
		switch line, again := names[one.Name]; {
		case one.Name == "":
			r.wrong(g, "the group has no name")
		case again:
			r.wrong(g, "the group %s is there already, in line %d: names of groups are unique", collector.Quote(one.Name), line)
		default:
			names[one.Name] = g.Line
		}
		out.Groups = append(out.Groups, one)
	}
}

func (r *reader) rule(n *yaml.Node) Rule {
	out := Rule{Line: n.Line}
	where := n
	var labels, annotations *yaml.Node
	r.fields(n, "a rule", map[string]func(*yaml.Node){
		"record":          func(n *yaml.Node) { out.Record = r.text(n, "record") },
		"alert":           func(n *yaml.Node) { out.Alert = r.text(n, "alert") },
		"expr":            func(n *yaml.Node) { out.Expr, where = strings.TrimSpace(r.text(n, "expr")), n },
		"for":             func(n *yaml.Node) { out.For = r.duration(n, "for") },
		"keep_firing_for": func(n *yaml.Node) { out.Keep = r.duration(n, "keep_firing_for") },
		"labels":          func(n *yaml.Node) { out.Labels, labels = r.pairs(n, "labels"), n },
		"annotations":     func(n *yaml.Node) { out.Annotations, annotations = r.pairs(n, "annotations"), n },
	})
	r.names(labels, out.Labels, "labels")
	r.names(annotations, out.Annotations, "annotations")
	if out.Alert != "" {
		r.templates(labels, out.Labels, "labels")
		r.templates(annotations, out.Annotations, "annotations")
	}
	switch {
	case (out.Record == "") == (out.Alert == ""):
		r.wrong(n, "a rule has either record or alert")
	case out.Record != "" && (out.For > 0 || out.Keep > 0 || len(out.Annotations) > 0):
		r.wrong(n, "the recording rule %s has no use for for, keep_firing_for and annotations", collector.Quote(out.Record))
	case strings.ContainsAny(out.Record, "{}"):
		r.wrong(n, "the recording rule %s has braces in its name, which belong to its expr or its labels", collector.Quote(out.Record))
	case out.Expr == "":
		r.wrong(n, "%s has no expr", collector.Quote(out.Record+out.Alert))
	default:
		if err := checkExpr(out.Expr); err != nil {
			r.wrong(where, "%s: %w", collector.Quote(out.Record+out.Alert), err)
		}
	}
	return out
}

// fields calls for each key of a mapping what is known of it.
func (r *reader) fields(n *yaml.Node, what string, known map[string]func(*yaml.Node)) {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "%s is a mapping, with a field a line", what)
		return
	}
	seen := map[string]bool{}
	content := r.entries(n)
	for i := 0; i+1 < len(content); i += 2 {
		key := content[i]
		switch f := known[key.Value]; {
		case f == nil:
			r.wrong(key, "%s has no field %s", what, collector.Quote(key.Value))
		case seen[key.Value]:
			r.wrong(key, "%s is there twice", key.Value)
		default:
			seen[key.Value] = true
			f(content[i+1])
		}
	}
}

func (r *reader) list(n *yaml.Node, what string) []*yaml.Node {
	n = resolve(n)
	if isNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.wrong(n, "%s is a list", what)
		return nil
	}
	out := make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		out[i] = resolve(c)
	}
	return out
}

// text is that of a scalar. Of what is left empty it is "", as to a server.
func (r *reader) text(n *yaml.Node, what string) string {
	n = resolve(n)
	if n.Kind != yaml.ScalarNode {
		r.wrong(n, "%s is a text", what)
		return ""
	}
	if isNull(n) {
		return ""
	}
	return n.Value
}

// isNull reports whether nothing stands behind a key.
func isNull(n *yaml.Node) bool {
	n = resolve(n)
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

func (r *reader) duration(n *yaml.Node, what string) time.Duration {
	if isNull(n) {
		return 0
	}
	text := r.text(n, what)
	d, err := collector.ParseDuration(text)
	if err != nil {
		r.wrong(n, "%s: %w", what, err)
	}
	return d
}

func (r *reader) number(n *yaml.Node, what string) int {
	if isNull(n) {
		return 0
	}
	i, err := strconv.Atoi(r.text(n, what))
	if err != nil || i < 0 {
		r.wrong(n, "%s is a whole number", what)
	}
	return i
}

func (r *reader) pairs(n *yaml.Node, what string) []Pair {
	n = resolve(n)
	if isNull(n) {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "%s are a mapping of names and texts", what)
		return nil
	}
	var out []Pair
	content := r.entries(n)
	for i := 0; i+1 < len(content); i += 2 {
		out = append(out, Pair{content[i].Value, r.text(content[i+1], what+": "+collector.Clean(content[i].Value))})
	}
	slices.SortStableFunc(out, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// value is the node of a key of a mapping, or nil.
func value(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// resolve follows aliases.
func resolve(n *yaml.Node) *yaml.Node {
	for range 16 {
		if n.Kind != yaml.AliasNode || n.Alias == nil {
			break
		}
		n = n.Alias
	}
	return n
}

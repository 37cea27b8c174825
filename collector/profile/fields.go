package profile

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
	"stormtop/collector/promql"
)

// sumOf is how a profile writes that downstream is computed from two others.
const sumOf = "ingress + retries"

// profile reads a whole document.
func (r *reader) profile(doc *yaml.Node) {
	p := &r.p
	p.Signals, p.Units, p.Absent = map[collector.Signal]string{}, map[collector.Signal]collector.Unit{}, map[collector.Signal]string{}
	p.Unproven = true
	root := doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) > 0 {
		root = doc.Content[0]
	}
	list := []field{
		{"name", func(n *yaml.Node) { p.Name = r.name(n) }},
		{"title", func(n *yaml.Node) { p.Title = r.sentence(n, "title: ") }},
		{"status", r.status},
		{"looks_for", func(n *yaml.Node) { p.LooksFor = r.sentence(n, "looks_for: ") }},
		{"detect", func(n *yaml.Node) { p.Detect = r.template(r.text(n, "detect: "), n.Line, "detect: ", "$window", "$by") }},
		{"by", func(n *yaml.Node) { p.By = r.labels(n, "by: ") }},
		{"callers", func(n *yaml.Node) { p.Callers = r.labels(n, "callers: ") }},
		{"supersedes", func(n *yaml.Node) {
			r.list(n, "supersedes: ", func(text string, _ int) { p.Supersedes = append(p.Supersedes, text) })
		}},
		{"kind", r.kind},
		{"trust", func(n *yaml.Node) { p.Trust = r.trust(n, "") }},
		{"signals", r.signals},
		{"units", r.units},
		{"zero_fill", r.zeroFill},
		{"absent", func(n *yaml.Node) {
			r.bySignal(n, "absent: ", func(s collector.Signal, v *yaml.Node) { p.Absent[s] = r.sentence(v, "absent: ") })
		}},
		{"edge", r.edge},
		{"cannot_see", func(n *yaml.Node) { p.CannotSee = r.sentence(n, "cannot_see: ") }},
		{"notes", func(n *yaml.Node) { p.Notes = r.sentence(n, "notes: ") }},
	}
	if resolve(root).Kind != yaml.MappingNode {
		r.wrong(root.Line, "a profile is a list of NAME: VALUE: stormtop profiles --show=envoy prints one to start from")
		return
	}
	r.fields(root, "", list)
	r.complete()
}

var profileName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func (r *reader) name(n *yaml.Node) string {
	text := r.text(n, "name: ")
	if text != "" && !profileName.MatchString(text) {
		r.wrong(n.Line, "name: %s is no name of a profile: write it in small letters, digits and underscores", collector.Quote(text))
	}
	return text
}

func (r *reader) status(n *yaml.Node) {
	switch text := r.text(n, "status: "); text {
	case "proven":
		r.p.Unproven = false
	case "unproven", "":
	default:
		r.wrong(n.Line, "status: %s is not known: it is proven or unproven", collector.Quote(text))
	}
}

func (r *reader) kind(n *yaml.Node) {
	switch text := r.text(n, "kind: "); text {
	case "hop":
		r.p.Kind = collector.Hop
	case "edge":
		r.p.Kind = collector.Edge
	case "":
	default:
		r.wrong(n.Line, "kind: %s is not known: it is hop or edge", collector.Quote(text))
	}
}

func (r *reader) trust(n *yaml.Node, in string) collector.Trust {
	text := r.text(n, in+"trust: ")
	if text == "" {
		return collector.NoTrust
	}
	t, err := collector.ParseTrust(text)
	if err != nil {
		r.wrong(n.Line, "%strust: %w", in, err)
	}
	return t
}

func (r *reader) labels(n *yaml.Node, in string) (out []string) {
	r.list(n, in, func(text string, line int) {
		if !promql.IsLabel(text) {
			r.wrong(line, "%s%s is no name of a label", in, collector.Quote(text))
		}
		out = append(out, text)
	})
	return out
}

// template looks at PromQL in which some placeholders must not be used.
func (r *reader) template(text string, line int, in string, without ...string) string {
	for _, word := range without {
		if strings.Contains(text, word) {
			r.wrong(line, "%s%s is not filled in here", in, word)
			return text
		}
	}
	if r.check != nil && text != "" {
		if err := r.check(text); err != nil {
			r.wrong(line, "%s%w", in, err)
		}
	}
	return text
}

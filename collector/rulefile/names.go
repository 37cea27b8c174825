package rulefile

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/template/parse"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
)

// names checks the names of labels or annotations as a server does.
func (r *reader) names(n *yaml.Node, list []Pair, what string) {
	for _, p := range list {
		switch {
		case p.Name == "":
			r.wrong(r.entry(n, p.Name), "%s: a name is empty", what)
		case p.Name == "__name__" && what == "labels":
			r.wrong(r.entry(n, p.Name), "labels: __name__ is the name of the metric, and cannot be set by a rule")
		}
	}
}

// templates checks that labels or annotations of an alert can be filled in. Which
// functions there are is left to the server: they grow with its versions.
func (r *reader) templates(n *yaml.Node, list []Pair, what string) {
	for _, p := range list {
		if err := checkTemplate(p.Value); err != nil {
			r.wrong(r.entry(n, p.Name), "%s: %s: %w", what, collector.Clean(p.Name), err)
		}
	}
}

// entry is the key of a mapping, or the mapping where it has none of its own.
func (r *reader) entry(n *yaml.Node, name string) *yaml.Node {
	n = resolve(n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i]
		}
	}
	return n
}

// variables are those that a server defines before a template, and those that
// vmalert adds.
var variables = func() string {
	var b strings.Builder
	for name := range strings.FieldsSeq("labels externalLabels externalURL value expr alertID groupID type activeAt for isPartial") {
		fmt.Fprintf(&b, "{{$%s := .}}", name)
	}
	return b.String()
}()

// place is where the package that parses templates says that a mistake is.
var place = regexp.MustCompile(`^template: [^:]*:\d+(:\d+)?: `)

func checkTemplate(text string) error {
	if !strings.Contains(text, "{{") {
		return nil
	}
	t := parse.New("text")
	t.Mode = parse.SkipFuncCheck
	if _, err := t.Parse(variables+text, "{{", "}}", map[string]*parse.Tree{}); err != nil {
		return errors.New("the template cannot be read: " + collector.Clean(place.ReplaceAllString(err.Error(), "")))
	}
	return nil
}

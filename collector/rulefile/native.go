package rulefile

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
)

// IsNative reports whether a text holds rules in stormtop's own form, and not
// those of a Prometheus.
func IsNative(text []byte) bool {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return false
	}
	n := resolve(doc.Content[0])
	return value(n, "rules") != nil && value(n, "groups") == nil
}

// RenderNative writes rules in stormtop's own form: all that a rule has, and
// nothing of any system.
func RenderNative(rules []collector.RuleSpec) []byte {
	w := &writer{}
	w.line("# Rules of stormtop, for --rules=FILE.")
	if slices.ContainsFunc(rules, func(r collector.RuleSpec) bool { return r.Off }) {
		w.line("# What is normal for those that are off differs from house to house: tune them to your history first.")
	}
	if len(rules) == 0 {
		w.line("rules: []")
		return w.Bytes()
	}
	w.line("rules:")
	for i := range rules {
		w.native(&rules[i])
	}
	return w.Bytes()
}

func (w *writer) native(r *collector.RuleSpec) {
	w.line("- name: %s", scalar(r.Name))
	if r.Both != ([2]string{}) {
		w.line("  both: [%s, %s]", scalar(r.Both[0]), scalar(r.Both[1]))
	} else {
		w.line("  signal: %s", r.Signal)
		w.line("  comparison: '%s'", r.Compare)
		w.line("  threshold: %s", Number(r.Threshold))
		w.line("  for: %s", Duration(r.For))
		w.line("  keep_firing_for: %s", Duration(r.KeepFiring))
		w.line("  min_traffic: %s", Number(r.MinTraffic))
	}
	w.line("  scope: %s", r.Scope)
	w.line("  severity: %s", r.Severity)
	if r.Off {
		w.line("  off: true")
	}
	if len(r.Select) > 0 {
		w.line("  select:")
		var names []string
		for name := range r.Select {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			w.line("    %s: %s", scalar(name), scalar(r.Select[name].String()))
		}
	}
}

// ParseNative reads rules in stormtop's own form. The error is as in Parse.
func ParseNative(text []byte) ([]collector.RuleSpec, error) {
	doc, err := document(text)
	if err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, &Problem{1, errors.New("the file is empty: it has no rules")}
	}
	r, out := &reader{}, []collector.RuleSpec(nil)
	r.fields(doc.Content[0], "a file of rules", map[string]func(*yaml.Node){
		"rules": func(n *yaml.Node) {
			for _, item := range r.list(n, "rules") {
				out = append(out, r.native(item))
			}
		},
	})
	if len(r.problems) > 0 {
		errs := make([]error, len(r.problems))
		for i, p := range r.problems {
			errs[i] = p
		}
		return nil, errors.Join(errs...)
	}
	for i := range out { // what a rule made of two others shows of the first
		for _, o := range out {
			if o.Name == out[i].Both[0] {
				out[i].Signal, out[i].Compare, out[i].Threshold = o.Signal, o.Compare, o.Threshold
			}
		}
	}
	return out, nil
}

func (r *reader) native(n *yaml.Node) collector.RuleSpec {
	var out collector.RuleSpec
	number := func(what string, to *float64) func(*yaml.Node) {
		return func(n *yaml.Node) {
			v, err := strconv.ParseFloat(r.text(n, what), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				r.wrong(n, "%s is a number, with a point and no unit", what)
			}
			*to = v
		}
	}
	r.fields(n, "a rule", map[string]func(*yaml.Node){
		"name": func(n *yaml.Node) { out.Name = r.text(n, "name") },
		"signal": func(n *yaml.Node) {
			var err error
			if out.Signal, err = collector.ParseSignal(r.text(n, "signal")); err != nil {
				r.wrong(n, "%w", err)
			}
		},
		"comparison": func(n *yaml.Node) {
			text := r.text(n, "comparison")
			for c := range collector.AtMost + 1 {
				if c.String() == text {
					out.Compare = c
					return
				}
			}
			r.wrong(n, "comparison is one of '>', '>=', '<', '<='")
		},
		"threshold":       number("threshold", &out.Threshold),
		"min_traffic":     number("min_traffic", &out.MinTraffic),
		"for":             func(n *yaml.Node) { out.For = r.duration(n, "for") },
		"keep_firing_for": func(n *yaml.Node) { out.KeepFiring = r.duration(n, "keep_firing_for") },
		"scope": func(n *yaml.Node) {
			var err error
			if out.Scope, err = collector.ParseScope(r.text(n, "scope")); err != nil {
				r.wrong(n, "%w", err)
			}
		},
		"severity": func(n *yaml.Node) {
			text := r.text(n, "severity")
			for s := range collector.Critical + 1 {
				if s.String() == text {
					out.Severity = s
					return
				}
			}
			r.wrong(n, "severity is one of none, info, warning, critical")
		},
		"off": func(n *yaml.Node) {
			if text := r.text(n, "off"); text != "true" && text != "false" {
				r.wrong(n, "off is true or false")
			} else {
				out.Off = text == "true"
			}
		},
		"both": func(n *yaml.Node) {
			list := r.list(n, "both")
			if len(list) != 2 {
				r.wrong(n, "both names two rules")
				return
			}
			out.Both = [2]string{r.text(list[0], "both"), r.text(list[1], "both")}
		},
		"select": func(n *yaml.Node) {
			for _, p := range r.pairs(n, "select") {
				re, err := regexp.Compile(p.Value)
				if err != nil {
					r.wrong(n, "select: %s: %s", collector.Clean(p.Name), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
					continue
				}
				if out.Select == nil {
					out.Select = map[string]*regexp.Regexp{}
				}
				out.Select[p.Name] = re
			}
		},
	})
	if out.Name == "" {
		r.wrong(n, "the rule has no name")
	}
	if out.Signal == collector.NoSignal && out.Both == ([2]string{}) {
		r.wrong(n, "the rule %s has neither a signal nor both", fmt.Sprintf("%q", collector.Clean(out.Name)))
	}
	return out
}

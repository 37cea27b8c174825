package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
)

const masked = "***"

// printConfig is the settings in effect as a configuration file that can
// be read back, each with its origin. Secrets are left out: what is masked
// stands in a comment, so that a file made of this text cannot send the mask.
func printConfig(r *resolved) string {
	p := &configPrinter{resolved: r}
	p.line(0, "# The settings in effect. Flags go before the environment (STORMTOP_...), that", "")
	p.line(0, "# before the configuration file, that before the defaults.", "")
	switch {
	case r.file != "":
		p.line(0, "# File: "+collector.Clean(r.file), "")
	default:
		p.line(0, "# No configuration file was found.", "")
	}
	p.branch(tree(r.all), 0, "")
	return p.text()
}

// configPrinter gathers lines with a comment each, to align the comments.
type configPrinter struct {
	*resolved
	lines [][2]string
}

func (p *configPrinter) line(depth int, text, comment string) {
	p.lines = append(p.lines, [2]string{strings.Repeat("  ", depth) + text, comment})
}

func (p *configPrinter) text() string {
	const column = 34
	var b strings.Builder
	for _, l := range p.lines {
		if l[1] == "" {
			b.WriteString(l[0] + "\n")
			continue
		}
		fmt.Fprintf(&b, "%-*s # %s\n", column, l[0], l[1])
	}
	return b.String()
}

func (p *configPrinter) branch(b *branch, depth int, path string) {
	for _, key := range b.keys {
		next := b.below[key]
		switch {
		case next.option == nil:
			if p.anySet(next) {
				p.line(depth, key+":", "")
			} else {
				p.line(depth, "# "+key+":", "")
			}
			p.branch(next, depth+1, path+key+".")
		default:
			p.option(next.option, key, depth)
		}
	}
}

// anySet reports whether something below is written as a value; YAML has no
// empty mapping that looks like one.
func (p *configPrinter) anySet(b *branch) bool {
	for _, next := range b.below {
		if next.option != nil && p.shown(next.option) || p.anySet(next) {
			return true
		}
	}
	return false
}

// shown reports whether an option is written as a value.
func (p *configPrinter) shown(o *option) bool {
	values := o.get(p.settings)
	if o.path == contextPath {
		return false
	}
	for _, v := range values {
		if o.form != pairs || !isSecret(o, v) {
			return true
		}
	}
	return false
}

func (p *configPrinter) option(o *option, key string, depth int) {
	values := o.get(p.settings)
	from := p.origins[o.name].at
	switch {
	case len(values) == 0:
		unset := "not set"
		if o.unset != "" {
			unset += ": " + o.unset
		}
		p.line(depth, "# "+key+":", unset)
	case o.path == contextPath:
		p.line(depth, "# "+key+": "+scalar(values[0]), from+"; its fields are merged below")
	case o.form == pairs:
		p.pairs(o, key, depth, values, from)
	case o.form == list:
		items := make([]string, len(values))
		for i, v := range values {
			items[i] = strconv.Quote(v)
		}
		p.line(depth, key+": ["+strings.Join(items, ", ")+"]", from)
	case o.name == "prom":
		if shown, hidden := withoutSecrets(values[0]); hidden {
			p.line(depth, key+": "+scalar(shown), from+"; what came with it is masked: "+collector.MaskAddress(values[0]))
			return
		}
		fallthrough
	default:
		p.line(depth, key+": "+scalar(values[0]), from)
	}
}

func (p *configPrinter) pairs(o *option, key string, depth int, values []string, from string) {
	head := key + ":"
	if !p.shown(o) {
		head = "# " + head
	}
	p.line(depth, head, from)
	for _, v := range values {
		name, value, _ := strings.Cut(v, "=")
		if isSecret(o, v) {
			p.line(depth+1, "# "+scalar(name)+": "+masked, "masked; put the value in to use it")
			continue
		}
		p.line(depth+1, scalar(name)+": "+scalar(value), "")
	}
}

var secretName = regexp.MustCompile(`(?i)auth|token|secret|passw|key|sig|cred|session|cookie|jwt`)

// isSecret reports whether a NAME=VALUE is not to be shown: every header, and
// parameters whose name sounds like it.
func isSecret(o *option, text string) bool {
	name, _, _ := strings.Cut(text, "=")
	return o.name == "prom.header" || o.secret && secretName.MatchString(name)
}

// withoutSecrets takes user info and query out of an address.
func withoutSecrets(text string) (string, bool) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "", text
	} else {
		scheme += "://"
	}
	before := rest
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return scheme + rest, rest != before
}

// scalar is a value as YAML, on one line.
func scalar(text string) string {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if strings.ContainsAny(text, "\n\r\t\u0085\u2028\u2029") || collector.Clean(text) != text {
		node.Style = yaml.DoubleQuotedStyle
	}
	var plain yaml.Node
	if node.Style == 0 && yaml.Unmarshal([]byte(text), &plain) == nil && isPlain(&plain, text) {
		return text
	}
	out, err := yaml.Marshal(node)
	if err != nil {
		return fmt.Sprintf("%q", text)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// isPlain reports whether text reads as itself without quotes: numbers and
// words that are no string for YAML stay plain, since fields are read as text.
func isPlain(doc *yaml.Node, text string) bool {
	if len(doc.Content) != 1 {
		return false
	}
	node := doc.Content[0]
	return node.Kind == yaml.ScalarNode && node.Style == 0 && !isNull(node) && node.Value == text &&
		node.LineComment == "" && !strings.ContainsAny(text, ",[]{}#:")
}

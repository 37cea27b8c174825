package rulefile

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Style is how a file is written.
type Style struct {
	// Resource is the PrometheusRule of the operator that wraps the groups, that
	// of the file or not; nil: a plain rule file.
	Resource *Resource
	Helm     bool // braces that Helm would take for its own are escaped
}

// Render writes a file. What it writes has no empty fields, durations of one
// whole unit, and numbers that no locale changes.
func Render(f *File, style Style) []byte {
	w := &writer{}
	for _, c := range f.Comment {
		w.line("%s", strings.TrimRight("# "+oneLine(c), " "))
	}
	if m := style.Resource; m != nil {
		w.line("apiVersion: monitoring.coreos.com/v1")
		w.line("kind: PrometheusRule")
		w.line("metadata:")
		w.line("  name: %s", scalar(m.Name))
		if m.Namespace != "" {
			w.line("  namespace: %s", scalar(m.Namespace))
		}
		w.pairs("  ", "labels", m.Labels)
		w.pairs("  ", "annotations", m.Annotations)
		w.line("spec:")
		w.indent = "  "
	}
	if len(f.Groups) == 0 {
		w.line("groups: []")
	} else {
		w.line("groups:")
	}
	for i := range f.Groups {
		w.group(&f.Groups[i])
	}
	if style.Helm {
		return []byte(helm(w.String()))
	}
	return w.Bytes()
}

type writer struct {
	bytes.Buffer
	indent string
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, w.indent+format+"\n", args...)
}

func (w *writer) group(g *Group) {
	w.line("- name: %s", scalar(g.Name))
	if g.Interval > 0 {
		w.line("  interval: %s", Duration(g.Interval))
	}
	if g.QueryOffset > 0 {
		w.line("  query_offset: %s", Duration(g.QueryOffset))
	}
	if g.Limit > 0 {
		w.line("  limit: %d", g.Limit)
	}
	if g.Partial != "" {
		w.line("  partial_response_strategy: %s", scalar(g.Partial))
	}
	w.pairs("  ", "labels", g.Labels)
	if len(g.Rules) == 0 {
		w.line("  rules: []")
		return
	}
	w.line("  rules:")
	for i := range g.Rules {
		w.rule(&g.Rules[i])
	}
}

func (w *writer) rule(r *Rule) {
	if r.Record != "" {
		w.line("  - record: %s", scalar(r.Record))
	} else {
		w.line("  - alert: %s", scalar(r.Alert))
	}
	w.line("    expr: %s", scalar(r.Expr))
	if r.For > 0 {
		w.line("    for: %s", Duration(r.For))
	}
	if r.Keep > 0 {
		w.line("    keep_firing_for: %s", Duration(r.Keep))
	}
	w.pairs("    ", "labels", r.Labels)
	w.pairs("    ", "annotations", r.Annotations)
}

func (w *writer) pairs(indent, name string, list []Pair) {
	if len(list) == 0 {
		return
	}
	w.line("%s%s:", indent, name)
	for _, p := range list {
		w.line("%s  %s: %s", indent, scalar(p.Name), scalar(p.Value))
	}
}

// Duration writes a duration in one whole unit that every ruler reads: hours,
// minutes, seconds or milliseconds, never days; what is finer is cut.
func Duration(d time.Duration) string {
	switch {
	case d > 0 && d%time.Hour == 0:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d > 0 && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d%time.Second == 0:
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return fmt.Sprintf("%dms", d.Milliseconds())
}

// Number writes a number as PromQL reads it, the same in every locale.
func Number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// scalar is a text as a YAML scalar: plain where nothing can be taken for
// anything else, in single quotation marks where it is one printable line, else
// with escapes.
func scalar(text string) string {
	switch {
	case isPlain(text):
		return text
	case utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return escaped(text)
}

// isPlain reports whether a text is a word, and not one that YAML has a meaning for.
func isPlain(text string) bool {
	if text == "" || !(text[0] >= 'a' && text[0] <= 'z' || text[0] >= 'A' && text[0] <= 'Z' || text[0] == '_') {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == ':' && i+1 < len(text)) {
			return false
		}
	}
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf":
		return false
	}
	return true
}

// escaped is a text in double quotation marks. Bytes that are no UTF-8 cannot
// stand in YAML and become U+FFFD.
func escaped(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// oneLine is a text for a comment.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// helm escapes what Helm would take for a template of its own.
func helm(text string) string {
	return strings.NewReplacer("{{", "{{`{{`}}", "}}", "{{`}}`}}").Replace(text)
}

package prom

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
)

// template is a PromQL expression in which "$window" and "$by" are filled in.
type template struct {
	text  string
	class parser.ValueType
	sel   string // the plain selector that the expression begins with, or ""
}

var promQL = parser.NewParser(parser.Options{EnableExperimentalFunctions: true, EnableBinopFillModifiers: true})

// parseTemplate checks an expression. The error gives the place in the text as
// it was written and the parser's words.
func parseTemplate(text string, by []string) (template, error) {
	if strings.TrimSpace(text) == "" {
		return template{}, errors.New("the expression is empty")
	}
	if name := strayPlaceholder(text, true); name != "" {
		return template{}, explainPlaceholder(name)
	}
	filled := fill(text, time.Minute, by)
	expr, err := promQL.ParseExpr(filled)
	if err != nil {
		if name := strayPlaceholder(text, false); name != "" {
			return template{}, explainPlaceholder(name)
		}
		return template{}, placed(err, text, by)
	}
	t := template{text: text, class: expr.Type()}
	if t.class != parser.ValueTypeVector && t.class != parser.ValueTypeScalar {
		return template{}, fmt.Errorf("the expression is a %s, not one number for each target: use rate(...) or another function around a range", t.class)
	}
	parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
		if vs, ok := n.(*parser.VectorSelector); ok && t.sel == "" {
			plain := parser.VectorSelector{Name: vs.Name, LabelMatchers: vs.LabelMatchers}
			t.sel = plain.String()
		}
		return nil
	})
	return t, nil
}

// query is the expression for a range of the rates and a grouping.
func (t template) query(rate time.Duration, by []string) string { return fill(t.text, rate, by) }

// fill replaces the two placeholders and nothing else: templates may hold "$1".
func fill(text string, rate time.Duration, by []string) string {
	return strings.NewReplacer("$window", promDuration(rate), "$by", byList(by)).Replace(text)
}

// byList is a grouping as PromQL writes it.
func byList(by []string) string {
	quoted := make([]string, len(by))
	for i, name := range by {
		quoted[i] = name
		if !plainName.MatchString(name) {
			quoted[i] = fmt.Sprintf("%q", name)
		}
	}
	return strings.Join(quoted, ", ")
}

var plainName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// promDuration writes a duration in one whole unit, as every PromQL reads it.
func promDuration(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d >= time.Second && d%time.Second == 0:
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return fmt.Sprintf("%dms", max(d.Milliseconds(), 1))
}

// placed turns the parser's error into one whose place is in the unfilled text.
func placed(err error, text string, by []string) error {
	var list parser.ParseErrors
	if !errors.As(err, &list) || len(list) == 0 {
		return fmt.Errorf("malformed PromQL: %s", collector.Clean(err.Error()))
	}
	first := list[0]
	at := unfilled(int(first.PositionRange.Start), text, by)
	line := 1 + strings.Count(text[:at], "\n")
	col := at - strings.LastIndexByte(text[:at], '\n')
	place := fmt.Sprintf("character %d", col)
	if line > 1 {
		place = fmt.Sprintf("line %d, character %d", line, col)
	}
	return fmt.Errorf("malformed PromQL at %s: %s", place, collector.Clean(first.Err.Error()))
}

// unfilled maps a byte offset of the filled text back to the template.
func unfilled(at int, text string, by []string) int {
	in, out := 0, 0
	for in < len(text) && out < at {
		step, grown := 1, 1
		switch {
		case strings.HasPrefix(text[in:], "$window"):
			step, grown = len("$window"), len(promDuration(time.Minute))
		case strings.HasPrefix(text[in:], "$by"):
			step, grown = len("$by"), len(byList(by))
		}
		if out+grown > at {
			break
		}
		in, out = in+step, out+grown
	}
	return in
}

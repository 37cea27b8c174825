package prom

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
	"stormtop/collector/promql"
)

// template is a PromQL expression in which "$window" and "$by" are filled in.
type template struct {
	text  string
	class parser.ValueType
	sels  []string // the plain selectors in the expression, as they come
}

// parseTemplate checks an expression. The error gives the place in the text as
// it was written and the parser's words.
func parseTemplate(text string, by []string) (template, error) {
	if strings.TrimSpace(text) == "" {
		return template{}, errors.New("the expression is empty")
	}
	if name := strayPlaceholder(text, true); name != "" {
		return template{}, explainPlaceholder(name)
	}
	filled := promql.Fill(text, time.Minute, by)
	expr, err := promql.Language.ParseExpr(filled)
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
		if vs, ok := n.(*parser.VectorSelector); ok {
			plain := parser.VectorSelector{Name: vs.Name, LabelMatchers: vs.LabelMatchers}
			if sel := plain.String(); !slices.Contains(t.sels, sel) {
				t.sels = append(t.sels, sel)
			}
		}
		return nil
	})
	return t, nil
}

// sel is the plain selector that the expression begins with, or "".
func (t template) sel() string {
	if len(t.sels) == 0 {
		return ""
	}
	return t.sels[0]
}

// query is the expression for a range of the rates and a grouping.
func (t template) query(rate time.Duration, by []string) string { return promql.Fill(t.text, rate, by) }

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
			step, grown = len("$window"), len(promql.Duration(time.Minute))
		case strings.HasPrefix(text[in:], "$by"):
			step, grown = len("$by"), len(promql.By(by))
		}
		if out+grown > at {
			break
		}
		in, out = in+step, out+grown
	}
	return in
}

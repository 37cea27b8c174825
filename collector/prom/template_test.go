package prom

import (
	"strings"
	"testing"

	"stormtop/collector"
)

func TestMalformedPromQLNamesSignalPlaceAndReason(t *testing.T) {
	for in, want := range map[string]string{
		`sum by ($by) (rate(x[$window])`:       "--signal ingress: malformed PromQL at character",
		`sum by ($by) (rate(x[$window])) ! 3`:  "malformed PromQL at character 33: ",
		"sum(\n  rate(x[$window]) ?? 3)":       "at line 2, character 20: ",
		`rate(x)`:                              "expected type range vector",
		`x[5m]`:                                "--signal ingress: the expression is a matrix, not one number",
		`"text"`:                               "the expression is a string",
		`nosuch(x)`:                            "nosuch",
		``:                                     "the expression is empty",
		"x{y=\"\x1b[31m\"} !\x1b[31m":          "malformed",
		`sum by ($by) (rate(x[$window])) or (`: "unclosed left parenthesis",
	} {
		_, _, err := Open(Config{URL: "h", Clock: &fakeClock{}, By: []string{"very_long_label_name"}, Signals: map[collector.Signal]string{collector.Ingress: in}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestThePlainSelectorIsFound(t *testing.T) {
	for in, want := range map[string]string{
		`sum by ($by) (rate(x_total{a="b",c!~"d|e"}[$window] offset 5m))`: `x_total{a="b",c!~"d|e"}`,
		`job:x:rate1m`:                           `job:x:rate1m`,
		`a / b`:                                  `a`,
		`vector(1)`:                              ``,
		`{__name__=~"x.*"} @ 17`:                 `{__name__=~"x.*"}`,
		`{"a.b", "c.d"="e"}`:                     `{"c.d"="e",__name__="a.b"}`,
		`max_over_time(rate(x[$window])[5m:1m])`: `x`,
	} {
		got, err := parseTemplate(in, nil)
		if err != nil || got.sel() != want {
			t.Errorf("%s: %q, want %q (%v)", in, got.sel(), want, err)
		}
	}
}

func TestRestrictAddsMatchersThatAreQuoted(t *testing.T) {
	got, ok := restrict(`sum by (s) (rate(x{a="b"}[1m])) / sum by (s) (y)`, map[string][]string{"s": {"a.b|c", `q"\`}})
	if want := `sum by (s) (rate(x{a="b",s=~"a\\.b\\|c|q\"\\\\"}[1m])) / sum by (s) (y{s=~"a\\.b\\|c|q\"\\\\"})`; !ok || got != want {
		t.Errorf("%s", got)
	}
	if _, ok := restrict(`label_replace(x, "s", "$1", "t", "(.*)")`, map[string][]string{"s": {"a"}}); ok {
		t.Error("labels that are made up cannot be matched in selectors")
	}
}

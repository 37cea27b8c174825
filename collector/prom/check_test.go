package prom

import (
	"strings"
	"testing"
)

func TestQueriesAreCheckedBeforeTheirLabelsAreKnown(t *testing.T) {
	for _, text := range []string{
		"up", "sum by ($by) (rate(a[$window]))", "sum by ($by, zone) (rate(a[$window]))", "sum by (zone, $by) (a)",
		`label_replace(up, "a", "$1", "b", "(.*)")`, `label_replace(up, "a", "$name", "b", "(?P<name>.*)")`,
	} {
		if err := CheckQuery(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"":                               "empty",
		"sum(rate(":                      "malformed PromQL at character ",
		"a[5m]":                          "not one number",
		"rate(a[$windw])":                "$windw is not filled in: the placeholders are $window, ",
		"rate(a[$windows])":              "$windows is not filled in",
		"rate(a[$window_s])":             "$window_s is not filled in",
		"rate(a[$__rate_interval])":      "$__rate_interval is not filled in: the placeholders are $window, ",
		"rate(a[${window}])":             "${window} is not filled in",
		`sum by ($bye) (a)`:              "$bye is not filled in",
		`sum by ($labels) (rate(a[5m]))`: "and $by, the labels",
	} {
		if err := CheckQuery(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

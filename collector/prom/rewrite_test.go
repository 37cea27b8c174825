package prom

import (
	"strings"
	"testing"
)

func TestQueriesAreNarrowedAndCollapsed(t *testing.T) {
	only, err := parseSelect(`namespace="shop",pod!~"canary.*"`)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		`sum by (a) (rate(x[1m]))`:                 `sum by (a) (max without (replica) (rate(x{namespace="shop",pod!~"canary.*"}[1m])))`,
		`max by (a) (x{b="c"})`:                    `max by (a) (max without (replica) (x{b="c",namespace="shop",pod!~"canary.*"}))`,
		`clamp_min(rate(x[1m]) - rate(y[1m]), 0)`:  `clamp_min(max without (replica) (rate(x{namespace="shop",pod!~"canary.*"}[1m])) - max without (replica) (rate(y{namespace="shop",pod!~"canary.*"}[1m])), 0)`,
		`(-x) / (y > 0)`:                           `(-max without (replica) (x{namespace="shop",pod!~"canary.*"})) / (max without (replica) (y{namespace="shop",pod!~"canary.*"}) > 0)`,
		`max_over_time(sum(x)[5m:1m])`:             `max_over_time(sum(max without (replica) (x{namespace="shop",pod!~"canary.*"}))[5m:1m])`,
		`label_replace(x, "a", "$1", "b", "(.+)")`: `label_replace(max without (replica) (x{namespace="shop",pod!~"canary.*"}), "a", "$1", "b", "(.+)")`,
		`1 + 2`: `1 + 2`,
	} {
		if got := (rewriting{only, []string{"replica"}}).apply(query); got != want {
			t.Errorf("%s:\n got %s\nwant %s", query, got, want)
		}
		if got := (rewriting{}).apply(query); got != query {
			t.Errorf("nothing was asked for, and it became %s", got)
		}
	}
}

func TestASelectionThatIsNoneIsRefused(t *testing.T) {
	for _, text := range []string{"namespace", `a="b`, `a=b`, `up{a="b"}`, `{a="b"} or {c="d"}`} {
		if err := CheckSelect(text); err == nil || !strings.Contains(err.Error(), `write it like namespace=`) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", `a="b"`, `{a="b"}`, ` a =~ "b|c" , d != "" `} {
		if err := CheckSelect(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

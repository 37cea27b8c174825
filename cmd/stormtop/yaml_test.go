package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// give is what a layer holds, for comparison.
func give(l layer) map[string][]string {
	out := map[string][]string{}
	for name, g := range l.given {
		out[name] = g.texts
	}
	return out
}

func TestAFileGivesWhatFlagsWouldGive(t *testing.T) {
	file, err := parseConfig(allOptions(), "/etc/c.yaml", []byte(`
context: eu1
prom: &access
  url: https://prom.example/x
  http_config: http.yaml
  headers: {X-Scope-OrgID: ops}
  params:
    dedup: "true"
signals:
  ingress: sum by ($by) (rate(a{x="1,2"}[$window]))
  downstream: >
    rate(b[$window])
by: [service, zone]
span: 30m
baseline: 3.63
speed: 10
no_color: yes
rules:
  retry_rate: {threshold: 10%, for: 30s}
  min_traffic: 5/s
contexts:
  eu1:
    prom: {url: http://eu1:9090}
    by: service
  us1: {prom: *access}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"context": {"eu1"}, "prom": {"https://prom.example/x"}, "prom.http-config": {"/etc/http.yaml"},
		"prom.header": {"X-Scope-OrgID=ops"}, "prom.param": {"dedup=true"},
		"signal": {`ingress=sum by ($by) (rate(a{x="1,2"}[$window]))`, "downstream=rate(b[$window])\n"},
		"by":     {"service", "zone"}, "span": {"30m"}, "baseline": {"3.63"}, "speed": {"10"}, "no-color": {"yes"},
		"retry-rate-threshold": {"10%"}, "retry-rate-for": {"30s"}, "min-traffic": {"5/s"},
	}
	if diff := cmp.Diff(want, give(file.layer)); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]string{"prom": {"http://eu1:9090"}, "by": {"service"}}, give(file.contexts["eu1"])); diff != "" {
		t.Errorf("the context eu1 (-want +got):\n%s", diff)
	}
	if got := give(file.contexts["us1"])["prom"]; !slices.Equal(got, []string{"https://prom.example/x"}) {
		t.Errorf("an alias gives %q", got)
	}
	if got := file.layer.given["retry-rate-for"].at; got != "/etc/c.yaml:19" {
		t.Errorf("the place of retry-rate-for is %q", got)
	}
}

func TestAllErrorsOfAFileComeAtOnceWithTheirLines(t *testing.T) {
	_, err := parseConfig(allOptions(), "c.yaml", []byte(`spam: 15m
span: 5
span: 15m
prom:
  urk: http://x
  url: ftp://x
signals: up
by: {a: b}
rules:
  amplification: 2
  retry_rate:
    threshold: 10
    fro: 1m
interval:
contexts:
  eu1:
    context: x
    rate: fast
  us1: nothing
1: 2
`))
	want := []string{
		`c.yaml:1: unknown field "spam", did you mean span?`,
		`c.yaml:2: span "5" has no unit: write 5s for seconds, 5m for minutes`,
		`c.yaml:3: "span" is given twice: keep one`,
		`c.yaml:5: unknown field "prom.urk", did you mean url?`,
		`c.yaml:6: prom.url "ftp://x" is neither http nor https: write it like http://prometheus:9090`,
		`c.yaml:7: signals is to hold fields, one a line, like name: value`,
		`c.yaml:8: by is to be a single value`,
		`c.yaml:10: rules.amplification is to hold fields, one a line, like name: value`,
		`c.yaml:12: rules.retry_rate.threshold "10" is more than all: write 10% or 0.1`,
		`c.yaml:13: unknown field "rules.retry_rate.fro", did you mean for?`,
		`c.yaml:14: interval has no value: write one, or take the line out`,
		`c.yaml:17: unknown field "context": here are prom, scrape, sim, speed, seed, signals, by, profile, select, edge, replica_labels, baseline, baselines, interval, rate, span, listen, rules, on_alert, no_bell, glyphs, theme, no_color`,
		`c.yaml:18: rate "fast" is no duration: write it like 500ms, 30s, 1m30s, 2h or 1d`,
		`c.yaml:19: contexts.us1 is to hold fields, one a line, like name: value`,
		`c.yaml:20: unknown field "1": here are prom, scrape, sim, speed, seed, signals, by, profile, select, edge, replica_labels, baseline, baselines, interval, rate, span, listen, rules, on_alert, no_bell, glyphs, theme, no_color, context, contexts`,
	}
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func TestTextThatIsNoConfiguration(t *testing.T) {
	for text, want := range map[string]string{
		"a: b: c":               "c.yaml:1: this is no YAML",
		"span: 15m\n\tby: x":    "c.yaml:2: this is no YAML",
		"[1, 2]":                "the file is to hold fields",
		"span: 15m\n---\nby: x": "a second document begins here",
		"? [a]\n: b":            "the name of a field is to be a word",
		"prom: &a\n  url: *a":   "single value",
		"span: *nowhere":        "no YAML",
		"\x00":                  "no YAML",
	} {
		_, err := parseConfig(allOptions(), "c.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "---\n", "null", "{}"} {
		if _, err := parseConfig(allOptions(), "c.yaml", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSecretsOfAFileStayOutOfItsErrors(t *testing.T) {
	_, err := parseConfig(allOptions(), "c.yaml", []byte(`
prom:
  url: ftp://me:s3cret@host
  headers:
    Bad Name: s3cret
    Good: "s3cret\nline"
`))
	if err == nil || strings.Contains(err.Error(), "s3cret") || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("errors are %v, want three of them without the secret", err)
	}
}

func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"prom: {url: x}", "a: &a [*a]", "contexts: {x: {y: z}}", "signals: {ingress: up}", "? ? ?", "by: [a, [b]]",
		"prom: &p {headers: *p}", "<<: {span: 1m}", "span: !!binary aGk=", "rules: {amplification: {threshold: 1.5x}}",
	} {
		f.Add([]byte(seed))
	}
	all := allOptions()
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := parseConfig(all, "c.yaml", text); err != nil {
			for line := range strings.Lines(err.Error()) {
				if !strings.HasPrefix(line, "c.yaml:") {
					t.Errorf("an error without a place: %q", line)
				}
			}
		}
	})
}

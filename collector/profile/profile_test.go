package profile

import (
	"strings"
	"testing"
	"testing/fstest"

	"stormtop/collector"
)

func TestBuiltinProfilesCanBeRead(t *testing.T) {
	list, err := readAll(builtin)
	if err != nil {
		t.Fatal(err)
	}
	names, _ := builtin.ReadDir(".")
	if len(list) == 0 || len(list) != len(names) || len(Builtin()) != len(list) {
		t.Fatalf("%d profiles of %d files", len(list), len(names))
	}
	for _, p := range list {
		if p.Signals[collector.Downstream] == "" {
			t.Errorf("%s has no downstream", p.Name)
		}
		if strings.Contains(p.Detect, "$") {
			t.Errorf("%s: the detection query has a placeholder", p.Name)
		}
	}
}

func TestTheStormtopProfileNamesWhatListenPublishes(t *testing.T) {
	p, err := Find("stormtop")
	if err != nil {
		t.Fatal(err)
	}
	if p.Detect != `count(stormtop_attempts_total{attempt!=""})` || p.Kind != collector.Hop || p.Trust != collector.Exact {
		t.Errorf("%+v", p)
	}
	for _, s := range collector.Inputs() {
		if s == collector.Arrived || s == collector.Overflow {
			continue // the simulated clients have neither connections nor budgets
		}
		if !strings.Contains(p.Signals[s], "stormtop_") || !strings.Contains(p.Signals[s], "by ($by)") {
			t.Errorf("%s: %q", s, p.Signals[s])
		}
	}
}

func TestAnUnknownProfileIsAnErrorThatListsTheKnownOnes(t *testing.T) {
	_, err := Find("nosuch")
	if err == nil || !strings.Contains(err.Error(), "stormtop") {
		t.Fatal(err)
	}
}

const good = `
name: x
title: X
looks_for: m
detect: count(m)
by: [a]
kind: edge
trust: approx
status: proven
signals: {downstream: "sum by ($by) (rate(m[$window]))"}
cannot_see: nothing
`

func TestParse(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"a good one":            {good, ""},
		"unknown field":         {good + "nosuch: 1\n", "line 12: field nosuch"},
		"unknown signal":        {strings.Replace(good, "downstream:", "upstream:", 1), `unknown signal "upstream"`},
		"unknown unit":          {good + "units: {pool_wait: furlong}\n", `unknown unit "furlong"`},
		"unknown zero-fill":     {good + "zero_fill: [nosuch]\n", `unknown signal "nosuch"`},
		"unknown trust":         {strings.Replace(good, "approx", "blind", 1), `unknown trust "blind"`},
		"unknown kind":          {strings.Replace(good, "edge", "node", 1), "it is hop or edge"},
		"several errors at one": {strings.Replace(strings.Replace(good, "edge", "node", 1), "name: x", "", 1), "name is missing"},
		"two documents":         {good + "---\n" + good, "one file holds one profile"},
		"empty":                 {"", "the file is empty"},
		"no YAML":               {"\tx", "profile file.yaml: yaml:"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Parse("file.yaml", []byte(c.in))
			if c.want == "" {
				if err != nil || p.Kind != collector.Edge || p.Trust != collector.Approx {
					t.Fatalf("%+v %v", p, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "file.yaml") {
				t.Fatalf("%v does not hold %q", err, c.want)
			}
		})
	}
}

func TestReadAllReportsTheFile(t *testing.T) {
	_, err := readAll(fstest.MapFS{"bad.yaml": {Data: []byte("x: 1")}})
	if err == nil || !strings.Contains(err.Error(), "bad.yaml") {
		t.Fatal(err)
	}
}

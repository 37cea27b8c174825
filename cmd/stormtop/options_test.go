package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
)

func allOptions() []option { return options(groups(alerts.Documented())) }

func TestEveryDefaultReadsBackAsItself(t *testing.T) {
	var s settings
	for _, o := range allOptions() {
		if o.def == "" {
			continue
		}
		if err := o.set(&s, []string{o.def}); err != nil {
			t.Errorf("the default of --%s: %v", o.name, err)
			continue
		}
		if got := o.get(s); !slices.Equal(got, []string{o.def}) {
			t.Errorf("the default of --%s is %q and is written as %q", o.name, o.def, got)
		}
	}
}

func TestTheDefaultsAreTheDocumentedRules(t *testing.T) {
	var s settings
	for _, o := range allOptions() {
		if o.def != "" {
			if err := o.set(&s, []string{o.def}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff(alerts.Documented(), ruleSet(s.rules)); diff != "" {
		t.Errorf("without flags the rules are not the documented ones (-want +got):\n%s", diff)
	}
}

func TestThresholdsReachTheirRules(t *testing.T) {
	rules := ruleSet(thresholds{
		amplification: threshold{2, 3}, retryRate: threshold{0.2, 4}, atLimit: threshold{5, 6}, minTraffic: 7,
	})
	for _, r := range rules {
		switch r.Name {
		case alerts.RetryAmplificationHigh:
			if r.Threshold != 2 || r.For != 3 || r.MinTraffic != 7 {
				t.Errorf("%+v", r)
			}
		case alerts.RetryRateHigh:
			if r.Threshold != 0.2 || r.For != 4 || r.MinTraffic != 7 {
				t.Errorf("%+v", r)
			}
		case alerts.AttemptLimitReached:
			if r.Threshold != 5 || r.For != 6 || r.MinTraffic != 7 {
				t.Errorf("%+v", r)
			}
		case alerts.RetryStorm:
			if r.Threshold != 2 || r.For != 0 {
				t.Errorf("%+v", r)
			}
		}
	}
	if err := alerts.Validate(rules); err != nil {
		t.Error(err)
	}
}

func TestNamesAndPlacesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range allOptions() {
		for _, name := range []string{"--" + o.name, o.env(), o.path} {
			if name != "" && seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
		if o.help == "" || o.set == nil || o.get == nil || o.form != toggle && o.arg == "" {
			t.Errorf("--%s is not described", o.name)
		}
	}
}

func TestHelpText(t *testing.T) {
	text := helpText(groups(alerts.Documented()))
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpColumns {
			t.Errorf("a line is %d columns wide: %q", n, line)
		}
	}
	for _, o := range allOptions() {
		if n := strings.Count(text, "\n  "+o.usage()); n != 1 {
			t.Errorf("%s has %d entries", o.usage(), n)
		}
	}
	for _, v := range verbs() {
		if !strings.Contains(text, "stormtop "+v.name) {
			t.Errorf("the verb %s is not mentioned", v.name)
		}
	}
	golden.RequireEqual(t, text)
}

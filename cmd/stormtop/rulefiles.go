package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/export"
	"stormtop/collector"
	"stormtop/collector/rulefile"
)

// ruleInput is what is judged by: stormtop's rules, and people's own.
type ruleInput struct {
	rules    []collector.RuleSpec
	own      []collector.OwnRule
	groups   []rulefile.Group // those that own is from
	evidence []string
	notes    []string

	form imported // how a file was written
}

// imported is what a file that stormtop has written says of itself.
type imported struct {
	prefix           string
	interval, noData time.Duration
	resource         *rulefile.Resource
}

// maxRuleBytes bounds a rule file.
const maxRuleBytes = 16 << 20

// readRules are the documented rules with the numbers that were set, or those of
// --rules=FILE, of which single numbers can be set by flags.
func readRules(r *resolved) (ruleInput, error) {
	name := r.settings.rulesFile
	if name == "" {
		return ruleInput{rules: ruleSet(r.settings.rules)}, nil
	}
	text, err := readUpTo(name, maxRuleBytes)
	if err != nil {
		return ruleInput{}, fmt.Errorf("--rules=%s: %w", collector.Clean(name), unwrapPath(err))
	}
	out, err := parseRules(text, collector.Clean(name))
	if err != nil {
		return ruleInput{}, err
	}
	r.writeAs(out.form)
	if out.rules == nil {
		out.rules = ruleSet(r.settings.rules)
	} else {
		r.setTyped(out.rules)
	}
	return out, nil
}

// parseRules reads rules in stormtop's own form, or of a Prometheus. Errors have
// a line for each mistake, with the file and the line.
func parseRules(text []byte, name string) (ruleInput, error) {
	if rulefile.IsNative(text) {
		rules, err := rulefile.ParseNative(text)
		if err == nil {
			err = alerts.Validate(rules)
		}
		return ruleInput{rules: rules}, located(name, err)
	}
	f, err := rulefile.Parse(text)
	if err != nil {
		return ruleInput{}, located(name, err)
	}
	in := export.Read(f)
	out := ruleInput{rules: in.Rules, own: rulefile.Own(in.Own, name), groups: in.Own, evidence: in.Evidence,
		form: imported{in.Prefix, in.Interval, in.NoData, in.Resource}}
	for _, n := range in.Notes {
		out.notes = append(out.notes, name+", "+n)
	}
	return out, located(name, alerts.Validate(in.Rules))
}

// writeAs takes over how a file was written, but for what was named.
func (r *resolved) writeAs(form imported) {
	free := func(name string) bool { return r.origins[name].kind == defaultLayer }
	to := &r.settings.export
	if free("alert-prefix") {
		to.prefix = form.prefix
	}
	if free("missing-for") && form.noData > 0 {
		to.noData = form.noData
	}
	if free("interval") {
		to.interval = form.interval
	}
	if m := form.resource; m != nil {
		if free("resource") && m.Name != "" {
			to.resource = m.Name
		}
		if free("namespace") {
			to.namespace = m.Namespace
		}
		to.labels, to.annotations = m.Labels, m.Annotations
	}
}

// located puts the name of a file before every mistake in it.
func located(name string, err error) error {
	if err == nil {
		return nil
	}
	var out problems
	for _, line := range strings.Split(err.Error(), "\n") {
		out.add(name+",", fmt.Errorf("%s", line))
	}
	return out
}

// setTyped sets the numbers that were named by flag, variable or file over those
// of a rule file.
func (r *resolved) setTyped(rules []collector.RuleSpec) {
	set := ruleSet(r.settings.rules)
	given := func(name string) bool { return r.origins[name].kind != defaultLayer && r.origins[name].texts != nil }
	for i := range rules {
		to := &rules[i]
		k := slices.IndexFunc(set, func(s collector.RuleSpec) bool { return s.Name == to.Name })
		if k < 0 || to.Both != ([2]string{}) {
			continue
		}
		flag := map[collector.Signal]string{collector.Amplification: "amplification", collector.RetryRate: "retry-rate", collector.AtLimit: "at-limit"}[to.Signal]
		if given(flag + "-threshold") {
			to.Threshold = set[k].Threshold
		}
		if given(flag + "-for") {
			to.For = set[k].For
		}
		if given("min-traffic") {
			to.MinTraffic = set[k].MinTraffic
		}
	}
	for i := range rules { // what a pair shows of its first rule
		for _, o := range rules {
			if rules[i].Both[0] == o.Name {
				rules[i].Threshold = o.Threshold
			}
		}
	}
}

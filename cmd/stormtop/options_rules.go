package main

import (
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// ruleOptions are the thresholds of the documented rules, which give their
// defaults.
func ruleOptions(rules []collector.RuleSpec) []option {
	amplification := func(s *settings) *threshold { return &s.rules.amplification }
	retryRate := func(s *settings) *threshold { return &s.rules.retryRate }
	atLimit := func(s *settings) *threshold { return &s.rules.atLimit }

	o := thresholdOptions(ruleOf(rules, collector.Amplification), "amplification", "RATIO",
		"attempts / requests / baseline above", usage.Number("x", 0, 1e9, "1.5"), amplification)
	o = append(o, thresholdOptions(ruleOf(rules, collector.RetryRate), "retry-rate", "SHARE",
		"share of retries above, 10% or 0.1", parseShare, retryRate)...)
	o = append(o, thresholdOptions(ruleOf(rules, collector.AtLimit), "at-limit", "RATE",
		"requests/s on their last attempt above", usage.Number("/s", 0, 1e12, "0"), atLimit)...)
	o = append(o, option{
		name: "rules", path: "rules.file", arg: "FILE", file: true,
		help:    "rules from a file: those that stormtop rules wrote, or any of a Prometheus",
		binding: one(func(s *settings) *string { return &s.rulesFile }, parseText, same),
	})
	o = append(o, option{
		name: "on-alert", path: "on_alert", arg: "COMMAND",
		help:    "run a command when a rule fires and when that ends, with the event as JSON on standard input",
		binding: one(func(s *settings) *string { return &s.onAlert }, parseText, same),
	}, option{
		name: "no-bell", path: "no_bell",
		help:    "do not ring the terminal's bell when a rule fires",
		binding: flagOf(func(s *settings) *bool { return &s.noBell }),
	})
	o = append(o, incidentOptions()...)
	o = append(o, option{
		name: "write-rules", path: "rules.write", arg: "FILE", file: true,
		help:    "where w on the Rules screen writes them",
		unset:   "the file of --rules, else " + rulesName,
		binding: one(func(s *settings) *string { return &s.writeRules }, parseText, same),
	})
	return append(o, option{
		name: "min-traffic", path: "rules.min_traffic", arg: "RATE",
		def:  collector.FormatThreshold(ruleOf(rules, collector.Amplification).MinTraffic, collector.PerSecond),
		help: "no verdict while traffic is below",
		binding: one(func(s *settings) *float64 { return &s.rules.minTraffic },
			usage.Number("/s", 0, 1e12, "1"), inUnit(collector.PerSecond)),
	})
}

func thresholdOptions(spec collector.RuleSpec, name, arg, help string,
	parse func(string) (float64, error), of func(*settings) *threshold) []option {
	unit := spec.Signal.Unit()
	path := "rules." + strings.ReplaceAll(name, "-", "_")
	return []option{
		{
			name: name + "-threshold", path: path + ".threshold", arg: arg, help: help,
			def:     collector.FormatThreshold(spec.Threshold, unit),
			binding: one(func(s *settings) *float64 { return &of(s).above }, parse, inUnit(unit)),
		}, {
			name: name + "-for", path: path + ".for", arg: "DURATION", help: "how long until it fires",
			def: collector.FormatInterval(spec.For),
			binding: one(func(s *settings) *time.Duration { return &of(s).hold },
				usage.Duration(0, day), collector.FormatInterval),
		},
	}
}

// ruleOf is the plain rule on a signal.
func ruleOf(rules []collector.RuleSpec, s collector.Signal) collector.RuleSpec {
	for _, r := range rules {
		if r.Signal == s && r.Both[0] == "" {
			return r
		}
	}
	return collector.RuleSpec{Signal: s}
}

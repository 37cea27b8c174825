package main

import (
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
	"stormtop/collector/promql"
	"stormtop/collector/usage"
)

// group is a section of the help text.
type group struct {
	title   string
	options []option
}

// groups lists every option in the order in which the help shows them. rules
// are the documented rules, which give the defaults of the thresholds.
func groups(rules []collector.RuleSpec) []group {
	return []group{
		{"WHAT IS WATCHED", sourceOptions()},
		{"WHICH NUMBERS", signalOptions()},
		{"WITHOUT A SCREEN", plainOptions()},
		{"WHEN A RULE FIRES", ruleOptions(rules)},
		{"THE SCREEN", screenOptions()},
		{"CONFIGURATION", configOptions()},
	}
}

func sourceOptions() []option {
	return []option{
		{
			name: "prom", path: "prom.url", arg: "URL", of: promSource,
			help:    "a Prometheus, or what speaks its HTTP API: Thanos, Mimir, Cortex, VictoriaMetrics",
			binding: one(func(s *settings) *string { return &s.prom.url }, parseURL, same),
		}, {
			name: "prom.http-config", path: "prom.http_config", arg: "FILE", of: liveSource, file: true,
			help:    "credentials, TLS, proxy: Prometheus's own HTTP client configuration",
			binding: one(func(s *settings) *string { return &s.prom.httpConfig }, parseText, same),
		}, {
			name: "prom.header", path: "prom.headers", arg: "NAME=VALUE", of: liveSource, secret: true,
			help:    "one more request header, repeatable",
			binding: pairsOf(func(s *settings) *[]pair { return &s.prom.headers }, checkHeader),
		}, {
			name: "prom.param", path: "prom.params", arg: "NAME=VALUE", of: promSource, secret: true,
			help:    "one more request parameter, repeatable",
			binding: pairsOf(func(s *settings) *[]pair { return &s.prom.params }, noCheck),
		}, {
			name: "scrape", path: "scrape", arg: "URL,...", of: liveSource,
			help:    "endpoints with metrics, read directly each second, without a Prometheus",
			binding: listOf(func(s *settings) *[]string { return &s.scrape }, checkScrape),
		}, {
			name: "from", arg: "TIME", of: promSource | replaySource,
			help:    "the past instead: -3h, 15:04 (UTC) or 2026-03-14T15:04:05Z; of a recording, where it begins",
			binding: one(func(s *settings) *moment { return &s.from }, parseMoment, formatMoment),
		}, {
			name: "to", arg: "TIME", of: promSource | replaySource,
			help: "the end of it", unset: "now",
			binding: one(func(s *settings) *moment { return &s.to }, parseMoment, formatMoment),
		}, {
			name: "replay", arg: "FILE", of: replaySource, file: true,
			help:    "a recording; - reads standard input",
			binding: one(func(s *settings) *string { return &s.replay }, parseText, same),
		}, {
			name: "loop", of: replaySource,
			help:    "begin the recording again at its end",
			binding: flagOf(func(s *settings) *bool { return &s.loop }),
		}, {
			name: "sim", path: "sim", arg: "NAME|FILE", of: simulatedSource, values: simulations(),
			help:    "a simulated outage: a scenario, a variant of one as six-seconds:S4, a file.yaml of your own, or strategies of the outage lab, as lab:S3 or lab:S1..S6; stormtop scenarios lists them",
			unset:   "sixty-seconds, on a screen only",
			binding: one(func(s *settings) *string { return &s.sim }, parseSim, same),
		}, {
			name: "speed", path: "speed", arg: "1x..1000x", def: "1x", of: pacedSource,
			help: "of a simulation, a recording, or the past",
			binding: one(func(s *settings) *float64 { return &s.speed },
				usage.Number("x", 1, 1000, "10x"), inUnit(collector.Ratio)),
		}, {
			name: "seed", path: "seed", arg: "N", of: simulatedSource,
			help: "of the simulation's random numbers", unset: "1, of the lab 4242",
			binding: one(func(s *settings) *seed { return &s.seed }, parseSeed, formatSeed),
		},
	}
}

func signalOptions() []option {
	return []option{
		{
			name: "signal", path: "signals", arg: "NAME=PROMQL", of: liveSource,
			help:    "a query of your own, repeatable; $window and $by are filled in. Names: " + signalNames(),
			binding: pairsOf(func(s *settings) *[]pair { return &s.signals }, checkSignal),
		}, {
			name: "by", path: "by", arg: "LABEL,...", of: liveSource,
			help:    "the labels that make a target",
			unset:   "those of the profile, else all",
			binding: listOf(func(s *settings) *[]string { return &s.by }, promql.CheckLabel),
		}, {
			name: "profile", path: "profile", arg: "NAME,...", of: liveSource, values: profile.Names(),
			help: "judge by these systems only; stormtop profiles lists them, a file.yaml is one of your own", unset: "whatever is found",
			binding: listOf(func(s *settings) *[]string { return &s.profiles }, checkProfile),
		}, {
			name: "select", path: "select", arg: "MATCHERS", of: promSource,
			help:    "narrow everything down to these labels, as in 'namespace=\"shop\"'",
			binding: one(func(s *settings) *string { return &s.narrow }, parseSelect, same),
		}, {
			name: "ingress", path: "edge.ingress", arg: "PROMQL", of: promSource,
			help:    "requests of your users a second; with --downstream it makes the EDGE ratio",
			binding: one(func(s *settings) *string { return &s.edge.Ingress }, parseQuery, same),
		}, {
			name: "downstream", path: "edge.downstream", arg: "PROMQL", of: promSource,
			help:    "attempts a second at the dependency behind them",
			binding: one(func(s *settings) *string { return &s.edge.Downstream }, parseQuery, same),
		}, {
			name: "replica-label", path: "replica_labels", arg: "LABEL,...", of: promSource,
			help: "labels in which series that count the same thing differ", unset: strings.Join(prom.DefaultReplicaLabels(), ","),
			binding: listOf(func(s *settings) *[]string { return &s.replicas }, promql.CheckLabel),
		}, {
			name: "baseline", path: "baseline", arg: "NUMBER", unset: "1", of: liveSource | simulatedSource,
			help:    "attempts for a request when all is well; or a calm past to learn it from, as in '1h offset 1d'",
			binding: one(func(s *settings) *baseline { return &s.baseline }, parseBaseline, formatBaseline),
		}, {
			name: "baseline-of", path: "baselines", arg: "NAME=NUMBER", of: liveSource,
			help:    "the same of one target, repeatable",
			binding: pairsOf(func(s *settings) *[]pair { return &s.baselinesOf }, checkBaselineOf),
		}, {
			name: "interval", path: "interval", arg: "DURATION", of: liveSource,
			help: "time between readings", unset: "the spacing of the samples",
			binding: one(func(s *settings) *time.Duration { return &s.interval },
				usage.Duration(100*time.Millisecond, day), formatSet),
		}, {
			name: "rate", path: "rate", arg: "DURATION", of: liveSource,
			help: "range of the rates", unset: "four samples or more",
			binding: one(func(s *settings) *time.Duration { return &s.rate },
				usage.Duration(time.Second, day), formatSet),
		}, {
			name: "span", path: "span", arg: "DURATION", def: "15m",
			help: "time on the screen",
			binding: one(func(s *settings) *time.Duration { return &s.span },
				usage.Duration(30*time.Second, 7*day), formatSet),
		},
	}
}

func plainOptions() []option {
	formats := []string{"text", "json", "openmetrics", "csv"}
	return []option{
		{
			name:    "once",
			help:    "one reading, the verdict of every rule, exit; also when standard output is no terminal",
			binding: flagOf(func(s *settings) *bool { return &s.once }),
		}, {
			name:    "plain",
			help:    "one line a reading and one a change of a rule",
			binding: flagOf(func(s *settings) *bool { return &s.plain }),
		}, {
			name: "for", arg: "DURATION",
			help:    "end when so much time has passed in the data; without it --once reads a scenario that ends up to its trouble",
			binding: one(func(s *settings) *time.Duration { return &s.duration }, usage.Duration(0, 366*day), formatSet),
		}, {
			name: "format", arg: "WORD", def: "text", values: formats,
			help:    "text or json, of --once and --plain; openmetrics or csv: all of a recording, or of the past",
			binding: one(func(s *settings) *string { return &s.format }, usage.OneOf(formats...), same),
		}, {
			name: "record", arg: "FILE", file: true,
			help:    "write everything that is seen to a recording",
			binding: one(func(s *settings) *string { return &s.record }, parseText, same),
		}, {
			name:    "force",
			help:    "--record may overwrite a file",
			binding: flagOf(func(s *settings) *bool { return &s.force }),
		}, {
			name: "listen", path: "listen", arg: "HOST:PORT",
			help:    "publish what is seen as /metrics, say on 127.0.0.1:9477",
			binding: one(func(s *settings) *string { return &s.listen }, parseListen, same),
		},
	}
}

func screenOptions() []option {
	glyphs := []string{"auto", "braille", "block", "ascii"}
	themes := []string{"auto", "dark", "light"}
	return []option{
		{
			name: "glyphs", path: "glyphs", arg: "WORD", def: "auto", values: glyphs,
			help:    strings.Join(glyphs, ", "),
			binding: one(func(s *settings) *string { return &s.glyphs }, usage.OneOf(glyphs...), same),
		}, {
			name: "theme", path: "theme", arg: "WORD", def: "auto", values: themes,
			help:    strings.Join(themes, ", "),
			binding: one(func(s *settings) *string { return &s.theme }, usage.OneOf(themes...), same),
		}, {
			name: "no-color", path: "no_color",
			help:    "no colours; NO_COLOR does the same",
			binding: flagOf(func(s *settings) *bool { return &s.noColor }),
		},
	}
}

func configOptions() []option {
	return []option{
		{
			name: "config", arg: "FILE", file: true,
			help:    "instead of $XDG_CONFIG_HOME/stormtop/config.yaml",
			binding: one(func(s *settings) *string { return &s.config }, parseText, same),
		}, {
			name: "context", path: contextPath, arg: "NAME",
			help:    "one of the contexts in that file",
			binding: one(func(s *settings) *string { return &s.context }, parseText, same),
		}, {
			name:    "print-config",
			help:    "write the settings in effect and where each is from",
			binding: flagOf(func(s *settings) *bool { return &s.printConfig }),
		}, {
			name:    "version",
			help:    "write the version",
			binding: flagOf(func(s *settings) *bool { return &s.version }),
		}, {
			name:    "help",
			help:    "write this text",
			binding: flagOf(func(s *settings) *bool { return &s.help }),
		},
	}
}

func signalNames() string {
	var names []string
	for _, s := range collector.Signals() {
		names = append(names, s.String())
	}
	return strings.Join(names, ", ")
}

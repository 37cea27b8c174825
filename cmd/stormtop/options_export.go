package main

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/usage"
)

// The forms of rules that the verb rules writes.
const (
	prometheusRules = "prometheus"
	operatorRules   = "prometheusrule"
	nativeRules     = "stormtop"
)

// exportOptions are those of every verb that writes rules for a server.
func exportOptions() []option {
	return []option{
		{
			name: "alert-prefix", arg: "WORD",
			help:    "what the names of the alerts begin with",
			binding: one(func(s *settings) *string { return &s.export.prefix }, parsePrefix, same),
		}, {
			name:    "helm",
			help:    "escape the braces that Helm would take for its own",
			binding: flagOf(func(s *settings) *bool { return &s.export.helm }),
		}, {
			name: "resource", arg: "NAME", def: "stormtop",
			help:    "the name of the PrometheusRule",
			binding: one(func(s *settings) *string { return &s.export.resource }, parseResource, same),
		}, {
			name: "namespace", arg: "NAME",
			help:    "the namespace of the PrometheusRule",
			binding: one(func(s *settings) *string { return &s.export.namespace }, parseResource, same),
		}, {
			name: "missing-for", arg: "DURATION", def: "5m",
			help:    "how long data may be missing before an alert says so",
			binding: one(func(s *settings) *time.Duration { return &s.export.noData }, usage.Duration(time.Second, day), formatSet),
		}, {
			name:    "force",
			help:    "--output may replace a file that is another one",
			binding: flagOf(func(s *settings) *bool { return &s.force }),
		},
	}
}

func formatOption(help string, formats ...string) option {
	return option{
		name: "format", arg: "WORD", def: formats[0], values: formats, help: help,
		binding: one(func(s *settings) *string { return &s.format }, usage.OneOf(formats...), same),
	}
}

// tuneOptions are those of the verb tune alone.
func tuneOptions() []option {
	return append(incidentOptions(), []option{
		{
			name: "rule", arg: "NAME,...", help: "these rules only", unset: "all",
			binding: listOf(func(s *settings) *[]string { return &s.tuning.only }, checkNothing),
		}, {
			name:    "server-rules",
			help:    "the server's own alerts, too",
			binding: flagOf(func(s *settings) *bool { return &s.tuning.server }),
		}, {
			name: "seeds", arg: "LIST", help: "seeds of a simulation, one history each, as in 1..50",
			binding: seedsOf(func(s *settings) *[]int64 { return &s.tuning.seeds }),
		}, {
			name: "judge-seeds", arg: "LIST", help: "seeds to judge the recommendation on, that it was not made of",
			binding: seedsOf(func(s *settings) *[]int64 { return &s.tuning.judge }),
		}, {
			name: "evaluate", arg: "DURATION", help: "time between two evaluations", unset: "that of the readings",
			binding: one(func(s *settings) *time.Duration { return &s.tuning.evaluate }, usage.Duration(time.Second, day), formatSet),
		}, {
			name:    "landscape",
			help:    "show threshold against for as a map",
			binding: flagOf(func(s *settings) *bool { return &s.tuning.grid }),
		}, {
			name:    "episodes",
			help:    "list every firing",
			binding: flagOf(func(s *settings) *bool { return &s.tuning.steps }),
		}, {
			name: "output", arg: "FILE", file: true,
			help:    "write the rules with the recommended numbers, and a promtool test beside",
			binding: one(func(s *settings) *string { return &s.tuning.output }, parseText, same),
		},
	}...)
}

// incidentOptions say when rules should have fired: on the screen on which they
// are tuned, and of the verb tune.
func incidentOptions() []option {
	return []option{
		{
			name: "incident", arg: "FROM/TO",
			help: "when a rule should have fired, repeatable", unset: "marks, the truth of a simulation",
			binding: windowsOf(func(s *settings) *[]window { return &s.tuning.incidents }),
		}, {
			name: "incident-file", arg: "FILE", file: true,
			help:    "the same from a file, one a line",
			binding: one(func(s *settings) *string { return &s.tuning.incidentFile }, parseText, same),
		}, {
			name: "incident-alert", arg: "NAME,...", of: promSource,
			help:    "an alert of the server whose firing is an incident",
			binding: listOf(func(s *settings) *[]string { return &s.tuning.alerts }, checkNothing),
		},
	}
}

// outputOption is where the verb rules writes.
func outputOption() option {
	return option{
		name: "output", arg: "FILE", file: true, help: "write a file", unset: "standard output",
		binding: one(func(s *settings) *string { return &s.export.output }, parseOutput, same),
	}
}

// parseOutput is the name of a file; - is standard output, as where none is named.
func parseOutput(text string) (string, error) {
	if text == "-" {
		return "", nil
	}
	return parseText(text)
}

func checkNothing(string) error { return nil }

var alertWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func parsePrefix(text string) (string, error) {
	if text != "" && !alertWord.MatchString(text) {
		return "", fmt.Errorf("%s cannot begin the name of an alert: use letters, digits and _", collector.Quote(text))
	}
	return text, nil
}

var resourceWord = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$`)

func parseResource(text string) (string, error) {
	if text != "" && !resourceWord.MatchString(text) {
		return "", fmt.Errorf("%s is no name of a resource: use small letters, digits, dots and -", collector.Quote(text))
	}
	return text, nil
}

// windowsOf binds a repeated FROM/TO.
func windowsOf(at func(*settings) *[]window) binding {
	return binding{
		form: list,
		set: func(s *settings, texts []string) error {
			var out []window
			for _, text := range texts {
				for one := range strings.SplitSeq(text, ",") {
					w, err := parseWindow(strings.TrimSpace(one))
					if err != nil {
						return err
					}
					out = append(out, w)
				}
			}
			*at(s) = out
			return nil
		},
		get: func(s settings) []string {
			var out []string
			for _, w := range *at(&s) {
				out = append(out, w.from.text+"/"+w.to.text)
			}
			return out
		},
	}
}

// readWindows reads a file of incidents: FROM/TO a line, and what else is said of
// it behind a blank; # begins a comment. Errors name the file and the line.
func readWindows(name string) ([]window, error) {
	text, err := readSmall(name)
	if err != nil {
		return nil, fmt.Errorf("--incident-file=%s: %w", collector.Clean(name), unwrapPath(err))
	}
	var out []window
	var bad problems
	line := 0
	for one := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		line++
		words := strings.Fields(one)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		w, err := parseWindow(words[0])
		if err != nil {
			bad.add(fmt.Sprintf("%s, line %d,", collector.Clean(name), line), err)
			continue
		}
		w.text = strings.Join(words[1:], " ")
		out = append(out, w)
	}
	if err := bad.orNil(); err != nil || len(out) > 0 {
		return out, err
	}
	return nil, fmt.Errorf("--incident-file=%s: there is no incident in it: write FROM/TO a line, as in 12:00/12:30", collector.Clean(name))
}

func parseWindow(text string) (window, error) {
	from, to, ok := strings.Cut(text, "/")
	if !ok || strings.Contains(text, "://") { // an address is told whole, so that nothing secret in it is
		return window{}, fmt.Errorf("%s is no incident: write when it began and ended, as in 12:00/12:30", collector.Quote(text))
	}
	a, err := parseMoment(from)
	if err == nil && a.kind == noMoment {
		err = errors.New("an incident begins at some time, as in 12:00/12:30")
	}
	b, err2 := parseMoment(to)
	if err == nil && err2 == nil && b.kind == noMoment {
		b.kind = nowMoment
	}
	return window{from: a, to: b}, allErrors(err, err2)
}

// mostSeeds bounds how many histories are made.
const mostSeeds = 1000

// seedsOf binds a list of seeds and ranges of them.
func seedsOf(at func(*settings) *[]int64) binding {
	return binding{
		form: list,
		set: func(s *settings, texts []string) error {
			var out []int64
			for _, text := range texts {
				for one := range strings.SplitSeq(text, ",") {
					more, err := parseSeeds(strings.TrimSpace(one))
					if err != nil {
						return err
					}
					out = append(out, more...)
				}
			}
			if slices.Sort(out); len(out) > mostSeeds {
				return fmt.Errorf("%d seeds are too many: at most %d", len(out), mostSeeds)
			}
			*at(s) = slices.Compact(out)
			return nil
		},
		get: func(s settings) []string {
			var out []string
			for _, n := range *at(&s) {
				out = append(out, strconv.FormatInt(n, 10))
			}
			return out
		},
	}
}

func parseSeeds(text string) ([]int64, error) {
	first, last, isRange := strings.Cut(text, "..")
	one, err := parseSeed(first)
	if err != nil || !isRange {
		return []int64{one.n}, err
	}
	other, err := parseSeed(last)
	from, to := one.n, other.n
	switch {
	case err != nil:
		return nil, err
	case to < from || uint64(to)-uint64(from) >= mostSeeds:
		return nil, fmt.Errorf("%s: the range is from a smaller to a larger number, of at most %d", collector.Quote(text), mostSeeds)
	}
	out := make([]int64, 0, to-from+1)
	for n := from; n <= to && n < math.MaxInt64; n++ {
		out = append(out, n)
	}
	return out, nil
}

// verbOptions are all options, those of a verb's own in place of the same ones of
// the program: a configuration file may hold any of them.
func verbOptions(own []option) []option {
	all := slices.DeleteFunc(options(groups(alerts.Documented())), func(o option) bool {
		return slices.ContainsFunc(own, func(p option) bool { return p.name == o.name })
	})
	return append(all, own...)
}

// takenBy are the options that a verb takes, for its help.
func takenBy(names []string, own []option) []option {
	out := slices.Clone(own)
	for _, o := range verbOptions(own) {
		if slices.Contains(names, o.name) {
			out = append(out, o)
		}
	}
	return out
}

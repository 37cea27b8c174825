package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/export"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/rulefile"
)

// asking are the options that say what a server is asked for.
var asking = []string{
	"prom", "prom.http-config", "prom.header", "prom.param", "signal", "by", "profile", "select", "ingress", "downstream",
	"replica-label", "baseline", "baseline-of", "interval", "rate",
}

// numbers are the options of the rules' numbers.
var numbers = []string{
	"amplification-threshold", "amplification-for", "retry-rate-threshold", "retry-rate-for", "at-limit-threshold", "at-limit-for",
	"min-traffic", "rules",
}

func rulesUsage() verbUsage {
	return verbUsage{
		name: "rules", takes: slices.Concat(asking, numbers, []string{"config", "context", "help"}),
		own: append([]option{
			formatOption("a Prometheus rule file, the PrometheusRule of the operator, or stormtop's own form", prometheusRules, operatorRules, nativeRules),
			outputOption(),
		}, exportOptions()...),
		head: `stormtop rules writes the alert rules for a server: recording rules of the signals,
the alerts over them with the minimum of traffic, and one that fires while the
data is missing. Which system they are for is named, or found:

  stormtop rules --profile=envoy --rate=5m
  stormtop rules --prom=http://HOST:9090 --output=retries.yml
  stormtop rules --rules=retries.yml --profile=envoy --amplification-threshold=1.35

`,
		tail: `
A file is written at once or not at all; one that is there already is shown as a
difference, and replaced with --force only.

EXIT STATUS
  0  written
  2  the command line, the configuration or a rule file is wrong, or no system is
     named; a file is there and another one
  3  the server cannot be reached, or has no data of any known system
`,
	}
}

// runRules is the verb rules.
func runRules(ctx context.Context, args []string, env environ, stdout, stderr io.Writer) int {
	r, status, done := rulesUsage().read(args, env, stdout, stderr)
	if done {
		return status
	}
	in, err := readRules(r)
	if err != nil {
		return fail(stderr, r.locate(err))
	}
	note(stderr, in.notes)
	if r.settings.format == nativeRules {
		if r.settings.rulesFile == "" {
			in.rules = append(in.rules, alerts.Early()...)
		}
		return deliver(r, rulefile.RenderNative(in.rules), stdout, stderr)
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	systems, rate, notes, err := expressions(ctx, r.settings)
	note(stderr, notes)
	if err != nil {
		return failedAsking(ctx, r, err, stderr)
	}
	built, err := buildRules(r.settings, systems, rate, in)
	if err != nil {
		return fail(stderr, err)
	}
	note(stderr, built.Notes)
	return deliver(r, renderedOver(r.settings.export.output, built.File, styleOf(r.settings)), stdout, stderr)
}

// renderedOver is a rule file as it is written to a place: where the same rules
// stand there with other numbers, that file with these, so that the comments and
// the layout of whoever wrote it stay.
func renderedOver(name string, f *rulefile.File, style rulefile.Style) []byte {
	is, err := readSmall(name)
	if err != nil || style.Helm || style.Resource != nil || rulefile.IsResource(is) {
		return rulefile.Render(f, style)
	}
	before, err := rulefile.Parse(is)
	if err != nil {
		return rulefile.Render(f, style)
	}
	with := rulefile.File{Comment: export.MergeComment(before.Comment, f.Comment), Groups: f.Groups}
	if out, ok := rulefile.Revise(is, &with); ok {
		return out
	}
	return rulefile.Render(f, style)
}

func styleOf(s settings) rulefile.Style {
	out := rulefile.Style{Helm: s.export.helm}
	if s.format == operatorRules {
		e := &s.export
		out.Resource = &rulefile.Resource{Name: e.resource, Namespace: e.namespace, Labels: e.labels, Annotations: e.annotations}
	}
	return out
}

// expressions are what the server would be asked, or what the named systems would.
func expressions(ctx context.Context, s settings) ([]collector.Expressions, time.Duration, []string, error) {
	if s.baseline.window > 0 {
		return nil, 0, nil, errors.New("--baseline is learned from the present of a Prometheus: for rules give a number")
	}
	cfg, err := promConfig(s, nil, &loading{})
	if err != nil {
		return nil, 0, nil, err
	}
	if s.prom.url == "" {
		out, rate, err := prom.Express(cfg)
		return out, rate, nil, err
	}
	client, notes, err := prom.Dial(cfg)
	if err != nil {
		return nil, 0, notes, err
	}
	out, rate, err := client.Express(ctx)
	return out, rate, notes, err
}

// failedAsking reports what went wrong with a server, or before it was asked.
func failedAsking(ctx context.Context, r *resolved, err error, stderr io.Writer) int {
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "stormtop: interrupted")
		return exitNoData
	case errors.As(err, new(*prom.Refused)):
		fail(stderr, err)
		return exitNoData
	}
	return fail(stderr, r.locate(err))
}

// buildRules makes the file of rules for systems.
func buildRules(s settings, systems []collector.Expressions, rate time.Duration, in ruleInput) (*export.Built, error) {
	fanouts, notes := fanoutsOf(s, systems)
	b := s.baselines()
	b.Of = nil
	built, err := export.Build(systems, in.rules, export.Options{
		Rate: rate, Interval: cmp.Or(s.interval, s.export.interval), Baselines: b, Fanouts: fanouts, Prefix: s.export.prefix, NoData: s.export.noData,
		Evidence: in.evidence, Own: in.groups,
	})
	if err == nil {
		built.Notes = append(built.Notes, notes...)
	}
	return built, err
}

// fanoutsOf are the fan-outs of --baseline-of, with the labels of the targets.
func fanoutsOf(s settings, systems []collector.Expressions) (out []export.Fanout, notes []string) {
	of := s.baselines().Of
	for i := range systems {
		x := &systems[i]
		if len(of) > 0 && len(x.By) != 1 {
			notes = append(notes, fmt.Sprintf("--baseline-of is left out for %s: only a target of one label can be told by its name", x.Title))
			continue
		}
		for _, p := range s.baselinesOf {
			target := collector.NewTarget(x.Kind, collector.Label{Name: x.By[0], Value: p.name}).In(x.Profile)
			out = append(out, export.Fanout{Target: target, Number: of[p.name]})
		}
	}
	return out, notes
}

// deliver writes to standard output, or to the file that was named.
func deliver(r *resolved, text []byte, stdout, stderr io.Writer) int {
	if r.settings.export.output == "" {
		return write(stdout, string(text))
	}
	return putFile(r.settings.export.output, text, r.settings.force, stderr)
}

// putFile writes a file, unless another one is there: that is shown and kept.
func putFile(name string, text []byte, force bool, stderr io.Writer) int {
	p, err := propose(name, text)
	if err != nil {
		return fail(stderr, err)
	}
	shownName := collector.Clean(name)
	switch {
	case p.same():
		note(stderr, []string{shownName + " is like this already"})
		return exitOK
	case p.exists:
		fmt.Fprintf(stderr, "%s would change:\n%s", shownName, cleanLines(p.difference()))
		if !force {
			return fail(stderr, fmt.Errorf("%s is there already and another one: add --force to replace it", shownName))
		}
	}
	if err := p.write(); err != nil {
		return fail(stderr, err)
	}
	note(stderr, []string{"wrote " + shownName})
	return exitOK
}

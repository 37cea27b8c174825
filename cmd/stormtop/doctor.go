package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector/doctor"
	"stormtop/collector/prom"
)

// doctorFlags are the options that the verb doctor takes.
var doctorFlags = []string{
	"prom", "prom.http-config", "prom.header", "prom.param", "signal", "by", "profile", "select", "ingress", "downstream",
	"replica-label", "interval", "rate", "format", "glyphs", "config", "context", "help",
}

const doctorHead = `stormtop doctor --prom=URL examines a server as the dashboard would use it: which
systems have data there, which of their signals exist and how far they can be
relied on, how often samples come, what is counted twice, what a poll costs, and
what to do about each gap.

`

const doctorTail = `
EXIT STATUS
  0  complete
  1  there is something to do
  2  the command line or the configuration is wrong, or no server is named
  3  the server cannot be reached, or has no data of any known system
`

// doctorOptions are the options of the verb, in the order of the help.
func doctorOptions() []option {
	return slices.DeleteFunc(options(groups(alerts.Documented())), func(o option) bool { return !slices.Contains(doctorFlags, o.name) })
}

func doctorHelp() string {
	var b strings.Builder
	b.WriteString(doctorHead)
	for _, o := range doctorOptions() {
		writeOption(&b, &o, 26)
	}
	b.WriteString(doctorTail)
	return b.String()
}

// runDoctor is the verb doctor.
func runDoctor(ctx context.Context, args []string, env environ, stdout, stderr io.Writer) int {
	all := options(groups(alerts.Documented()))
	flags, rest, err := readFlags(all, args)
	switch {
	case slices.ContainsFunc(args, func(a string) bool { return a == "--help" || a == "-h" }):
		return write(stdout, doctorHelp())
	case err != nil:
		return fail(stderr, err)
	case len(rest) > 0:
		return fail(stderr, fmt.Errorf("doctor takes flags only: stormtop doctor --prom=URL"))
	}
	for name := range flags.given {
		if !slices.Contains(doctorFlags, name) {
			return fail(stderr, fmt.Errorf("--%s does not go with doctor: stormtop help doctor lists what does", name))
		}
	}
	r, err := resolve(all, flags, env)
	if err != nil {
		return fail(stderr, err)
	}
	note(stderr, r.notes)
	if f := r.settings.format; f != "text" && f != "json" {
		return fail(stderr, fmt.Errorf("--format=%s does not go with doctor, which writes text or json", f))
	}
	if r.settings.prom.url == "" {
		return fail(stderr, errors.New("doctor needs a server: add --prom=URL (or set STORMTOP_PROM)"))
	}
	return examine(ctx, r, env, stdout, stderr)
}

func examine(ctx context.Context, r *resolved, env environ, stdout, stderr io.Writer) int {
	ctx, stop := untilSignal(ctx)
	defer stop()
	s := r.settings
	cfg, err := promConfig(s, nil, &loading{})
	if err != nil {
		return fail(stderr, r.locate(err))
	}
	client, notes, err := prom.Dial(cfg)
	if err != nil {
		return fail(stderr, r.locate(err))
	}
	note(stderr, notes)
	var names []string
	for _, p := range cfg.Profiles {
		names = append(names, p.Name)
	}
	report, err := doctor.Run(ctx, client, doctor.Config{
		At: time.Now(), Tenant: client.Tenant(), Known: client.Known(), Profiles: names,
		Signals: cfg.Signals, By: s.by, Interval: s.interval, Rate: s.rate,
	})
	if err != nil {
		fmt.Fprintln(stderr, "stormtop: interrupted")
		return exitNoData
	}
	if s.format == "json" {
		err = report.JSON(stdout)
	} else {
		err = report.Text(stdout, s.glyphs == "ascii" || s.glyphs == "auto" && !utf8Locale(env))
	}
	if err != nil {
		fmt.Fprintf(stderr, "stormtop: %v: %v\n", errOutput, err)
		return exitCrashed
	}
	return report.ExitStatus()
}

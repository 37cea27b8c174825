package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"stormtop/alerts/tune"
	"stormtop/collector"
	"stormtop/views/report"
)

func tuneUsage() verbUsage {
	return verbUsage{
		name: "tune",
		takes: slices.Concat(asking, numbers, []string{
			"from", "to", "replay", "sim", "seed", "span", "glyphs", "config", "context", "help",
		}),
		own: slices.Concat([]option{formatOption("text or json", "text", "json")}, tuneOptions(), exportOptions()),
		head: `stormtop tune judges the rules by what happened: how often each would have fired,
how early, and how often for nothing; and which threshold and for would have been
better.

  stormtop tune --prom=http://HOST:9090 --from=-24h --incident=12:00/12:40
  stormtop tune --replay=incident.rec --landscape
  stormtop tune --sim=demo --seeds=1..50 --judge-seeds=51..100
  stormtop tune --prom=URL --from=-7d --rules=ours.yml --incident-alert=SiteDown

`,
		tail: `
Firing outside an incident, and later than the range of the rates and
keep_firing_for after its end, is false alarm.

EXIT STATUS
  0  no rule would have fired, and every one could be judged
  1  a rule would have fired
  2  the command line, the configuration or a rule file is wrong, or no source is
     named
  3  no data, or the source cannot be reached
  4  none would have fired, but not every rule could be judged
`,
	}
}

// runTune is the verb tune.
func runTune(ctx context.Context, args []string, env environ, stdout, stderr io.Writer) int {
	r, status, done := tuneUsage().read(args, env, stdout, stderr)
	if done {
		return status
	}
	in, err := readRules(r)
	if err != nil {
		return fail(stderr, r.locate(err))
	}
	note(stderr, in.notes)
	if err := checkTune(r); err != nil {
		return fail(stderr, err)
	}
	if name := r.settings.tuning.incidentFile; name != "" {
		more, err := readWindows(name)
		if err != nil {
			return fail(stderr, err)
		}
		r.settings.tuning.incidents = append(r.settings.tuning.incidents, more...)
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	s := newStudy(r, in)
	var report1 report.Tuning
	err = guard(func() error {
		var err error
		report1, err = s.run(ctx)
		return err
	})
	note(stderr, s.notes)
	var c *crash
	switch {
	case errors.As(err, &c):
		fmt.Fprintln(stderr, c)
		return exitCrashed
	case errors.Is(err, errNothingThere):
		fail(stderr, err)
		return exitNoData
	case err != nil:
		return failedAsking(ctx, r, err, stderr)
	}
	if r.settings.format == "json" {
		err = report.TuningJSON(stdout, report1)
	} else {
		err = report.Text{ASCII: r.settings.glyphs == "ascii" || r.settings.glyphs == "auto" && !utf8Locale(env)}.Tuning(stdout, report1)
	}
	if err != nil {
		fmt.Fprintf(stderr, "stormtop: %v: %v\n", errOutput, err)
		return exitCrashed
	}
	if r.settings.tuning.output != "" {
		if status := s.writeTuned(ctx, report1, stderr); status != exitOK {
			return status
		}
	}
	return report.TuningExit(report1)
}

// errNothingThere is wrapped where a source has nothing to judge by.
var errNothingThere = errors.New("there is nothing to judge by")

// checkTune refuses what contradicts itself.
func checkTune(r *resolved) error {
	s := &r.settings
	sim := s.kind() == simulatedSource
	switch {
	case s.unasked() && len(s.tuning.seeds) == 0:
		return errors.New("tune needs a source: add --prom=URL with --from, --replay=FILE, or --sim=NAME")
	case s.kind() == scrapeSource:
		return errors.New("endpoints have no past: tune takes --prom=URL with --from, --replay=FILE, or --sim=NAME")
	case s.kind() == promSource && s.from.kind == noMoment:
		return errors.New("tune judges the past: add --from, as in --from=-6h")
	case s.to.kind != noMoment && s.from.kind == noMoment:
		return errors.New("--to needs --from: where does it begin?")
	case !sim && (len(s.tuning.seeds) > 0 || len(s.tuning.judge) > 0):
		return errors.New("--seeds and --judge-seeds are of a simulation: add --sim=NAME")
	case s.kind() != promSource && (s.tuning.server || len(s.tuning.alerts) > 0):
		return errors.New("--server-rules and --incident-alert ask a server: add --prom=URL")
	case s.replay == "-":
		return errors.New("tune reads a recording from a file: --replay=FILE")
	case s.tuning.output == "-":
		return errors.New("on standard output is what tune found: name a file for the rules, as in --output=rules.yml")
	case s.baseline.window > 0:
		return errors.New("--baseline is learned from the present of a Prometheus: with tune give a number")
	}
	return nil
}

// story is one stretch of the past with what is known of it. Scenarios of
// other simulations come in by the same door (simulated).
type story struct {
	name     string
	readings func(context.Context, func(*collector.Reading) error) error
	marks    []collector.Mark
	midway   bool // its first instant is no beginning
}

// recorded is a recording as a stretch.
func recorded(s settings) (story, []collector.RuleSpec, error) {
	rec, err := openRecording(s.replay, os.Stdin)
	if err != nil {
		return story{}, nil, err
	}
	_, last := rec.Span()
	from, to := s.from, s.to
	out := story{name: collector.Clean(s.replay), marks: rec.Marks(), midway: true}
	out.readings = func(ctx context.Context, each func(*collector.Reading) error) error {
		for r := range rec.Readings() {
			if from.kind != noMoment && r.At.Before(from.resolve(last)) || to.kind != noMoment && r.At.After(to.resolve(last)) {
				continue
			}
			if err := errors.Join(ctx.Err(), each(r)); err != nil {
				return err
			}
		}
		return nil
	}
	return out, rec.RulesAt(rec.Len() - 1), nil
}

// incidentsOf are what was named, else the truth of a simulation, else the marks.
// What was named and is not within the history is left out, and noted.
func incidentsOf(s settings, st story, truth *tune.Truth, from, to time.Time) (out []tune.Incident, notes []string, err error) {
	for _, w := range s.tuning.incidents {
		i := tune.Incident{From: w.from.resolve(to), To: w.to.resolve(to), Text: cmp.Or(w.text, "--incident")}
		name := fmt.Sprintf("the incident %s/%s", w.from.text, w.to.text)
		switch {
		case i.To.Before(i.From):
			return nil, nil, fmt.Errorf("%s ends before it begins: %s is after %s", name, i.From.Format(time.RFC3339), i.To.Format(time.RFC3339))
		case i.To.Before(from) || i.From.After(to):
			notes = append(notes, fmt.Sprintf("%s is left out: the history is from %s to %s", name, from.UTC().Format(time.RFC3339), to.UTC().Format(time.RFC3339)))
			continue
		}
		out = append(out, i)
	}
	switch {
	case len(s.tuning.incidents) > 0:
	case truth.Known():
		out = truth.Incidents()
	default:
		out = tune.Marked(st.marks, to)
	}
	return tune.Sorted(out), notes, nil
}

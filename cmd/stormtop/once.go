package main

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/views/report"
)

// errOutput is wrapped by what went wrong with standard output.
var errOutput = errors.New("standard output cannot be written to")

// runOnce reads what came before, so that the states of the rules are known,
// and one live reading, or with --for so much of a simulation, writes the
// report, and returns the status that it stands for. Of endpoints that are read
// directly there is no past, so that as many readings are taken as fill the range
// of the rates.
func runOnce(ctx context.Context, p program) int {
	ctx, stop := untilSignal(ctx)
	defer stop()
	var first time.Time
	err := pump(ctx, p.source, p.watch, func(r *collector.Reading, _ []collector.Event) error {
		if r.Past || p.settings.duration > 0 {
			return nil
		}
		if first.IsZero() {
			first = r.At
		}
		if len(p.settings.scrape) > 0 && !r.Blind() && r.At.Sub(first) < r.Origin.RateRange {
			return nil
		}
		return errDone
	})
	if err != nil {
		return p.failed(ctx, err)
	}
	s := p.watch.Snapshot()
	s.Final = true
	if p.settings.format == "json" {
		err = report.JSON(p.stdout, s)
	} else {
		err = p.text().Reading(p.stdout, s)
	}
	if err != nil {
		return p.failed(ctx, fmt.Errorf("%w: %w", errOutput, err))
	}
	return report.ExitStatus(s)
}

// runPlain writes a line for each live reading and behind it one for each thing
// that happened, until the source ends or a signal comes, and returns the
// status that the last reading stands for.
func runPlain(ctx context.Context, p program) int {
	ctx, stop := untilSignal(ctx)
	defer stop()
	line, eventLine := p.plainFormat()
	err := pump(ctx, p.source, p.watch, func(r *collector.Reading, events []collector.Event) error {
		if r.Past {
			return nil
		}
		err := line(p.watch.Snapshot())
		for _, e := range events {
			err = errors.Join(err, eventLine(e))
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errOutput, err)
		}
		return nil
	})
	s := p.watch.Snapshot()
	if err != nil && (ctx.Err() == nil || s.Last == nil) {
		return p.failed(ctx, err)
	}
	return report.ExitStatus(s)
}

// plainFormat is how readings and events are written.
func (p program) plainFormat() (func(watch.Snapshot) error, func(collector.Event) error) {
	if p.settings.format == "json" {
		return func(s watch.Snapshot) error { return report.JSONLine(p.stdout, s) },
			func(e collector.Event) error { return report.EventJSON(p.stdout, e) }
	}
	text := p.text()
	put := func(line string) error {
		_, err := fmt.Fprintln(p.stdout, line)
		return err
	}
	return func(s watch.Snapshot) error { return put(text.Line(s)) },
		func(e collector.Event) error { return put(text.EventLine(e)) }
}

func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
}

// text is how reports are written: without anything outside ASCII where the
// locale does not say that it can be shown.
func (p program) text() report.Text {
	return report.Text{ASCII: p.settings.glyphs == "ascii" || p.settings.glyphs == "auto" && !utf8Locale(p.env)}
}

// failed reports an end that is not in order, and returns its exit status.
func (p program) failed(ctx context.Context, err error) int {
	var c *crash
	switch {
	case errors.As(err, &c):
		fmt.Fprintln(p.stderr, c)
		return exitCrashed
	case errors.Is(err, errOutput):
		fmt.Fprintf(p.stderr, "stormtop: %v\n", err)
		return exitCrashed
	case errors.As(err, new(*prom.Refused)) && ctx.Err() == nil:
		fail(p.stderr, err)
		return exitNoData
	case ctx.Err() != nil:
		fmt.Fprintln(p.stderr, "stormtop: interrupted before the first reading")
		return exitNoData
	}
	return fail(p.stderr, err)
}

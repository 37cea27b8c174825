// Package labcmd is the verb "stormtop lab": the outage lab as tables, JSON or
// CSV.
package labcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/lab"
)

const helpCommand = "stormtop lab --help"

// The exit statuses of Command.
const (
	exitOK    = 0
	exitError = 1 // interrupted, or the output could not be written
	exitUsage = 2 // nothing was run
)

// Command runs the verb with the arguments behind it and returns the exit
// status: 0, 1 when it was interrupted or could not write, 2 for mistakes in the
// arguments, of each of which stderr says the flag and the remedy in a sentence.
// Nothing is written to stdout before every run is done.
func Command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintln(stderr, "stormtop lab:", collector.Clean(line))
		}
		return status
	}
	p, err := parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		if _, err := io.WriteString(stdout, help()); err != nil {
			return fail(exitError, fmt.Errorf("writing the help: %w", err))
		}
		return exitOK
	case err != nil:
		return fail(exitUsage, err)
	}
	results, err := runAll(ctx, p.runs)
	if err != nil {
		return fail(exitError, err)
	}
	var out bytes.Buffer
	if err := p.write(&out, results); err != nil {
		return fail(exitError, err)
	}
	if _, err := stdout.Write(out.Bytes()); err != nil {
		return fail(exitError, fmt.Errorf("writing the results: %w", err))
	}
	return exitOK
}

func runAll(ctx context.Context, list []lab.Strategy) ([]lab.Result, error) {
	results := make([]lab.Result, 0, len(list))
	for _, s := range list {
		r, err := lab.Run(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("running %s with seed %d: %w", s.ID, s.Config.Seed, err)
		}
		results = append(results, r)
	}
	return results, nil
}

func (p plan) write(w io.Writer, results []lab.Result) error {
	switch p.format {
	case "json":
		return writeJSON(w, results)
	case "csv":
		return writeCSV(w, results)
	}
	return writeText(w, p, results)
}

// plan is what the arguments ask for.
type plan struct {
	format string         // text, json or csv
	runs   []lab.Strategy // in the order of the output
	chosen []lab.Strategy // the strategies of the runs, without repeating them for each seed
	// published says that nothing was chosen: the whole published set runs, the
	// controls included.
	published bool
}

func parse(args []string) (plan, error) {
	o := newOptions()
	if err := o.flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return plan{}, err
		}
		return plan{}, usage.FlagError(err, o.names, helpCommand)
	}
	if o.flags.NArg() > 0 {
		return plan{}, fmt.Errorf("unexpected argument %s: choose strategies with --strategy; see %s", collector.Quote(o.flags.Arg(0)), helpCommand)
	}
	if err := o.read(); err != nil {
		return plan{}, err
	}
	return o.plan()
}

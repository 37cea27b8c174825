package simulate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"stormtop/collector"
	"stormtop/simfeed/scenario"
)

const helpCommand = "stormtop simulate --help"

// The exit statuses of Command.
const (
	exitOK    = 0
	exitError = 1 // interrupted, or the output could not be written
	exitUsage = 2 // nothing was run
)

// World is what the verb has of the world.
type World struct {
	Stdout, Stderr io.Writer
	ReadFile       scenario.ReadFile
	// Now is the clock by which the time of runs is told.
	Now func() time.Time
	// Progress writes a line on Stderr while long runs last; it is for a
	// terminal.
	Progress bool
	// Cores is how many runs go on at once.
	Cores int
}

// Command runs the verb with the arguments behind it and returns the exit
// status: 0; 1 when it was interrupted or could not write; 2 for mistakes in the
// arguments or the scenario, each told with its place and the remedy. When ctx
// ends, what was computed until then is written, and said to be incomplete.
func Command(ctx context.Context, args []string, world World) int {
	fail := func(status int, err error) int {
		for line := range bytes.Lines([]byte(err.Error())) {
			fmt.Fprintln(world.Stderr, "stormtop simulate:", collector.Clean(string(bytes.TrimRight(line, "\n"))))
		}
		return status
	}
	p, err := parse(args, world.ReadFile)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		if _, err := io.WriteString(world.Stdout, help()); err != nil {
			return fail(exitError, fmt.Errorf("writing the help: %w", err))
		}
		return exitOK
	case err != nil:
		return fail(exitUsage, err)
	}
	out := new(bytes.Buffer)
	err = p.run(ctx, world, out)
	interrupted := ctx.Err() != nil && errors.Is(err, ctx.Err())
	if err != nil && !interrupted {
		return fail(exitError, err)
	}
	if _, werr := world.Stdout.Write(out.Bytes()); werr != nil {
		return fail(exitError, fmt.Errorf("writing the results: %w", werr))
	}
	if interrupted {
		return fail(exitError, errors.New("interrupted: the results are those until then"))
	}
	return exitOK
}

// run runs what was asked for and writes it.
func (p *plan) run(ctx context.Context, world World, out *bytes.Buffer) error {
	switch {
	case len(p.compare) > 0:
		return p.runComparison(ctx, world, out)
	case p.runs > 1:
		return p.runSeeds(ctx, world, out)
	}
	return p.runOne(ctx, world, out)
}

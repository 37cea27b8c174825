// Package profilecmd is the verb "stormtop profiles": the built-in profiles as
// a list, and one of them as the file to start one's own from.
package profilecmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/usage"
)

const helpCommand = "stormtop profiles --help"

// The exit statuses of Command.
const (
	exitOK    = 0
	exitError = 1 // the output could not be written
	exitUsage = 2 // nothing was shown
)

// Command runs the verb with the arguments behind it and returns the exit
// status: 0, 1 when the output could not be written, 2 for mistakes in the
// arguments, of each of which stderr says the flag and the remedy in a sentence.
func Command(args []string, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintln(stderr, "stormtop profiles:", collector.Clean(line))
		}
		return status
	}
	o := newOptions()
	var out bytes.Buffer
	switch err := o.parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		out.WriteString(help())
	case err != nil:
		return fail(exitUsage, err)
	default:
		if err := o.write(&out); err != nil {
			return fail(exitError, err)
		}
	}
	if _, err := stdout.Write(out.Bytes()); err != nil {
		return fail(exitError, fmt.Errorf("writing the profiles: %w", err))
	}
	return exitOK
}

// options are the flags of the verb.
type options struct {
	flags  *pflag.FlagSet
	format string // text or json
	show   string // a profile's name; "" is all of them
}

func newOptions() *options {
	o := &options{flags: pflag.NewFlagSet("profiles", pflag.ContinueOnError)}
	o.flags.SortFlags = false
	o.flags.Usage = func() {}
	o.flags.StringVar(&o.show, "show", "", "print this profile as the file that it is, with all its templates")
	o.flags.StringVar(&o.format, "format", "text", "of the list; json has the templates as well")
	// The words that stand for a value in the help and in errors.
	for name, word := range map[string]string{"show": "NAME", "format": "text|json"} {
		f := o.flags.Lookup(name)
		f.Value = named{f.Value, word}
	}
	return o
}

// named is a value with its own word in the help.
type named struct {
	pflag.Value
	word string
}

func (n named) Type() string { return n.word }

// parse reads the command line; all mistakes of values come at once.
func (o *options) parse(args []string) error {
	if err := o.flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return err
		}
		return usage.FlagError(err, []string{"show", "format"}, helpCommand)
	}
	if o.flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %s: name a profile with --show=NAME; see %s", collector.Quote(o.flags.Arg(0)), helpCommand)
	}
	var wrong []error
	if _, err := usage.OneOf("text", "json")(o.format); err != nil {
		wrong = append(wrong, fmt.Errorf("--format %w", err))
	}
	if o.flags.Changed("show") {
		if _, err := profile.Text(o.show); err != nil {
			wrong = append(wrong, fmt.Errorf("--show %w", err))
		}
	}
	return errors.Join(wrong...)
}

// write writes what was asked for.
func (o *options) write(w io.Writer) error {
	list := profile.Builtin()
	if o.show != "" {
		p, err := profile.Find(o.show)
		if err != nil {
			return err
		}
		list = []profile.Profile{p}
	}
	switch {
	case o.format == "json":
		return writeJSON(w, list)
	case o.show != "":
		return writeFile(w, o.show)
	}
	return writeList(w, list)
}

// Package scenariocmd is the verb "stormtop scenarios": what is built in, as a
// list, as data, or one of them as a file.
package scenariocmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/scenario"
)

const helpCommand = "stormtop scenarios --help"

// The exit statuses of Command.
const (
	exitOK    = 0
	exitError = 1 // not written
	exitUsage = 2 // a mistake in the arguments
)

// Command runs the verb with the arguments behind it and returns the exit
// status. read reads the files that are named with --show.
func Command(args []string, read scenario.ReadFile, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintln(stderr, "stormtop scenarios:", collector.Clean(line))
		}
		return status
	}
	var out bytes.Buffer
	format, show, err := parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		out.WriteString(help())
	case err != nil:
		return fail(exitUsage, err)
	default:
		if err := write(&out, format, show, read); err != nil {
			return fail(exitUsage, err)
		}
	}
	if _, err := stdout.Write(out.Bytes()); err != nil {
		return fail(exitError, fmt.Errorf("writing the scenarios: %w", err))
	}
	return exitOK
}

func newFlags() (flags *pflag.FlagSet, format, show *string) {
	flags = pflag.NewFlagSet("scenarios", pflag.ContinueOnError)
	flags.SortFlags = false
	flags.Usage = func() {}
	format = new(string)
	show = new(string)
	flags.Var(text{format, "text|json", "text"}, "format", "of the list")
	flags.Var(text{show, "NAME", ""}, "show", "print one: its file, with what to look for; or check a FILE.yaml")
	return flags, format, show
}

// text is a flag that notes what was written.
type text struct {
	to       *string
	arg, def string
}

func (t text) String() string { return t.def }
func (t text) Type() string   { return t.arg }
func (t text) Set(s string) error {
	*t.to = strings.TrimSpace(s)
	return nil
}

func parse(args []string) (format, show string, err error) {
	flags, f, s := newFlags()
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return "", "", err
		}
		return "", "", usage.FlagError(err, []string{"format", "show"}, helpCommand)
	}
	if flags.NArg() > 0 {
		return "", "", fmt.Errorf("unexpected argument %s: name a scenario with --show=NAME; see %s", collector.Quote(flags.Arg(0)), helpCommand)
	}
	format = "text"
	if flags.Changed("format") {
		if format, err = usage.OneOf("text", "json")(*f); err != nil {
			return "", "", fmt.Errorf("--format %w", err)
		}
	}
	if flags.Changed("show") && *s == "" {
		return "", "", errors.New("--show needs a name: stormtop scenarios lists those that are built in")
	}
	return format, *s, nil
}

func write(out *bytes.Buffer, format, show string, read scenario.ReadFile) error {
	var list []scenario.Scenario
	names := scenario.Names()
	if show != "" {
		names = []string{show}
	}
	for _, name := range names {
		s, err := scenario.Named(name, read)
		if err != nil {
			if !scenario.IsFile(name) {
				err = fmt.Errorf("--show %w", err)
			}
			return err
		}
		list = append(list, s)
	}
	switch {
	case format == "json":
		return writeJSON(out, list)
	case show != "":
		return writeFile(out, show, &list[0], read)
	}
	writeList(out, list)
	return nil
}

type document struct {
	Schema    string  `json:"schema"`
	Scenarios []entry `json:"scenarios"`
}

// entry is a scenario as data. Lists are there even when empty.
type entry struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Look     string    `json:"look"`
	Source   string    `json:"source"`
	Fitted   []string  `json:"fitted"`
	Length   string    `json:"length"`
	Loop     bool      `json:"loop"`
	Class    string    `json:"class"`   // watched
	Service  string    `json:"service"` // watched
	Classes  []class   `json:"classes"`
	Variants []variant `json:"variants"`
	Actions  []action  `json:"actions"`
}

type class struct {
	Name string   `json:"name"`
	Path []string `json:"path"`
}

type variant struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

type action struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	At    string `json:"at"`
	Wrong bool   `json:"wrong"`
}

func writeJSON(out *bytes.Buffer, list []scenario.Scenario) error {
	doc := document{Schema: "stormtop/scenarios/v1", Scenarios: []entry{}}
	for i := range list {
		s := &list[i]
		e := entry{
			Name: s.FullName(), Title: s.Title, Look: s.Look, Source: s.From, Fitted: append([]string{}, s.Fitted...),
			Length: collector.FormatInterval(s.Length), Loop: s.Loop, Classes: []class{}, Variants: []variant{}, Actions: []action{},
		}
		e.Class, e.Service = s.Watched()
		for _, c := range s.Classes {
			e.Classes = append(e.Classes, class{c.Name, c.Path})
		}
		for _, v := range s.Variants {
			e.Variants = append(e.Variants, variant{v.Name, v.Title})
		}
		for _, a := range s.Actions {
			e.Actions = append(e.Actions, action{a.Name, a.Title, collector.FormatInterval(a.At), a.Wrong})
		}
		doc.Scenarios = append(doc.Scenarios, e)
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("writing the scenarios as JSON: %w", err)
	}
	return nil
}

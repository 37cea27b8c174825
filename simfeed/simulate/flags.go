package simulate

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/scenario"
)

// maxRuns bounds --runs, and the memory for their figures.
const maxRuns = 100_000

// options are the flags of the verb, as they were written: they are parsed when
// all are there, so that all mistakes come at once.
type options struct {
	flags *pflag.FlagSet
	names []string
	given []given

	format  string
	set     []scenario.Setting
	seed    int64
	runs    int
	compare []string
	act     bool
	actions []string
	control bool
}

type given struct {
	flag, text string
	parse      func(string) error
}

// rawFlag is a pflag.Value that only notes what was written.
type rawFlag struct {
	options        *options
	name, arg, def string
	parse          func(string) error
}

func (f rawFlag) String() string { return f.def }
func (f rawFlag) Type() string   { return f.arg }
func (f rawFlag) Set(text string) error {
	f.options.given = append(f.options.given, given{f.name, strings.TrimSpace(text), f.parse})
	return nil
}

func newOptions() *options {
	o := &options{flags: pflag.NewFlagSet("simulate", pflag.ContinueOnError), format: "text", seed: 1, runs: 1, control: true}
	o.flags.SortFlags = false
	o.flags.Usage = func() {}
	o.add("format", "text|json|csv|openmetrics", "text", "of the results", func(s string) (err error) {
		o.format, err = usage.OneOf("text", "json", "csv", "openmetrics")(s)
		return err
	})
	o.add("set", "FIELD=VALUE", "", "change a field, as edges.order>payment.attempts=1; repeatable", func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || strings.TrimSpace(name) == "" {
			return fmt.Errorf("%s is no FIELD=VALUE: write it like edges.order>payment.attempts=1", collector.Quote(s))
		}
		o.set = append(o.set, scenario.Setting{Field: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
		return nil
	})
	o.add("act", "NAME,...", "", "do what an operator can do, at its time: all repairs, or those named", func(s string) error {
		names, err := words(s)
		if o.act = true; s != allActions {
			o.actions = append(o.actions, names...)
		}
		return err
	})
	o.flags.Lookup("act").NoOptDefVal = allActions
	o.add("seed", "N", "1", "of the random numbers", func(s string) (err error) {
		o.seed, err = wholeNumber(s, 64)
		return err
	})
	o.add("runs", "N", "1", "so many runs with seeds from --seed on, over all cores", func(s string) error {
		n, err := wholeNumber(s, 32)
		if err == nil && (n < 1 || n > maxRuns) {
			err = fmt.Errorf("%s is out of range: 1 to %d", collector.Quote(s), maxRuns)
		}
		o.runs = int(n)
		return err
	})
	o.add("compare", "NAME,...", "", "variants of the scenario or policies, against the same arrivals; as-is is the scenario as it stands", func(s string) error {
		names, err := words(s)
		o.compare = append(o.compare, names...)
		return err
	})
	o.add("control", "bool", "true", "run it without its trigger, too, for the verdict", func(s string) (err error) {
		o.control, err = usage.Switch(s)
		return err
	})
	o.flags.Lookup("control").NoOptDefVal = "true"
	return o
}

// allActions stands for --act without names.
const allActions = "all"

func (o *options) add(name, arg, def, help string, parse func(string) error) {
	o.names = append(o.names, name)
	o.flags.Var(rawFlag{o, name, arg, def, parse}, name, help)
}

// read parses what was written on the command line.
func (o *options) read() error {
	var wrong []error
	for _, g := range o.given {
		if err := g.parse(g.text); err != nil {
			wrong = append(wrong, fmt.Errorf("--%s %w", g.flag, err))
		}
	}
	return errors.Join(wrong...)
}

// words are the names of a list, which has one at least: what a variable without
// a value leaves behind is no wish.
func words(list string) (out []string, err error) {
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s names nothing: write names with commas between them, or leave it out", collector.Quote(list))
	}
	return out, nil
}

func wholeNumber(s string, bits int) (int64, error) {
	n, err := strconv.ParseInt(s, 10, bits)
	if err != nil {
		return 0, fmt.Errorf("%s is no whole number of at most %d bits: write it like 1", collector.Quote(s), bits)
	}
	return n, nil
}

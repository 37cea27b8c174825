package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"stormtop/collector"
)

// rawFlag is a pflag.Value that only notes what was written; it is parsed
// later, with everything else, so that all errors come at once.
type rawFlag struct {
	option *option
	layer  layer
}

func (f rawFlag) Set(text string) error {
	f.layer.put(f.option, text, "--"+f.option.name)
	return nil
}

func (f rawFlag) String() string { return f.option.def }

func (f rawFlag) Type() string { return f.option.arg }

// readFlags reads the command line into a layer; rest is what is no flag.
func readFlags(all []option, args []string) (l layer, rest []string, err error) {
	l = newLayer(flagLayer)
	set := pflag.NewFlagSet("stormtop", pflag.ContinueOnError)
	set.SetOutput(nil)
	set.Usage = func() {}
	var names []string
	for i := range all {
		o := &all[i]
		short := ""
		if o.name == "help" {
			short = "h"
		}
		flag := set.VarPF(rawFlag{o, l}, o.name, short, o.help)
		if o.form == toggle {
			flag.NoOptDefVal = "true"
		}
		names = append(names, o.name)
	}
	if err := set.Parse(args); err != nil {
		return l, nil, flagError(err, names)
	}
	return l, set.Args(), l.check(all).orNil()
}

// flagError puts pflag's errors into our words. It never repeats a value,
// which may be a secret.
func flagError(err error, names []string) error {
	var unknown *pflag.NotExistError
	var needs *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			if near := nearest(short, names); near != "" {
				return fmt.Errorf("unknown flag -%s: did you mean --%s?", collector.Clean(short), near)
			}
			return fmt.Errorf("unknown flag -%s: long names only, and stormtop --help lists them", collector.Clean(name))
		}
		if near := nearest(name, names); near != "" {
			return fmt.Errorf("unknown flag --%s: did you mean --%s?", collector.Clean(name), near)
		}
		return fmt.Errorf("unknown flag --%s: stormtop --help lists those that exist", collector.Clean(name))
	case errors.As(err, &needs):
		return fmt.Errorf("--%s needs a value: write --%s=%s", needs.GetFlag().Name, needs.GetFlag().Name, needs.GetFlag().Value.Type())
	case errors.As(err, &syntax):
		flag, _, _ := strings.Cut(syntax.GetSpecifiedFlag(), "=")
		return fmt.Errorf("%q is no flag: stormtop --help lists those that exist", collector.Clean(flag))
	}
	return err
}

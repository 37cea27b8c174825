package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"stormtop/collector/usage"
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
		if other := misplaced(err, names); other != nil {
			return l, nil, other
		}
		return l, nil, usage.FlagError(err, names, "stormtop --help")
	}
	return l, set.Args(), l.check(all).orNil()
}

// misplaced says of a flag that is none here which verb has it; nil where none does.
func misplaced(err error, here []string) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || slices.Contains(here, unknown.GetSpecifiedName()) {
		return nil
	}
	name := unknown.GetSpecifiedName()
	var verbs []string
	for _, v := range []verbUsage{rulesUsage(), tuneUsage()} {
		if slices.ContainsFunc(v.own, func(o option) bool { return o.name == name }) {
			verbs = append(verbs, v.name)
		}
	}
	if len(verbs) == 0 {
		return nil
	}
	return fmt.Errorf("--%s is a flag of stormtop %s: stormtop help %s lists what goes with it", name, strings.Join(verbs, " and of stormtop "), verbs[0])
}

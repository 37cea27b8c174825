package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// verbUsage is a verb whose options are those of the program, or some of its own.
type verbUsage struct {
	name, head, tail string
	takes            []string // options of the program
	own              []option
}

func (v verbUsage) help() string {
	var b strings.Builder
	b.WriteString(v.head)
	for _, o := range takenBy(v.takes, v.own) {
		writeOption(&b, &o, 26)
	}
	b.WriteString(v.tail)
	return b.String()
}

// read reads the flags of a verb. done says that all is said already, and what
// the exit status is.
func (v verbUsage) read(args []string, env environ, stdout, stderr io.Writer) (r *resolved, status int, done bool) {
	all := verbOptions(v.own)
	flags, rest, err := readFlags(all, args)
	switch {
	case slices.ContainsFunc(args, func(a string) bool { return a == "--help" || a == "-h" }):
		return nil, write(stdout, v.help()), true
	case err != nil:
		return nil, fail(stderr, err), true
	case len(rest) > 0:
		return nil, fail(stderr, fmt.Errorf("%s takes flags only: stormtop help %s lists them", v.name, v.name)), true
	}
	for name := range flags.given {
		if !slices.Contains(v.takes, name) && !slices.ContainsFunc(v.own, func(o option) bool { return o.name == name }) {
			return nil, fail(stderr, fmt.Errorf("--%s does not go with %s: stormtop help %s lists what does", name, v.name, v.name)), true
		}
	}
	if r, err = resolve(all, flags, env); err != nil {
		return nil, fail(stderr, err), true
	}
	note(stderr, r.notes)
	return r, 0, false
}

package main

import (
	"sort"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
)

const envPrefix = "STORMTOP_"

// environ is the environment as "NAME=VALUE", like os.Environ.
type environ []string

// get is the value of a variable; the last one counts, as everywhere.
func (e environ) get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if n, v, _ := strings.Cut(e[i], "="); n == name {
			return v
		}
	}
	return ""
}

// readEnviron reads the variables that set options. Several values of one
// variable stand on lines of their own. A variable with our prefix that sets
// nothing is no error, since it may belong to a newer version; warnings name it.
func readEnviron(all []option, env environ) (l layer, warnings []string, err error) {
	l = newLayer(envLayer)
	names := make([]string, len(all))
	known := map[string]*option{}
	for i := range all {
		known[all[i].env()] = &all[i]
		names[i] = strings.TrimPrefix(all[i].env(), envPrefix)
	}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, envPrefix) {
			continue
		}
		o := known[name]
		if o == nil {
			warning := "the variable " + collector.Clean(name) + " sets nothing"
			if near := usage.Nearest(strings.TrimPrefix(name, envPrefix), names); near != "" {
				warning += ": did you mean " + envPrefix + near + "?"
			}
			warnings = append(warnings, warning)
			continue
		}
		if value == "" {
			continue // as good as not set, which is how a shell unsets for one command
		}
		delete(l.given, o.name)
		values := []string{value}
		if o.form == pairs {
			values = lines(value)
		}
		for _, v := range values {
			l.put(o, v, name)
		}
	}
	sort.Strings(warnings)
	return l, warnings, l.check(all).orNil()
}

func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// resolved is the outcome of reading flags, environment and file.
type resolved struct {
	settings settings
	origins  map[string]origin // by the name of the option, for those that are set
	all      []option
	notes    []string // what somebody should know, one sentence each
	file     string   // the configuration file that was read, "" for none
}

// origin says where the value of an option is from.
type origin struct {
	rank int // position among the layers; equal ranks are of the same place
	kind layerKind
	given
}

// typed reports whether the option was given on the command line.
func (r *resolved) typed(name string) bool { return r.origins[name].kind == flagLayer }

// typedAny is the first of some flags that was typed, "" when none was.
func (r *resolved) typedAny(names ...string) string {
	for _, name := range names {
		if r.typed(name) {
			return name
		}
	}
	return ""
}

// resolve reads flags, environment and file, and merges them. An error is a
// sentence for a person, or one for each thing that is wrong.
func resolve(all []option, flags layer, env environ) (*resolved, error) {
	vars, warnings, envErr := readEnviron(all, env)
	named, ok := flags.given["config"]
	if !ok {
		named = vars.given["config"]
	}
	file, fileErr := readConfig(all, named, env)
	var layers []layer
	var stackErr error
	if fileErr == nil || file.name != "" { // else what is missing in it is no mistake of its own
		layers, stackErr = stack(all, file, vars, flags)
	}
	if err := allErrors(flags.check(all).orNil(), envErr, fileErr, stackErr); err != nil {
		return nil, err
	}
	r := &resolved{origins: map[string]origin{}, all: all, notes: warnings, file: file.name}
	if err := r.merge(layers); err != nil {
		return nil, err
	}
	if err := r.oneSource(); err != nil {
		return nil, err
	}
	r.keepCredentials(layers)
	return r, nil
}

// locate puts the place in front of an error that speaks of a flag when its
// value is from somewhere else.
func (r *resolved) locate(err error) error {
	flag, rest, _ := strings.Cut(err.Error(), " ")
	flag, value, _ := strings.Cut(strings.TrimRight(flag, ":"), "=")
	from := r.origins[strings.TrimPrefix(flag, "--")]
	if !strings.HasPrefix(flag, "--") || from.kind == defaultLayer || from.kind == flagLayer {
		return err
	}
	place := from.at
	name := strings.TrimRight(strings.Split(value+rest, " ")[0], ":")
	for i, text := range from.texts {
		if strings.HasPrefix(text, name+"=") {
			place = from.each[i]
		}
	}
	return fmt.Errorf("%s: %w", place, err)
}

// stack puts the layers in order, weakest first. A context ranks right below
// the single settings of the place that named it: one that was typed beats a
// forgotten variable of the environment.
func stack(all []option, file configFile, vars, flags layer) ([]layer, error) {
	layers := []layer{defaults(all), file.layer, vars, flags}
	for i := len(layers) - 1; i > 0; i-- {
		g, ok := layers[i].given[contextPath]
		if !ok {
			continue
		}
		name := g.texts[len(g.texts)-1]
		if name == "" {
			break
		}
		context, ok := file.contexts[name]
		if !ok {
			return nil, unknownContext(name, g.at, file)
		}
		if layers[i].kind == fileLayer {
			i++ // within the file, the context is the more special
		}
		layers = append(layers[:i:i], append([]layer{context}, layers[i:]...)...)
		break
	}
	return layers, nil
}

func unknownContext(name, at string, file configFile) error {
	name, typed := collector.Quote(name), name
	switch {
	case file.name == "":
		return fmt.Errorf("%s names the context %s, but there is no configuration file: write one, or name it with --config", at, name)
	case len(file.order) == 0:
		return fmt.Errorf("%s names the context %s, but %s has none: add it there under contexts", at, name, file.name)
	}
	return fmt.Errorf("%s names the context %s, which is not in %s%s: it has %s", at, name, file.name,
		usage.DidYouMean(typed, file.order), collector.Clean(strings.Join(file.order, ", ")))
}

func defaults(all []option) layer {
	l := newLayer(defaultLayer)
	for i := range all {
		if all[i].def != "" {
			l.put(&all[i], all[i].def, "default")
		}
	}
	return l
}

// merge takes every option from the strongest layer that has it.
func (r *resolved) merge(layers []layer) error {
	var bad problems
	for i := range r.all {
		o := &r.all[i]
		for rank := len(layers) - 1; rank >= 0; rank-- {
			g, ok := layers[rank].given[o.name]
			if !ok {
				continue
			}
			if err := o.set(&r.settings, g.texts); err != nil {
				bad.add(g.at, err)
			}
			r.origins[o.name] = origin{rank: rank, kind: layers[rank].kind, given: g}
			break
		}
	}
	return bad.orNil()
}

// oneSource leaves the source of the strongest layer that names one.
func (r *resolved) oneSource() error {
	clear := map[string]func(){
		"prom":   func() { r.settings.prom.url = "" },
		"scrape": func() { r.settings.scrape = nil },
		"replay": func() { r.settings.replay = "" },
		"sim":    func() { r.settings.sim = "" },
	}
	best := ""
	for _, name := range []string{"prom", "scrape", "replay", "sim"} {
		o, ok := r.origins[name]
		switch {
		case !ok:
			continue
		case best == "":
			best = name
			continue
		case r.origins[best].rank == o.rank:
			return fmt.Errorf("%s and %s name two sources: keep one of them", r.origins[best].at, o.at)
		}
		weaker := name
		if o.rank > r.origins[best].rank {
			weaker, best = best, name
		}
		clear[weaker]()
		delete(r.origins, weaker)
	}
	return nil
}

// keepCredentials sees to it that what was configured for one server is not
// sent to another: headers, parameters and client configuration that stand
// beside an address in a weaker layer go with that address only.
func (r *resolved) keepCredentials(layers []layer) {
	source, to := "prom", []string{r.settings.prom.url}
	if r.settings.prom.url == "" {
		source, to = "scrape", r.settings.scrape
	}
	named, ok := r.origins[source]
	if !ok {
		return
	}
	for _, name := range []string{"prom.http-config", "prom.header", "prom.param"} {
		from, ok := r.origins[name]
		if !ok || from.rank >= named.rank {
			continue
		}
		beside := besideOf(layers[from.rank])
		if len(beside) == 0 || allIn(to, beside) {
			continue
		}
		switch name {
		case "prom.http-config":
			r.settings.prom.httpConfig = ""
		case "prom.header":
			r.settings.prom.headers = nil
		case "prom.param":
			r.settings.prom.params = nil
		}
		delete(r.origins, name)
		r.notes = append(r.notes, fmt.Sprintf("%s (%s) belongs to %s and is not sent to %s",
			name, from.at, maskedList(beside), maskedList(to)))
	}
}

// besideOf are the addresses of a layer, to which what it says of headers belongs.
func besideOf(l layer) []string {
	var out []string
	if g, ok := l.given["prom"]; ok {
		out = append(out, last(g.texts))
	}
	for _, text := range l.given["scrape"].texts {
		out = append(out, strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	return out
}

// allIn reports whether all addresses are of servers among others.
func allIn(list, others []string) bool {
	for _, a := range list {
		if !slices.ContainsFunc(others, func(b string) bool { return endpoint(a) == endpoint(b) }) {
			return false
		}
	}
	return true
}

func maskedList(list []string) string {
	var out []string
	for _, a := range list {
		out = append(out, collector.MaskAddress(a))
	}
	return strings.Join(out, ", ")
}

func last(texts []string) string { return texts[len(texts)-1] }

// options flattens groups.
func options(gs []group) []option {
	var all []option
	for _, g := range gs {
		all = append(all, g.options...)
	}
	return all
}

package main

import (
	"errors"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// option is one thing that can be set: as a flag, as a variable of the
// environment and, when it has a path, in the configuration file. Flags, help,
// completion and --print-config are all made from the list of options.
type option struct {
	name   string   // the flag, without its dashes
	path   string   // its place in the configuration file, levels parted by dots; "" for none
	arg    string   // what stands for the value in the help; "" for a switch
	def    string   // the default as somebody would write it; "" for not set
	unset  string   // what happens while it is not set
	help   string   // what it does, for the help text
	values []string // the words it can be, where there are few
	file   bool     // the value is the name of a file
	secret bool     // values are never shown
	of     sourceKind

	binding
}

// binding ties an option to its place in the settings.
type binding struct {
	form form
	set  func(*settings, []string) error // parses the values as they were written
	get  func(settings) []string         // the values as set would read them; none when not set
}

// form says how often an option can be given.
type form uint8

// The forms.
const (
	single form = iota // one value, the last one counts
	toggle             // true or false
	list               // values parted by commas, or given again
	pairs              // NAME=VALUE, given again for the next
)

// sourceKind is the kinds of source that an option means something to.
type sourceKind uint8

// The kinds of source, and those that share options.
const (
	promSource sourceKind = 1 << iota
	scrapeSource
	simulatedSource
	replaySource

	anySource   sourceKind = 0
	liveSource             = promSource | scrapeSource
	pacedSource            = simulatedSource | replaySource | promSource
)

// goesWith reports whether an option of this kind means anything to a source.
func (k sourceKind) goesWith(source sourceKind) bool { return k == anySource || k&source != 0 }

// env is the variable of the environment that sets the option.
func (o *option) env() string {
	return envPrefix + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(o.name))
}

// usage is the option as it is typed: "--span=DURATION".
func (o *option) usage() string {
	if o.form == toggle {
		return "--" + o.name
	}
	return "--" + o.name + "=" + o.arg
}

// one binds an option to a field that holds a single value.
func one[T any](at func(*settings) *T, parse func(string) (T, error), format func(T) string) binding {
	return binding{
		set: func(s *settings, texts []string) error {
			v, err := parse(texts[len(texts)-1])
			if err == nil {
				*at(s) = v
			}
			return err
		},
		get: func(s settings) []string {
			if text := format(*at(&s)); text != "" {
				return []string{text}
			}
			return nil
		},
	}
}

// flagOf binds a switch.
func flagOf(at func(*settings) *bool) binding {
	o := one(at, usage.Switch, formatSwitch)
	o.form = toggle
	return o
}

// listOf binds a list of words; check looks at each.
func listOf(at func(*settings) *[]string, check func(string) error) binding {
	return binding{
		form: list,
		set: func(s *settings, texts []string) error {
			out := []string{} // given and empty is not the same as not given
			for _, text := range texts {
				for word := range strings.SplitSeq(text, ",") {
					if word = strings.TrimSpace(word); word == "" {
						continue
					}
					if err := check(word); err != nil {
						return err
					}
					out = append(out, word)
				}
			}
			*at(s) = out
			return nil
		},
		get: func(s settings) []string { return *at(&s) },
	}
}

// pairsOf binds a repeated NAME=VALUE; check looks at each pair.
func pairsOf(at func(*settings) *[]pair, check func(pair) error) binding {
	return binding{
		form: pairs,
		set: func(s *settings, texts []string) error {
			out := make([]pair, 0, len(texts))
			for _, text := range texts {
				p, err := parsePair(text)
				if err == nil {
					err = check(p)
				}
				if err == nil && named(out, p.name) {
					err = errors.New(collector.Clean(p.name) + " is given twice: keep one")
				}
				if err != nil {
					return err
				}
				out = append(out, p)
			}
			*at(s) = out
			return nil
		},
		get: func(s settings) []string {
			var out []string
			for _, p := range *at(&s) {
				out = append(out, p.name+"="+p.value)
			}
			return out
		},
	}
}

func named(all []pair, name string) bool {
	for _, p := range all {
		if p.name == name {
			return true
		}
	}
	return false
}

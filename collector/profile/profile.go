// Package profile knows systems that export the signals of stormtop: how to
// recognize each by a query, and the PromQL for each signal. A profile is one
// YAML file.
package profile

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
)

// Profile is one system. Templates hold the literal placeholders $window (the
// range of the rates) and $by (the grouping) and nothing else to fill in.
type Profile struct {
	Name       string   // short, lower case, unique: "envoy"
	Title      string   // one line for people
	LooksFor   string   // the metric that detection looks for, for error texts
	Unproven   bool     // never run against the system itself or its exact shape
	Detect     string   // PromQL without placeholders; any result means that the system has data
	By         []string // the labels that make a target
	Callers    []string // labels that say who calls, beside By; nil: none does
	Supersedes []string // profiles that match the same series less well: dropped where this one is found
	Kind       collector.RatioKind
	Trust      collector.Trust // how far downstream / ingress is retry amplification
	Signals    map[collector.Signal]string
	Units      map[collector.Signal]collector.Unit // where they differ from the signal's own
	ZeroFill   []collector.Signal                  // absent means 0 on a target that has ingress
	Absent     map[collector.Signal]string         // why a signal has no template, in words for people
	Sum        bool                                // downstream has no template: it is ingress + retries
	Edge       *Edge                               // the same system seen from its users, or nil
	CannotSee  string                              // which retries these metrics cannot show
	Notes      string
}

// Edge is the pair of sums that relates what users asked of a system to what
// arrived behind it. Templates hold $window only.
type Edge struct {
	Ingress    string          // requests of users a second
	Downstream string          // attempts a second behind it
	Trust      collector.Trust // Heuristic: fan-out is in it, so that it says nothing without a baseline
	CannotSee  string          // which retries the pair cannot show
}

// file is a profile as it is written.
type file struct {
	Name       string            `yaml:"name"`
	Title      string            `yaml:"title"`
	LooksFor   string            `yaml:"looks_for"`
	Status     string            `yaml:"status"`
	Detect     string            `yaml:"detect"`
	By         []string          `yaml:"by"`
	Callers    []string          `yaml:"callers"`
	Supersedes []string          `yaml:"supersedes"`
	Kind       string            `yaml:"kind"`
	Trust      string            `yaml:"trust"`
	Signals    map[string]string `yaml:"signals"`
	Units      map[string]string `yaml:"units"`
	ZeroFill   []string          `yaml:"zero_fill"`
	Absent     map[string]string `yaml:"absent"`
	Edge       *edgeFile         `yaml:"edge"`
	CannotSee  string            `yaml:"cannot_see"`
	Notes      string            `yaml:"notes"`
}

type edgeFile struct {
	Ingress    string `yaml:"ingress"`
	Downstream string `yaml:"downstream"`
	Trust      string `yaml:"trust"`
	CannotSee  string `yaml:"cannot_see"`
}

// sumOf is how a profile writes that downstream is computed from two others.
const sumOf = "ingress + retries"

// Parse reads a profile. name is the file's, for errors; an unknown field is
// an error with its line, and all wrong names of a file are reported at once.
func Parse(name string, data []byte) (Profile, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	var f file
	if err := dec.Decode(&f); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty")
		}
		return Profile{}, fmt.Errorf("profile %s: %w", name, err)
	}
	if err := dec.Decode(new(file)); !errors.Is(err, io.EOF) {
		return Profile{}, fmt.Errorf("profile %s: one file holds one profile, there is more behind it", name)
	}
	p, errs := f.profile()
	if len(errs) > 0 {
		return Profile{}, fmt.Errorf("profile %s: %w", name, errors.Join(errs...))
	}
	return p, nil
}

func (f file) profile() (Profile, []error) {
	p := Profile{
		Name: f.Name, Title: f.Title, LooksFor: f.LooksFor, Detect: strings.TrimSpace(f.Detect), By: f.By,
		Callers: f.Callers, Supersedes: f.Supersedes, Absent: map[collector.Signal]string{},
		Signals: map[collector.Signal]string{}, Units: map[collector.Signal]collector.Unit{},
		CannotSee: strings.TrimSpace(f.CannotSee), Notes: strings.TrimSpace(f.Notes),
	}
	var errs []error
	for field, text := range map[string]string{"name": p.Name, "title": p.Title, "looks_for": p.LooksFor, "detect": p.Detect, "cannot_see": p.CannotSee} {
		if text == "" {
			errs = append(errs, fmt.Errorf("%s is missing", field))
		}
	}
	if len(p.By) == 0 {
		errs = append(errs, errors.New("by is missing"))
	}
	switch f.Kind {
	case "hop":
		p.Kind = collector.Hop
	case "edge":
		p.Kind = collector.Edge
	default:
		errs = append(errs, fmt.Errorf("kind %q: it is hop or edge", collector.Clean(f.Kind)))
	}
	note := func(place string, err error) bool {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", place, err))
		}
		return err == nil
	}
	var err error
	p.Trust, err = collector.ParseTrust(f.Trust)
	note("trust", err)
	for name, text := range f.Signals {
		s, err := collector.ParseSignal(name)
		if note("signals", err) {
			p.Signals[s] = strings.TrimSpace(text)
		}
	}
	if p.Sum = p.Signals[collector.Downstream] == sumOf; p.Sum {
		delete(p.Signals, collector.Downstream)
		if p.Signals[collector.Ingress] == "" || p.Signals[collector.Retries] == "" {
			errs = append(errs, fmt.Errorf("signals: downstream is %s, but one of these has no template", sumOf))
		}
	}
	switch f.Status {
	case "proven":
	case "unproven":
		p.Unproven = true
	default:
		errs = append(errs, fmt.Errorf("status %q: it is proven or unproven", collector.Clean(f.Status)))
	}
	for name, why := range f.Absent {
		s, err := collector.ParseSignal(name)
		if note("absent", err) {
			p.Absent[s] = strings.TrimSpace(why)
		}
	}
	if f.Edge != nil {
		trust, err := collector.ParseTrust(f.Edge.Trust)
		note("edge: trust", err)
		p.Edge = &Edge{strings.TrimSpace(f.Edge.Ingress), strings.TrimSpace(f.Edge.Downstream), trust, strings.TrimSpace(f.Edge.CannotSee)}
		if p.Edge.Ingress == "" || p.Edge.Downstream == "" || p.Edge.CannotSee == "" {
			errs = append(errs, errors.New("edge: ingress, downstream and cannot_see are needed"))
		}
	}
	for name, unit := range f.Units {
		s, err := collector.ParseSignal(name)
		u, uerr := collector.ParseUnit(unit)
		if note("units", err) && note("units", uerr) {
			p.Units[s] = u
		}
	}
	for _, name := range f.ZeroFill {
		s, err := collector.ParseSignal(name)
		if note("zero_fill", err) {
			p.ZeroFill = append(p.ZeroFill, s)
		}
	}
	if len(p.Signals) == 0 {
		errs = append(errs, errors.New("signals is missing"))
	}
	sort.Slice(errs, func(i, j int) bool { return errs[i].Error() < errs[j].Error() })
	return p, errs
}

//go:embed *.yaml
var builtin embed.FS

// Builtin lists the profiles that are part of the program, sorted by name. A
// test makes sure that each of them can be read.
func Builtin() []Profile {
	list, err := readAll(builtin)
	if err != nil {
		return nil
	}
	return list
}

func readAll(dir fs.FS) ([]Profile, error) {
	names, err := fs.Glob(dir, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("listing profiles: %w", err)
	}
	var out []Profile
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("reading profile %s: %w", name, err)
		}
		p, err := Parse(name, data)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// Find is the built-in profile of a name. The error lists those that exist.
func Find(name string) (Profile, error) {
	var names []string
	for _, p := range Builtin() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("unknown profile %s: the profiles are %s", collector.Quote(name), strings.Join(names, ", "))
}

// Package profile knows systems that export the signals of stormtop: how to
// recognize each by a query, and the PromQL for each signal. A profile is one
// YAML file; many are part of the program, and anybody can write one.
package profile

import "stormtop/collector"

// Profile is one system. Templates hold the literal placeholders $window (the
// range of the rates) and $by (the grouping) and nothing else to fill in.
// A profile without ingress and downstream is of a pool or a queue alone; its
// Trust is then how far its waits are those of the requests.
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
	Notes      string                              // what else somebody should know of these metrics, or ""
}

// Edge is the pair of sums that relates what users asked of a system to what
// arrived behind it. Templates hold $window only.
type Edge struct {
	Ingress    string          // requests of users a second
	Downstream string          // attempts a second behind it
	Trust      collector.Trust // Heuristic: fan-out is in it, so that it says nothing without a baseline
	CannotSee  string          // which retries the pair cannot show
}

// Pool reports whether the profile is of a pool or a queue alone, which has no
// amplification.
func (p *Profile) Pool() bool {
	return !p.Sum && p.Signals[collector.Ingress] == "" && p.Signals[collector.Downstream] == "" && p.Signals[collector.Amplification] == ""
}

// Unit is the unit of a signal as this system exports it.
func (p *Profile) Unit(s collector.Signal) collector.Unit {
	if u, ok := p.Units[s]; ok {
		return u
	}
	return s.Unit()
}

// Package measure makes rows and readings of what was measured, in the same way
// for every source: which targets there are, what state a number is in, what
// follows from what, and what the total is.
//
// system says what is measured, settle finishes rows, deaf does not believe a
// counter that never moves, explain puts it into words, assemble makes a reading
// of several systems side by side.
package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// System is what is measured of one kind of software.
type System struct {
	Profile profile.Profile // the zero one for signals that were named one by one
	By      []string        // the labels that make a target; nil: all of them
	Kind    collector.RatioKind
	Fixed   *collector.Target  // the only target of an edge pair; nil: labels make the targets
	Signals []collector.Signal // those with a query, in their fixed order
	Sum     bool               // downstream is ingress + retries
	Units   [collector.NumSignals]collector.Unit
	Trust   [collector.NumSignals]collector.Trust
}

// NewSystem is a system of a profile, or of none (nil), that measures nothing
// yet. kind is what the ratio is of; 0: what the profile says, else a hop.
func NewSystem(p *profile.Profile, by []string, kind collector.RatioKind) System {
	out := System{By: by}
	if p != nil {
		out.Profile = *p
	}
	out.Kind = cmp.Or(kind, out.Profile.Kind, collector.Hop)
	return out
}

// NewEdge is an edge pair: one target, two sums. p is the profile that it belongs
// to, or nil.
func NewEdge(p *profile.Profile, e profile.Edge) System {
	target := collector.Target{ID: "edge", Name: "edge", Kind: collector.Edge}
	out := System{Kind: collector.Edge, By: []string{}, Profile: profile.Profile{Trust: e.Trust, CannotSee: e.CannotSee}}
	if p != nil {
		out.Profile.Name, out.Profile.Title, out.Profile.Unproven = p.Name, p.Title, p.Unproven
		target = target.In(p.Name)
	}
	out.Fixed = &target
	for _, s := range Sides {
		out.Add(s, false)
		out.Trust[s] = e.Trust
	}
	return out
}

// Edge reports whether this is an edge pair and not a set of targets.
func (y *System) Edge() bool { return y.Fixed != nil }

// Name is the profile's, or "".
func (y *System) Name() string { return y.Profile.Name }

// Add says that a signal has a query; named: given one by one, and not by the
// profile. Signals are added in their order.
func (y *System) Add(s collector.Signal, named bool) {
	y.Signals = append(y.Signals, s)
	y.Units[s], y.Trust[s] = s.Unit(), collector.Exact
	if named || y.Profile.Trust == collector.NoTrust {
		return
	}
	y.Units[s], y.Trust[s] = y.Profile.Unit(s), y.Profile.Trust
	if !s.Derived() && y.Trust[s] == collector.Heuristic && s != collector.Ingress && s != collector.Downstream {
		y.Trust[s] = collector.Approx // the ratio is heuristic, what is counted is not
	}
}

// Adds says that downstream is the sum of ingress and retries.
func (y *System) Adds() {
	y.Sum = true
	y.Trust[collector.Downstream], y.Units[collector.Downstream] = y.Profile.Trust, collector.PerSecond
}

// Has reports whether a signal is measured.
func (y *System) Has(s collector.Signal) bool {
	return y.Sum && s == collector.Downstream || slices.Contains(y.Signals, s)
}

// Num is a measured number in the unit and with the trust of its signal.
func (y *System) Num(s collector.Signal, v float64) collector.Value {
	return collector.Num(v, y.Units[s], y.Trust[s])
}

// Target is that of a label set: the grouping labels, or all labels but the
// metric's name where there is no grouping.
func (y *System) Target(all []collector.Label) collector.Target {
	if y.Fixed != nil {
		return *y.Fixed
	}
	var list []collector.Label
	for _, l := range all {
		if y.By == nil && l.Name != "__name__" || slices.Contains(y.By, l.Name) {
			list = append(list, l)
		}
	}
	return collector.NewTarget(y.Kind, list...).In(y.Profile.Name)
}

// Where names the query of a signal for an error: that of a profile, or one that
// was named.
func Where(profile string, s collector.Signal, named bool) string {
	if named || profile == "" {
		return "--signal " + s.String()
	}
	return "profile " + profile + ", signal " + s.String()
}

// Twice is why two label sets cannot both be the target t: adding them up, or
// choosing, would be a guess.
func Twice(t collector.Target, a, b []collector.Label) string {
	return fmt.Sprintf("two series for the same target %s, differing in label %s: aggregate them, for instance sum by ($by) (...), or name the label in --by",
		t.Name, Difference(a, b))
}

// Difference names the labels in which two sets differ.
func Difference(a, b []collector.Label) string {
	values := map[string][2]string{}
	for i, list := range [][]collector.Label{a, b} {
		for _, l := range list {
			v := values[l.Name]
			v[i] = l.Value
			values[l.Name] = v
		}
	}
	var names []string
	for name, v := range values {
		if v[0] != v[1] {
			names = append(names, collector.Clean(name))
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

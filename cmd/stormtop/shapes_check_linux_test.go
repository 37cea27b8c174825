package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"stormtop/views/report"
)

// shapeReading is what the program says of a shape.
type shapeReading struct {
	Systems  []shapeSystem
	Offered  []string
	Total    map[string]measured
	Targets  []shapeTarget
	Rules    []ruleState
	Failures []struct{ Kind, Text string }
	Warnings []string
	status   int // of the program's end
}

type shapeSystem struct{ Profile, Kind, Trust string }

type shapeTarget struct {
	Name, Profile string
	Signals       map[string]measured
}

// String is the reading in the notation of shapes.
func (r shapeReading) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, "# exit status", r.status)
	line := func(words ...string) { fmt.Fprintln(&b, strings.Join(words, " ")) }
	row := func(signals map[string]measured, words ...string) {
		for _, signal := range slices.Sorted(maps.Keys(signals)) {
			if signals[signal].State != "missing" {
				words = append(words, signal+"="+textOf(signals[signal]))
			}
		}
		line(words...)
	}
	for _, system := range r.Systems {
		line("finds", system.Profile, system.Kind, system.Trust)
	}
	for _, one := range r.Targets {
		row(one.Signals, "target", strconv.Quote(one.Name), "# of", one.Profile+":")
	}
	row(r.Total, "total")
	for _, rule := range firingOn(r.Rules) {
		line("fires", rule)
	}
	for _, f := range r.Failures {
		line("fails", f.Kind, "#", f.Text)
	}
	for _, w := range r.Warnings {
		line("warns", w)
	}
	return b.String()
}

// differences lists where a reading is not what is true of the shape.
func (s shape) differences(r shapeReading) []string {
	var found, failed []string
	for _, system := range r.Systems {
		found = append(found, strings.Join([]string{system.Profile, system.Kind, system.Trust}, " "))
	}
	for _, f := range r.Failures {
		failed = append(failed, f.Kind)
	}
	out := append(unlike("systems", found, s.finds), unlike("offered systems", r.Offered, s.offers)...)
	for _, name := range s.never {
		if slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, name+" ") && !slices.Contains(s.finds, f) }) {
			out = append(out, name+" was found, which reads these series wrongly")
		}
	}
	out = append(out, unlike("failures", failed, s.fails)...)
	if (r.status == report.ExitFiring) != (len(s.fires) > 0) || (r.status == report.ExitNoData) != (len(s.fails) > 0) {
		out = append(out, fmt.Sprintf("the exit status is %d", r.status))
	}
	out = append(out, s.wrongTargets(r)...)
	out = append(out, unlike("firing rules", firingOn(r.Rules), s.fires)...)
	return append(out, s.wrongWarnings(r.Warnings)...)
}

// wrongTargets looks at every target; there must be no others.
func (s shape) wrongTargets(r shapeReading) (out []string) {
	var got, want []string
	rows := map[string]map[string]measured{}
	for _, row := range r.Targets {
		name := row.Profile + " " + row.Name
		got, rows[name] = append(got, name), row.Signals
	}
	for _, one := range s.truths {
		if one.profile == "" {
			out = append(out, one.wrongSignals(r.Total, slices.Collect(maps.Keys(one.signals)))...)
			continue
		}
		name := one.profile + " " + one.target
		want = append(want, name)
		if row, ok := rows[name]; ok {
			out = append(out, one.wrongSignals(row, slices.Collect(maps.Keys(row)))...)
		}
	}
	out = append(out, unlike("targets", got, want)...)
	if s.leads != "" && (len(r.Targets) == 0 || r.Targets[0].Name != s.leads) {
		out = append(out, s.leads+" does not lead")
	}
	return out
}

// wrongSignals compares the named signals of a target; one of which nothing is
// said must be missing.
func (one truth) wrongSignals(row map[string]measured, names []string) (out []string) {
	for signal := range one.signals {
		if _, ok := row[signal]; !ok {
			out = append(out, fmt.Sprintf("%s: the program does not speak of %s", one.target, signal))
		}
	}
	for _, signal := range slices.Sorted(slices.Values(names)) {
		want, ok := one.signals[signal]
		if !ok {
			want = expected{state: "missing"}
		}
		if got, ok := row[signal]; ok && !want.is(got) {
			out = append(out, fmt.Sprintf("%s: %s is %s, want %s", one.target, signal, textOf(got), want))
		}
	}
	return out
}

func textOf(m measured) string {
	if m.Value == nil {
		return m.State
	}
	if m.State == "ok" {
		return fmt.Sprint(*m.Value)
	}
	return fmt.Sprintf("%v/%s", *m.Value, m.State)
}

// is reports whether a number or its absence is what was expected.
func (e expected) is(got measured) bool {
	if got.State != e.state || (got.Value != nil) != e.number() {
		return false
	}
	return got.Value == nil || math.Abs(*got.Value-e.value) <= max(e.within*math.Abs(e.value), 1e-9)
}

// firingOn lists the rules that fire, each with its target.
func firingOn(rules []ruleState) (out []string) {
	for _, st := range rules {
		if st.State == "firing" {
			out = append(out, st.Name+" "+st.Target)
		}
	}
	return out
}

// wrongWarnings looks for the warnings that are expected, and for others.
func (s shape) wrongWarnings(got []string) (out []string) {
	for _, part := range s.warns {
		if !slices.ContainsFunc(got, func(w string) bool { return strings.Contains(w, part) }) {
			out = append(out, fmt.Sprintf("no warning speaks of %q: %q", part, got))
		}
	}
	for _, w := range got {
		if !slices.ContainsFunc(s.warns, func(part string) bool { return strings.Contains(w, part) }) {
			out = append(out, fmt.Sprintf("a warning that is not expected: %q", w))
		}
	}
	return out
}

// unlike says how two sets differ.
func unlike(what string, got, want []string) []string {
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if slices.Equal(got, want) {
		return nil
	}
	return []string{fmt.Sprintf("%s are %q, want %q", what, got, want)}
}

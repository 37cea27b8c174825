package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

// System is one system that has data, and what was found out about it.
type System struct {
	Profile   string // the profile's name; "" for signals that were named one by one
	Title     string
	Use       prom.Use
	By        string  // the profile that supersedes it, or ""
	Evidence  float64 // what its detection query returned: usually a number of series
	Kind      collector.RatioKind
	Trust     collector.Trust
	Unproven  bool
	CannotSee string
	// The rest is known of systems that are judged by, or that accompany one.
	Grouping []string      // the labels that make a target; nil: all of them
	Rate     time.Duration // the range of the rates; 0: not known
	Least    time.Duration // the smallest range that the spacing allows; 0: not known
	Sides    []NamedSide
	Signals  []Signal
	Findings []Finding

	profile profile.Profile
}

// NamedSide is a side with its name: "ingress", "downstream", or what is there.
type NamedSide struct {
	Name string
	prom.Side
}

func newSystem(f prom.Found) System {
	p := f.Profile
	return System{
		Profile: collector.Clean(p.Name), Title: collector.Clean(p.Title), Use: f.Use, By: collector.Clean(f.By), Evidence: f.Evidence,
		Kind: p.Kind, Trust: p.Trust, Unproven: p.Unproven, CannotSee: collector.Clean(p.CannotSee), profile: p,
	}
}

// judged reports whether a ratio or the pools of the system are judged by.
func (s System) judged() bool { return s.Use == prom.Judged || s.Use == prom.Companion }

// known reports whether there is a number of a signal, or one that is idle.
func (s System) known(sig collector.Signal) bool {
	for _, x := range s.Signals {
		if x.Signal == sig {
			return x.State == Present || x.State == Idle || x.State == Computed
		}
	}
	return false
}

// anySeries reports whether it has series, or may have some that could not be
// asked for.
func (s System) anySeries() bool {
	for _, x := range s.Signals {
		if x.Found > 0 || x.Targets > 0 || x.State == Failed {
			return true
		}
	}
	return s.Evidence > 0 || slices.ContainsFunc(s.Findings, func(f Finding) bool { return f.Topic == TopicExamine })
}

// exam is the examination of one system.
type exam struct {
	*doctor
	sys     *System
	ex      prom.Examined
	answers map[collector.Signal]prom.Answer
}

func (d *doctor) examine(ctx context.Context, sys *System) {
	x := &exam{doctor: d, sys: sys, answers: map[collector.Signal]prom.Answer{}}
	if sys.Unproven {
		x.find(Note, TopicProfile, "", "this profile was never run against the system itself: compare its numbers with one that you know")
	}
	var err error
	if x.ex, err = d.Examine(ctx, sys.profile); err != nil {
		x.find(Broken, TopicExamine, "Ask again when the server answers; a narrower --select makes the queries cheaper.",
			"its series could not be looked at: %v", err)
		return
	}
	sys.Rate, sys.Grouping = x.ex.Rate, x.grouping()
	sys.Sides = x.sides()
	x.askSignals(ctx)
	x.checkSides(ctx)
	x.checkGrouping()
	x.checkLabelSets(ctx)
	x.checkTargets(ctx)
	x.checkRetries()
	x.checkEdge(ctx)
}

// grouping is what makes a target: the labels that were named or the profile's,
// and those that join because they have several values.
func (x *exam) grouping() []string {
	by := x.cfg.By
	if by == nil {
		by = x.sys.profile.By
	}
	if by == nil {
		return nil
	}
	out := slices.Clone(by)
	for _, l := range x.ex.Labels {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

func (x *exam) sides() []NamedSide {
	names := [2]string{collector.Ingress.String(), collector.Downstream.String()}
	if x.ex.Sides[1].Selector == "" || x.ex.Sides[0].Selector == "" {
		names = [2]string{"series", "series"}
	}
	var out []NamedSide
	for i, s := range x.ex.Sides {
		if s.Selector != "" {
			out = append(out, NamedSide{names[i], s})
		}
	}
	return out
}

// find adds a finding about the system.
func (x *exam) find(l Level, topic, remedy, format string, args ...any) {
	x.sys.Findings = append(x.sys.Findings, Finding{Level: l, Topic: topic, Text: fmt.Sprintf(format, args...), Remedy: remedy}.cleaned())
}

// listed joins words for a sentence, at most four of them.
func listed(words []string) string {
	if len(words) > 4 {
		words = append(slices.Clone(words[:3]), fmt.Sprintf("%d more", len(words)-3))
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

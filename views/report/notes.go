package report

import (
	"fmt"
	"slices"
	"strings"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// notes are what the reader must know to trust the numbers.
func (t Text) notes(s watch.Snapshot) string {
	tab := grid{ascii: t.ASCII}
	o := origin(s.Last)
	for _, f := range s.Last.Failures {
		if f.Signal != collector.NoSignal { // the verdict tells one of the whole reading
			text := verdict.SignalWord(f.Signal) + behind(f.System, o) + ": " + f.Text
			if !s.Final {
				text += "; " + verdict.Next(f, t.now(s))
			}
			tab.add("failed", text)
		}
	}
	for _, text := range shortSides(s.Last, o) {
		tab.add("partial", text)
	}
	for _, w := range s.Last.Warnings {
		tab.add("warning", w)
	}
	for _, text := range append(elsewhere(s.Coverage), systemRemarks(o)...) {
		if !slices.Contains(s.Last.Warnings, text) {
			tab.add("note", text)
		}
	}
	if s.Missed > 0 {
		tab.add("note", fmt.Sprintf("%d polls missed since the start", s.Missed))
	}
	return tab.String()
}

// behind is a system in brackets, where there are several.
func behind(system string, o *collector.Origin) string {
	if system == "" || !o.Several() {
		return ""
	}
	return " (" + collector.Clean(system) + ")"
}

// mostSides is how many targets that lack reporters are listed.
const mostSides = 3

// shortSides says of which systems and targets reporters are away.
func shortSides(r *collector.Reading, o *collector.Origin) []string {
	var out []string
	targets := 0
	for _, one := range r.Reporters {
		if !one.Short() {
			continue
		}
		text := verdict.ShortSides([]collector.Reporters{one}, collector.Target{ID: one.Target})
		if one.Target != "" {
			if targets++; targets > mostSides {
				continue
			}
			row, _ := r.Row(one.Target)
			out = append(out, verdict.Named(row.Target, o)+": "+text)
			continue
		}
		out = append(out, text+behind(one.System, o))
	}
	if more := targets - mostSides; more > 0 {
		out = append(out, fmt.Sprintf("and sides of %d more targets", more))
	}
	return out
}

// elsewhere says by which systems a rule is never judged, though it is judged
// by another: "at limit: not exported by istio_telemetry".
func elsewhere(c alerts.Coverage) []string {
	var out []string
	said := map[string]bool{}
	for _, m := range c.Elsewhere {
		if m.Why != alerts.WhyNotExported && m.Why != alerts.WhyFanOut || len(m.Systems) == 0 {
			continue
		}
		systems := collector.Clean(strings.Join(m.Systems, " and "))
		text := verdict.SignalWord(m.Signal) + ": not exported by " + systems
		if m.Why == alerts.WhyFanOut {
			text = verdict.SignalWord(m.Signal) + " (" + systems + "): " + m.Why.String()
		}
		if !said[text] {
			said[text] = true
			out = append(out, text)
		}
	}
	return out
}

// systemRemarks are what the systems cannot show, how far they were proven, and
// what else is there.
func systemRemarks(o *collector.Origin) []string {
	out := []string{}
	say := func(sys collector.System, text string) {
		if o.Several() && sys.Profile != "" {
			text = collector.Clean(sys.Profile) + ": " + text
		}
		for _, said := range out {
			if said == text {
				return
			}
		}
		out = append(out, text)
	}
	if o.Note != "" {
		out = append(out, o.Note)
	}
	for _, sys := range o.Systems {
		if sys.CannotSee != "" {
			say(sys, collector.Clean(sys.CannotSee))
		}
		if sys.Unproven {
			say(sys, "unproven: this profile was never compared with the system itself")
		}
	}
	if len(o.Offered) > 0 {
		out = append(out, "has data here and is not judged: "+collector.Clean(strings.Join(o.Offered, ", "))+" (--profile)")
	}
	return out
}

package alertstest

import (
	"fmt"
	"slices"
	"strings"

	"stormtop/collector"
)

// names are the systems of the targets, sorted; "" for targets of none.
func (l *lines) names() []string {
	var out []string
	for _, t := range l.targets {
		out = append(out, t.target.System)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// systems are those that the targets name, their edge pairs apart.
func (l *lines) systems() []collector.System {
	var out []collector.System
	for _, t := range l.targets {
		s := collector.System{Profile: t.target.System, Title: t.target.System, Kind: t.target.Kind, Trust: collector.Exact}
		same := func(o collector.System) bool { return o.Profile == s.Profile && o.Kind == s.Kind }
		if s.Profile != "" && !slices.ContainsFunc(out, same) {
			out = append(out, s)
		}
	}
	return out
}

// profiles joins the names of systems as Origin.Profile has them.
func profiles(systems []collector.System) string {
	var names []string
	for _, s := range systems {
		if !slices.Contains(names, s.Profile) {
			names = append(names, s.Profile)
		}
	}
	return strings.Join(names, "+")
}

// side is the course of the reporters of one side of a system.
type side struct {
	system string
	signal collector.Signal
	counts [][2]int // now and usual, one for each reading
}

// parseSide reads "40/40x4 32/40".
func parseSide(system string, sig collector.Signal, text string) (side, error) {
	out := side{system: system, signal: sig}
	for _, token := range strings.Fields(text) {
		var now, usual int
		times := 1
		word, repeat, repeated := strings.Cut(token, "x")
		if repeated {
			if _, err := fmt.Sscanf(repeat, "%d", &times); err != nil || times < 1 || times > 1_000_000 {
				return out, fmt.Errorf("%q: the number of times after x must be 1 to 1000000", token)
			}
		}
		if _, err := fmt.Sscanf(word, "%d/%d", &now, &usual); err != nil || now < 0 || usual < 0 {
			return out, fmt.Errorf("%q is no count of reporters: write 32/40", token)
		}
		for range times {
			out.counts = append(out.counts, [2]int{now, usual})
		}
	}
	return out, nil
}

// at are the reporters at instant i; ok is false behind the end.
func (s side) at(i int) (r collector.Reporters, ok bool) {
	if i >= len(s.counts) {
		return r, false
	}
	return collector.Reporters{System: s.system, Side: s.signal, Now: s.counts[i][0], Usual: s.counts[i][1]}, true
}

// shorten marks the numbers of sides that are short of their reporters.
func shorten(v *collector.Values, system string, reporters []collector.Reporters) {
	for _, r := range reporters {
		if r.System == system && r.Short() && v[r.Side].State == collector.Ok {
			v[r.Side] = v[r.Side].With(collector.Partial)
		}
	}
}

package alerts

import (
	"slices"

	"stormtop/collector"
)

// Coverage says how many rules could be judged. A rule made of two others
// (RuleSpec.Both) is not counted: it can be judged exactly when they can.
type Coverage struct {
	Judged  int       // rules that are on and could be judged, by one system at least
	Of      int       // rules that are on
	Missing []Missing // those that could not be, one entry each
	// Elsewhere lists, for rules that are judged, the systems by which they are
	// not: one entry for a rule and a reason.
	Elsewhere []Missing
}

// Missing is a rule that could not be judged, and why.
type Missing struct {
	Rule    string
	Signal  collector.Signal // the input that is not there
	Why     Why
	Systems []string // the profiles concerned, sorted; nil where there is one system or none is known
}

// Lost reports whether a rule is judged, but not by some system that it was
// judged by before: what happens there now is not known.
func (c Coverage) Lost() bool {
	return slices.ContainsFunc(c.Elsewhere, func(m Missing) bool { return passing(m.Why) > 0 })
}

// Coverage says how many of the rules that are on could be judged by the last
// reading, and what was missing for the others.
func (e *Engine) Coverage() Coverage {
	var c Coverage
	for _, ru := range e.rules {
		if !ru.on || ru.pair {
			continue
		}
		c.Of++
		lacks, judged := e.lacks(ru)
		switch {
		case judged:
			c.Judged++
			c.Elsewhere = append(c.Elsewhere, lacks...)
		case len(lacks) > 0:
			c.Missing = append(c.Missing, lacks[0])
		default:
			c.Missing = append(c.Missing, Missing{Rule: ru.spec.Name, Signal: ru.spec.Signal, Why: WhyNoData})
		}
	}
	return c
}

// lacks lists why a rule is not judged, one entry a reason, the one that may
// pass first; judged says whether some system judges it all the same.
func (e *Engine) lacks(ru *rule) (out []Missing, judged bool) {
	systems := e.systemsOf(ru)
	met := slices.ContainsFunc(systems, func(s *system) bool { return s.sights[ru.idx].met })
	for _, s := range systems {
		g := &s.sights[ru.idx]
		switch {
		case g.judges():
			judged = true
		case !g.ever && !g.failed && e.judgedBeside(ru, s):
		case g.met || g.failed || !met:
			m := Missing{Rule: ru.spec.Name, Signal: s.culprit(&ru.spec), Why: e.lackWhy(ru, s)}
			if s.name != "" && s != e.total {
				m.Systems = []string{s.name}
			}
			out = addLack(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Missing) int { return passing(b.Why) - passing(a.Why) })
	if len(systems) == 1 && len(out) == 1 {
		out[0].Systems = nil
	}
	return out, judged
}

// judgedBeside reports whether a rule is judged by the other kind of ratio of a
// system: an edge pair has but two signals, which says nothing of its hops.
func (e *Engine) judgedBeside(ru *rule, s *system) bool {
	return slices.ContainsFunc(e.systems, func(o *system) bool { return o.name == s.name && o.sights[ru.idx].judges() })
}

// lackWhy is why a system does not judge a rule.
func (e *Engine) lackWhy(ru *rule, s *system) Why {
	g := &s.sights[ru.idx]
	switch {
	case g.ever && g.blind:
		return g.blindWhy
	case g.ever: // but the rule looks at none of its targets
		return WhyNoData
	case e.n == 0:
		return WhySoon
	case s == e.nobody && e.total.anySeen():
		return WhyNotExported
	}
	return s.unknownWhy(g)
}

// passing is 1 for a reason that may pass, 0 for one that stays.
func passing(w Why) int {
	if w == WhyNotExported || w == WhyFanOut {
		return 0
	}
	return 1
}

// addLack adds a system to the entry of the same signal and reason.
func addLack(list []Missing, m Missing) []Missing {
	for i := range list {
		if list[i].Signal == m.Signal && list[i].Why == m.Why {
			list[i].Systems = append(list[i].Systems, m.Systems...)
			slices.Sort(list[i].Systems)
			list[i].Systems = slices.Compact(list[i].Systems)
			return list
		}
	}
	return append(list, m)
}

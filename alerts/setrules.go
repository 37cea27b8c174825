package alerts

import (
	"fmt"
	"slices"

	"stormtop/collector"
)

// SetRules puts other rules in the place of those in use. Rules that judge as
// before keep what they know; those that changed begin anew, and what they
// showed ends with an event of the next Eval.
func (e *Engine) SetRules(specs []collector.RuleSpec) {
	old := e.rules
	fresh := newRules(slices.Clone(specs))
	from := make([]int, len(fresh)) // the old place of each rule that stays, or -1
	kept := make([]bool, len(old))
	for i, ru := range fresh {
		from[i], ru.born = -1, e.n+1
		for j, was := range old {
			if !kept[j] && ru.on == was.on && sameJudgement(ru.spec, was.spec) && samePair(ru, was, fresh, old) {
				from[i], kept[j] = j, true
				keepMemory(ru, was)
				break
			}
		}
	}
	for _, t := range e.tracks {
		e.carry(t, old, kept, from)
	}
	for _, s := range append([]*system{e.total, e.nobody}, e.systems...) {
		s.carrySights(from)
	}
	e.live = slices.DeleteFunc(e.live, func(t *track) bool { return !t.live })
	slices.SortFunc(e.notices, compareNotices)
	e.adopt(fresh)
}

// samePair reports whether the parts of a pair judge as before, too.
func samePair(a, b *rule, as, bs []*rule) bool {
	if !a.pair || !a.on {
		return true
	}
	for k := range a.both {
		if !sameJudgement(as[a.both[k]].spec, bs[b.both[k]].spec) {
			return false
		}
	}
	return true
}

func keepMemory(to, from *rule) {
	to.born, to.worst, to.score = from.born, from.worst, from.score
}

// carrySights moves what a system says of the rules to their new places.
func (s *system) carrySights(from []int) {
	sights := make([]sight, len(from))
	for i, j := range from {
		if j >= 0 {
			sights[i] = s.sights[j]
		}
	}
	s.sights = sights
}

// carry moves a track's entries to the new places and reports what is dropped.
func (e *Engine) carry(t *track, old []*rule, kept []bool, from []int) {
	for j, en := range t.entries {
		if en.live() && !kept[j] && en.shown >= Pending {
			e.notices = append(e.notices, collector.Event{
				Kind: collector.EventInactive, Rule: old[j].spec.Name, Target: t.target.ID, Name: e.nameOf(t),
				Value: en.peak, Text: fmt.Sprintf("no longer %s: %s", en.shown, WhyChanged),
			})
		}
	}
	if t.entries == nil {
		return
	}
	entries := make([]*entry, len(from))
	for i, j := range from {
		if j >= 0 {
			entries[i] = t.entry(j)
		}
	}
	t.entries = entries
	t.live = t.anyLive()
}

func compareNotices(a, b collector.Event) int {
	switch {
	case a.Name != b.Name:
		if a.Name < b.Name {
			return -1
		}
		return 1
	case a.Rule < b.Rule:
		return -1
	case a.Rule > b.Rule:
		return 1
	}
	return 0
}

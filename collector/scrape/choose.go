package scrape

import (
	"slices"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/scrape/eval"
)

// lookEvery is how often systems that appear later are looked for, in
// milliseconds.
const lookEvery = 10_000

// choose brings the systems up to date with what the endpoints expose and with
// the wish, if there is a new one. It reports whether targets that were there
// before do not apply any more.
func (s *Source) choose(wish *collector.Wish, at int64) (begins bool) {
	if wish != nil && !wish.Same(s.wish) {
		s.wish, begins = *wish, true
	}
	judged, offered := s.look(at)
	s.offered = s.offered[:0:0]
	for _, p := range offered {
		s.offered = append(s.offered, p.Name)
	}
	before := s.systems
	s.settle(judged)
	if s.seeClusters() {
		s.settle(judged)
	}
	for _, old := range before {
		if !slices.ContainsFunc(s.systems, old.same) {
			begins = true
		}
	}
	return begins
}

// look divides the profiles that ever had data here into those that are judged
// by and those that are offered. What was found stays: a series that is away for
// a moment is no reason to forget a system.
func (s *Source) look(at int64) (judged, offered []profile.Profile) {
	if s.fixed != nil {
		return []profile.Profile{*s.fixed}, nil
	}
	if s.store.generation != s.lookedAt && (len(s.systems) == 0 || at-s.looked >= lookEvery) {
		s.looked, s.lookedAt = at, s.store.generation
		for i := range s.detect {
			d := &s.detect[i]
			if !d.found {
				rows, err := d.expr.Eval(s.store, at)
				d.found = err == nil && len(rows) > 0
			}
		}
	}
	var found []profile.Profile
	for _, d := range s.detect {
		if d.found {
			found = append(found, d.profile)
		}
	}
	if s.wish.Systems == nil {
		return profile.Choose(found)
	}
	for _, p := range found {
		if slices.Contains(s.wish.Systems, p.Name) {
			judged = append(judged, p)
		} else {
			offered = append(offered, p)
		}
	}
	return judged, offered
}

// settle makes the systems of the profiles that are judged by, under the
// grouping that is wished for. Those that stay the same are kept.
func (s *Source) settle(judged []profile.Profile) {
	var list []*system
	var selectors []*eval.Selector
	changed := len(judged) != len(s.systems)
	for _, p := range judged {
		want := &system{profile: profile.Profile{Name: p.Name}, by: s.grouped(p)}
		i := slices.IndexFunc(s.systems, want.same)
		if i < 0 {
			made, err := s.newSystem(p, want.by, false)
			if err != nil {
				continue // Open has tried it
			}
			want, changed = made, true
		} else {
			want = s.systems[i]
		}
		list = append(list, want)
		selectors = append(selectors, want.selectors()...)
	}
	if changed {
		s.systems = list
		s.store.track(selectors)
	}
}

// same reports whether two systems have the same targets.
func (y *system) same(o *system) bool {
	return y.profile.Name == o.profile.Name && slices.Equal(y.by, o.by)
}

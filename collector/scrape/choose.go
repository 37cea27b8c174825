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
		if !slices.ContainsFunc(s.systems, func(y *system) bool { return y.is(old.Name(), old.Edge(), old.By) }) {
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
	return profile.Wanted(found, s.wish.Systems)
}

// settle makes the systems of the profiles that are judged by, under the
// grouping that is wished for, and behind them the edge pair of the first that
// has one. Those that stay the same are kept.
func (s *Source) settle(judged []profile.Profile) {
	var list []*system
	add := func(name string, edge bool, by []string, compile func() (*system, error)) {
		i := slices.IndexFunc(s.systems, func(y *system) bool { return y.is(name, edge, by) })
		if i >= 0 {
			list = append(list, s.systems[i])
		} else if made, err := compile(); err == nil && made != nil { // Open has tried it
			list = append(list, made)
		}
	}
	for _, p := range judged {
		by := s.grouped(p)
		add(p.Name, false, by, func() (*system, error) { return s.newSystem(p, by, false) })
	}
	i := slices.IndexFunc(judged, func(p profile.Profile) bool { return p.Edge != nil })
	if i >= 0 && s.wish.Grouping == collector.ByService {
		add(judged[i].Name, true, nil, func() (*system, error) { return s.newEdge(judged[i], false) })
	}
	if slices.Equal(list, s.systems) {
		return
	}
	s.systems = list
	var selectors []*eval.Selector
	for _, y := range list {
		selectors = append(selectors, y.selectors()...)
	}
	s.store.track(selectors)
}

// is reports whether this is the system of a profile with these targets, or its
// edge pair.
func (y *system) is(profile string, edge bool, by []string) bool {
	return y.Name() == profile && y.Edge() == edge && slices.Equal(y.By, by)
}

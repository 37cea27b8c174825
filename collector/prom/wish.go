package prom

import (
	"stormtop/collector"
	"stormtop/collector/profile"
)

// Steer asks for another look at the data: other systems, another grouping. It
// implements collector.Steered.
func (s *Source) Steer(w collector.Wish) {
	s.mu.Lock()
	s.asked = &w
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// SetBaselines changes what amplifications are divided by. It implements
// collector.Rebased.
func (s *Source) SetBaselines(b collector.Baselines) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.baselines = &b
}

// dividing is what amplifications are divided by now.
func (s *Source) dividing() *collector.Baselines {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.baselines
}

// grant takes up a wish, if there is one: what was read before does not apply,
// and the past is read again.
func (s *Source) grant() {
	s.mu.Lock()
	w := s.asked
	s.asked = nil
	s.mu.Unlock()
	if w == nil || w.Same(s.wish) {
		return
	}
	s.wish = *w
	s.startOver()
	s.last = s.last.Add(-s.interval()) // the present slot may be read again
}

// startOver has the systems made anew, and the past read again.
func (s *Source) startOver() {
	s.systems = nil
	s.seen, s.begins = false, true
	s.past, s.ready = nil, nil
}

// wanted are the profiles to judge by, and those that are offered.
func (s *Source) wanted() (judged, offered []profile.Profile) {
	if s.wish.Systems == nil && len(s.cfg.Profiles) > 0 { // named by the user: judged, whatever they are
		return s.cfg.Profiles[:min(len(s.cfg.Profiles), profile.Most)], nil
	}
	return profile.Wanted(s.found, s.wish.Systems)
}

// grouped is the plan in the grouping that was asked for.
func (s *Source) grouped(p *plan, places []string) *plan {
	if p.Profile.Name == "" || p.Fixed != nil {
		return p
	}
	switch s.wish.Grouping {
	case collector.ByCaller:
		return p.with(p.callers...)
	case collector.ByInstance:
		return p.with("instance")
	case collector.ByCluster:
		if len(places) > 0 {
			return p.regroup(places)
		}
	}
	return p
}

// groupings are those that make a difference here.
func (s *Source) groupings() []collector.Grouping {
	out := []collector.Grouping{collector.ByService}
	var callers, clusters, profiles bool
	for _, sys := range s.systems {
		callers = callers || len(sys.facts.Callers) > 0
		clusters = clusters || len(sys.facts.Labels) > 0
		profiles = profiles || sys.plan.Profile.Name != "" && !sys.plan.Edge()
	}
	if callers {
		out = append(out, collector.ByCaller)
	}
	if clusters {
		out = append(out, collector.ByCluster)
	}
	if profiles {
		out = append(out, collector.ByInstance)
	}
	return out
}

package scrape

import (
	"slices"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// clusters are the labels that say where something runs: those that the series
// in use have, and those that have several values there, as of a generation of the store and a set of systems.
type clusters struct {
	generation       int
	systems          []*system
	present, several []string
}

// seeClusters looks at the labels of the series in use, where these may have
// changed, and reports whether that changes what makes a target.
func (s *Source) seeClusters() bool {
	if s.clusters.generation == s.store.generation && slices.Equal(s.clusters.systems, s.systems) {
		return false
	}
	now := clusters{generation: s.store.generation, systems: s.systems}
	for _, name := range profile.Places() {
		values := map[string]bool{}
		for _, y := range s.systems {
			for _, sel := range y.selectors() {
				for _, h := range s.store.find(sel).held {
					if v := h.Labels.Get(name); v != "" {
						values[v] = true
					}
				}
			}
		}
		if len(values) > 0 {
			now.present = append(now.present, name)
		}
		// Several values once are several values: a cluster that is away must
		// not rename the targets of the others.
		if len(values) > 1 || slices.Contains(s.clusters.several, name) {
			now.several = append(now.several, name)
		}
	}
	changed := !slices.Equal(now.present, s.clusters.present) || !slices.Equal(now.several, s.clusters.several)
	s.clusters = now
	return changed
}

// grouped are the labels that make a target of a profile under the grouping that
// is wished for; nil: all labels.
func (s *Source) grouped(p profile.Profile) []string {
	base := s.base(p)
	switch s.wish.Grouping {
	case collector.ByInstance:
		return []string{"instance"}
	case collector.ByCluster:
		if len(s.clusters.present) > 0 {
			return s.clusters.present
		}
	case collector.ByCaller:
		return with(with(base, telling(p.Callers)), s.clusters.several)
	}
	return with(base, s.clusters.several)
}

// with are the labels of a list and those of another that it lacks. A list that
// stands for all labels stays one.
func with(list, more []string) []string {
	if list == nil {
		return nil
	}
	out := slices.Clone(list)
	for _, name := range more {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// groupings are those that the metrics have labels for.
func (s *Source) groupings() []collector.Grouping {
	out := []collector.Grouping{collector.ByService}
	if slices.ContainsFunc(s.systems, func(y *system) bool { return len(y.Profile.Callers) > 0 }) {
		out = append(out, collector.ByCaller)
	}
	if len(s.clusters.present) > 0 {
		out = append(out, collector.ByCluster)
	}
	if len(s.endpoints) > 1 {
		out = append(out, collector.ByInstance)
	}
	return out
}

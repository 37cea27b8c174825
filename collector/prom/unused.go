package prom

import (
	"fmt"
	"maps"
	"slices"

	"stormtop/collector"
)

// unused says what was asked for by name and has no effect on a reading.
func (s *Source) unused(r *collector.Reading) []string {
	var out []string
	in, down := s.cfg.Edge.Ingress != "", s.cfg.Edge.Downstream != ""
	paired := slices.ContainsFunc(s.systems, func(sys *system) bool { return sys.plan.Edge() })
	switch {
	case !in && !down || s.wish.Grouping != collector.ByService:
	case !paired && in:
		out = append(out, "--ingress is not used: no system here has an edge of its own, name the other side with --downstream")
	case !paired:
		out = append(out, "--downstream is not used: no system here has an edge of its own, name the other side with --ingress")
	case s.edgeless:
		out = append(out, "the edge that was named is not shown: one of its sides has no series")
	}
	for _, name := range slices.Sorted(maps.Keys(s.cfg.Baselines.Of)) {
		if !slices.ContainsFunc(r.Targets, func(row collector.Row) bool { return row.Target.Name == name }) {
			out = append(out, fmt.Sprintf("--baseline-of=%s is not used: there is no target of that name", collector.Clean(name)))
		}
	}
	return out
}

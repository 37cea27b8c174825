package scrape

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"stormtop/collector"
)

// name is what the source is called: the first endpoint and how many more.
func (s *Source) name() string {
	out := s.endpoints[0].label
	if n := len(s.endpoints) - 1; n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}

// describe gives the reading its origin, a new one only when something changed.
func (s *Source) describe(r *collector.Reading, b collector.Baselines) {
	o := collector.Origin{
		Source: s.name(), Interval: s.cfg.Interval, RateRange: s.cfg.Rate, Scrape: s.cfg.Interval, Baselines: b,
		Offered: s.offered, Grouping: s.wish.Grouping, Groupings: s.groupings(),
	}
	var names []string
	for _, y := range s.systems {
		if y.Edge() && s.edgeless {
			continue
		}
		o.Systems = append(o.Systems, y.Describe(y.text, b.For(collector.Target{})))
		if name := y.Name(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	o.Profile = strings.Join(names, "+")
	if !reflect.DeepEqual(o, *s.origin) {
		s.origin = &o
	}
	r.Origin, r.Begins = s.origin, s.begins
}

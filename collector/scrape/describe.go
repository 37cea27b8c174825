package scrape

import (
	"fmt"
	"reflect"
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
	var profiles []string
	for _, y := range s.systems {
		o.Systems = append(o.Systems, y.describe(b))
		if y.profile.Name != "" {
			profiles = append(profiles, y.profile.Name)
		}
	}
	o.Profile = strings.Join(profiles, "+")
	if !reflect.DeepEqual(o, *s.origin) {
		s.origin = &o
	}
	r.Origin, r.Begins = s.origin, s.begins
}

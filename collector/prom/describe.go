package prom

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
)

// originKey is everything that an origin is made of, so that a new one is made
// only when something changed.
type originKey struct {
	interval, rate, spacing, drift time.Duration
	note                           string
	baselines                      *collector.Baselines
	made, edgeless                 bool
}

// describe gives the reading its origin, a new one only when something changed.
func (s *Source) describe(r *collector.Reading) {
	var notes []string
	add := func(note string) {
		if note != "" {
			notes = append(notes, note)
		}
	}
	add(s.load.note(s.base()))
	add(s.driftNote())
	if warning := rateWarning(s.rate(), s.spacing); warning != "" {
		add(warning)
		r.Warnings = append(r.Warnings, warning)
	}
	switch {
	case s.spacing == 0 && s.connected && s.systems != nil:
		if s.cfg.Interval == 0 || s.cfg.Rate == 0 {
			add("how often samples come is not known yet: assuming every 15s")
		}
	case s.cfg.Interval > 0 && s.cfg.Interval < s.spacing:
		add(fmt.Sprintf("polled every %s as asked, though samples come every %s",
			collector.FormatInterval(s.cfg.Interval), collector.FormatInterval(s.spacing)))
	}
	key := originKey{
		interval: s.interval(), rate: s.rate(), spacing: s.spacing, drift: s.drift, note: strings.Join(notes, "; "),
		baselines: s.dividing(), made: s.systems != nil, edgeless: s.edgeless,
	}
	if key != s.told {
		s.told = key
		s.origin = s.newOrigin(key)
		s.probed.Store(s.probeView(*key.baselines))
	}
	r.Origin = s.origin
}

func (s *Source) newOrigin(key originKey) *collector.Origin {
	b := *key.baselines
	o := &collector.Origin{
		Source: collector.Clean(s.q.addr.label()), Interval: key.interval, RateRange: key.rate, Scrape: key.spacing,
		Drift: key.drift, Baselines: b, Offered: s.offered, Grouping: s.wish.Grouping, Note: key.note,
	}
	if !slices.ContainsFunc(s.systems, (*system).ranged) {
		o.RateRange = 0 // whatever the rates are of, it is not what was asked for
	}
	if s.systems != nil {
		o.Groupings = s.groupings()
	}
	var names []string
	for _, sys := range s.systems {
		if sys.plan.Edge() && s.edgeless {
			continue
		}
		o.Systems = append(o.Systems, sys.plan.system(key.rate, b.For(collector.Target{})))
		if name := sys.plan.Name(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	o.Profile = strings.Join(names, "+")
	return o
}

// progress tells of the work before the first reading.
func (s *Source) progress(what string, done, of int) {
	now := s.cfg.Clock.Now()
	if s.started.IsZero() {
		s.started = now
	}
	s.cfg.Progress(Progress{What: what, Done: done, Of: of, Took: now.Sub(s.started)})
}

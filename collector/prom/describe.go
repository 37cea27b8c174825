package prom

import (
	"fmt"
	"reflect"
	"strings"

	"stormtop/collector"
)

// describe gives the reading its origin, a new one only when something changed.
func (s *Source) describe(r *collector.Reading) {
	o := collector.Origin{
		Source: collector.Clean(s.q.addr.label()), Profile: s.plan.profile, Interval: s.interval(), RateRange: s.rate(),
		Scrape: s.spacing, Drift: s.drift, Baselines: collector.Baselines{Number: s.cfg.Baseline},
		Systems: []collector.System{{Profile: s.plan.profile, Kind: s.plan.kind, By: s.plan.by, CannotSee: s.plan.cannotSee, Explain: s.plan.explain(s.rate(), s.cfg.Baseline)}},
	}
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
	case s.spacing == 0 && s.connected && !s.plan.detect:
		if s.cfg.Interval == 0 || s.cfg.Rate == 0 {
			add("how often samples come is not known yet: assuming every 15s")
		}
	case s.cfg.Interval > 0 && s.cfg.Interval < s.spacing:
		add(fmt.Sprintf("polled every %s as asked, though samples come every %s",
			collector.FormatInterval(s.cfg.Interval), collector.FormatInterval(s.spacing)))
	}
	o.Note = strings.Join(notes, "; ")
	if !reflect.DeepEqual(o, *s.origin) {
		s.origin = &o
	}
	r.Origin = s.origin
}

// progress tells of the work before the first reading.
func (s *Source) progress(what string, done, of int) {
	now := s.cfg.Clock.Now()
	if s.started.IsZero() {
		s.started = now
	}
	s.cfg.Progress(Progress{What: what, Done: done, Of: of, Took: now.Sub(s.started)})
}

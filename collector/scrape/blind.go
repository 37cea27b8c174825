package scrape

import (
	"fmt"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/pace"
)

// nothing is why there is nothing to read at all, or nil.
func (s *Source) nothing(r *collector.Reading) *collector.Failure {
	var gone []*endpoint
	series := 0
	for i, e := range s.endpoints {
		if e.healthy() {
			series += len(s.store.byEndpoint[i])
			continue
		}
		gone = append(gone, e)
	}
	slot := pace.Slot(r.At, s.cfg.Interval)
	switch {
	case len(gone) == len(s.endpoints):
		return s.unreachable(gone, slot)
	case len(s.systems) == 0:
		return &collector.Failure{Kind: collector.NothingFound, Text: s.nothingFound(series), Retry: slot.Add(s.cfg.Interval)}
	case s.fixed != nil && !s.anything():
		return &collector.Failure{Kind: collector.NothingFound, Text: s.nothingThere(series), Retry: slot.Add(s.cfg.Interval)}
	}
	return nil
}

// unreachable is the failure when no endpoint answers. The kind is that of the
// first; it is tried again when the first of them is.
func (s *Source) unreachable(gone []*endpoint, slot time.Time) *collector.Failure {
	f := &collector.Failure{Kind: gone[0].fail.kind, Text: gone[0].fail.text}
	for _, e := range gone {
		if at := s.again(e, slot); !at.IsZero() && (f.Retry.IsZero() || at.Before(f.Retry)) {
			f.Retry = at
		}
	}
	if len(gone) == 1 {
		return f
	}
	texts := make([]string, 0, 3)
	for _, e := range gone[:min(len(gone), 3)] {
		texts = append(texts, e.fail.text)
	}
	f.Text = fmt.Sprintf("none of %d endpoints can be read: %s", len(gone), strings.Join(texts, "; "))
	if more := len(gone) - len(texts); more > 0 {
		f.Text += fmt.Sprintf("; and %d more", more)
	}
	return f
}

// nothingFound is what the screen says when no known system has data.
func (s *Source) nothingFound(series int) string {
	if s.wish.Systems != nil {
		return "none of the chosen systems has data here: choose another"
	}
	var metrics []string
	for _, d := range s.detect {
		metrics = append(metrics, collector.Clean(d.profile.LooksFor))
	}
	looked := strings.Join(metrics, ", ")
	if len(metrics) > 3 {
		looked = strings.Join(metrics[:3], ", ") + fmt.Sprintf(" and %d more", len(metrics)-3)
	}
	return fmt.Sprintf("connected to %s, which exposes %d series; none of %d known systems is among them; looked for %s; name your own with --signal ingress=PROMQL --signal downstream=PROMQL",
		s.name(), series, len(metrics), looked)
}

// anything reports whether any series is there that is asked for by name.
func (s *Source) anything() bool {
	for _, y := range s.systems {
		for _, sel := range y.selectors() {
			if len(s.store.find(sel).held) > 0 {
				return true
			}
		}
		if len(y.selectors()) == 0 {
			return true
		}
	}
	return false
}

// nothingThere is the same for what was named.
func (s *Source) nothingThere(series int) string {
	var first string
	for _, y := range s.systems {
		if list := y.selectors(); len(list) > 0 && first == "" {
			first = collector.Clean(list[0].String())
		}
	}
	return fmt.Sprintf("connected to %s, which exposes %d series, but none that is asked for; is %s exported?", s.name(), series, first)
}

// blind makes r the reading of a slot at which nothing could be read.
func (s *Source) blind(r *collector.Reading, f *collector.Failure, b collector.Baselines) {
	r.Newest = s.newest
	r.Failures = []collector.Failure{*f}
	if f.Kind != collector.NothingFound {
		r.Warnings = nil // the failure says it all
	}
	if len(s.systems) == 0 {
		r.Total.Target.Name = "total"
		for _, sig := range collector.Signals() {
			r.Total.Values[sig].State = collector.Failed
		}
		return
	}
	s.assemble(r, func(y *system) measure.Part {
		sh := newSheet(y)
		for _, sig := range y.Signals {
			sh.marks.Failed[sig] = true
		}
		for _, t := range y.known {
			sh.rows.Row(t)
		}
		part, _ := sh.finish(b)
		return part
	})
}

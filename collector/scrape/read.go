package scrape

import (
	"fmt"
	"slices"

	"stormtop/collector"
	"stormtop/collector/measure"
)

// read evaluates all systems over what the endpoints expose.
func (s *Source) read(r *collector.Reading, at int64, b collector.Baselines) {
	r.Newest = s.newest
	young := false
	s.assemble(r, func(y *system) measure.Part {
		sh := newSheet(y)
		s.cover(sh, r)
		for _, sig := range y.Signals {
			samples, err := y.exprs[sig].Eval(s.store, at)
			if err == nil {
				err = sh.fill(sig, samples)
			}
			if err != nil {
				sh.marks.Failed[sig] = true
				r.Failures = append(r.Failures, collector.Failure{Signal: sig, System: y.Name(), Kind: collector.Rejected,
					Text: sig.String() + ": " + err.Error(), Retry: r.At.Add(s.cfg.Interval)})
			}
		}
		part, remark := sh.finish(b)
		y.remember(part.Rows)
		young = young || s.young(y)
		for _, w := range append(s.gauges(y), remark) {
			if w != "" && !slices.Contains(r.Warnings, w) {
				r.Warnings = append(r.Warnings, w)
			}
		}
		return part
	})
	if young {
		r.Warnings = append(r.Warnings, "rates need two scrapes, "+collector.FormatInterval(s.cfg.Interval)+" apart")
	}
}

// assemble puts what read gives of each system into a reading.
func (s *Source) assemble(r *collector.Reading, read func(*system) measure.Part) {
	parts := make([]measure.Part, len(s.systems))
	for i, y := range s.systems {
		parts[i] = read(y)
	}
	s.edgeless = measure.Assemble(r, parts)
}

// young reports whether the series behind the rates of a system are there, but
// none of them has two points yet.
func (s *Source) young(y *system) bool {
	there := false
	for _, sel := range y.selectors() {
		if sel.Range == 0 {
			continue
		}
		for _, h := range s.store.find(sel).held {
			if len(h.Points) > 1 {
				return false
			}
			there = there || !h.Ended
		}
	}
	return there
}

// gauges warns of rates that are taken of what is declared a gauge: some
// exporters declare their counters so, but not all of them mean it.
func (s *Source) gauges(y *system) []string {
	var out []string
	for _, sel := range y.selectors() {
		if sel.Range == 0 {
			continue
		}
		found := s.store.find(sel).held
		if i := slices.IndexFunc(found, func(h *held) bool { return h.gauge }); i >= 0 {
			out = append(out, fmt.Sprintf("%s is declared a gauge; its rate is right only if it counts", collector.Clean(found[i].Labels.Get("__name__"))))
		}
	}
	return out
}

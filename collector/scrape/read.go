package scrape

import (
	"fmt"
	"slices"

	"stormtop/collector"
)

// read evaluates all systems over what the endpoints expose.
func (s *Source) read(r *collector.Reading, at int64, b collector.Baselines) {
	r.Newest = s.newest
	young := false
	for i, y := range s.systems {
		sh := newSheet(y)
		s.cover(sh, r)
		for _, sig := range y.signals {
			samples, err := y.exprs[sig].Eval(s.store, at)
			if err == nil {
				err = sh.fill(sig, samples)
			}
			if err != nil {
				sh.failed[sig] = true
				r.Failures = append(r.Failures, collector.Failure{Signal: sig, System: y.profile.Name, Kind: collector.Rejected,
					Text: sig.String() + ": " + err.Error(), Retry: r.At.Add(s.cfg.Interval)})
			}
		}
		rows := sh.finish(b)
		if i == 0 {
			r.Total = s.total(y, sh, rows, at, b)
		}
		r.Targets = append(r.Targets, rows...)
		young = young || s.young(y)
		r.Warnings = append(r.Warnings, s.gauges(y)...)
	}
	slices.SortFunc(r.Targets, byNameThenID)
	s.known = r.Targets
	if young {
		r.Warnings = append(r.Warnings, "rates need two scrapes, "+collector.FormatInterval(s.cfg.Interval)+" apart")
	}
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
		for _, h := range s.store.find(sel).held {
			if h.gauge {
				w := fmt.Sprintf("%s is declared a gauge; its rate is right only if it counts", collector.Clean(h.Labels.Get("__name__")))
				if !slices.Contains(out, w) {
					out = append(out, w)
				}
				break
			}
		}
	}
	return out
}

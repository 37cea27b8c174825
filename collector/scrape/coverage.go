package scrape

import "stormtop/collector"

// cover says how many of the endpoints that ever had the series of each side
// have them now, and marks the signals of a side that is short of them.
func (s *Source) cover(sh *sheet, r *collector.Reading) {
	y := sh.sys
	for _, sig := range []collector.Signal{collector.Ingress, collector.Downstream} {
		sel := y.side(sig)
		if sel == nil {
			continue
		}
		key := side{y.profile.Name, sig}
		usual := s.usual[key]
		if usual == nil {
			usual = map[int]bool{}
			s.usual[key] = usual
		}
		now := map[int]bool{}
		for _, h := range s.store.find(sel).held {
			if !h.Ended && s.endpoints[h.endpoint].fail == nil {
				now[h.endpoint], usual[h.endpoint] = true, true
			}
		}
		rep := collector.Reporters{System: y.profile.Name, Side: sig, Now: len(now), Usual: len(usual)}
		r.Reporters = append(r.Reporters, rep)
		if rep.Short() {
			sh.mark(sig)
		}
	}
}

// mark notes that the signals measured at a side are of a part only. Where the
// system has no such side of its own, they are measured at the other.
func (sh *sheet) mark(at collector.Signal) {
	for _, sig := range collector.Signals() {
		measured := collector.Downstream
		switch sig {
		case collector.Ingress, collector.Successes, collector.Delivered:
			measured = collector.Ingress
		}
		if sh.sys.side(measured) == nil {
			measured = collector.Ingress
		}
		sh.short[sig] = sh.short[sig] || measured == at
	}
}

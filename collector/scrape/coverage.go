package scrape

import (
	"stormtop/collector"
	"stormtop/collector/measure"
)

// cover says how many of the endpoints that ever had the series of each side
// have them now, and marks the signals of a side that is short of them.
func (s *Source) cover(sh *sheet, r *collector.Reading) {
	y := sh.sys
	var short [2]bool
	for i, sig := range measure.Sides {
		sel := y.side(sig)
		if sel == nil {
			continue
		}
		key := side{y.Name(), y.Edge(), sig}
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
		rep := collector.Reporters{System: y.Name(), Side: sig, Now: len(now), Usual: len(usual)}
		r.Reporters = append(r.Reporters, rep)
		short[i] = rep.Short()
	}
	if y.side(collector.Downstream) == nil { // what belongs there is measured at the other side
		short[1] = short[0]
	}
	sh.marks.Partial.Join(measure.AtSides(short[0], short[1]))
}

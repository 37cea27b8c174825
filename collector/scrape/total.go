package scrape

import (
	"stormtop/collector"
)

// total is the row of the whole: the edge pair of the first system where it is
// trusted, else the sum over its rows.
func (s *Source) total(y *system, sh *sheet, rows []collector.Row, at int64, b collector.Baselines) collector.Row {
	if len(rows) == 0 { // a row that nobody owns carries what failed
		rows = make([]collector.Row, 1)
		rows[0].Baseline = b.For(collector.Target{})
		sh.complete(&rows[0].Values, rows[0].Baseline)
	}
	out := collector.Total(rows)
	out.Target.Kind = y.kind
	for _, sig := range y.signals {
		if sig.Derived() {
			out.Values[sig] = collector.Value{}
			if sh.failed[sig] {
				out.Values[sig] = collector.Value{State: collector.Failed, Unit: y.units[sig], Trust: y.trust[sig]}
			}
		}
	}
	if edge, ok := s.edge(y, sh, out, at, b); ok {
		return edge
	}
	return out
}

// edge is the total as the users of a system see it. Pools and limits are those
// of the hops behind; what the hops count of retries is no part of this ratio.
func (s *Source) edge(y *system, sh *sheet, hops collector.Row, at int64, b collector.Baselines) (collector.Row, bool) {
	if y.edge[0] == nil {
		return hops, false
	}
	out := collector.Row{Target: hops.Target}
	out.Target.Kind = collector.Edge
	out.Baseline = b.For(out.Target)
	for _, sig := range []collector.Signal{collector.AtLimit, collector.PoolWait, collector.QueueDepth, collector.Overflow} {
		out.Values[sig] = hops.Values[sig]
	}
	for i, sig := range []collector.Signal{collector.Ingress, collector.Downstream} {
		samples, err := y.edge[i].Eval(s.store, at)
		if err != nil || len(samples) != 1 {
			return hops, false
		}
		v := collector.Num(samples[0].V, collector.PerSecond, y.profile.Edge.Trust)
		if sh.short[sig] && v.State == collector.Ok {
			v.State = collector.Partial
		}
		out.Values[sig] = v
	}
	out.Values.Derive(out.Baseline)
	return out, true
}

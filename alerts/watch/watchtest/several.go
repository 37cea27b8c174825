package watchtest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// TwoSystems is a proxy that reads calm beside a library that storms, with
// everything that only some systems have: attempts that got no connection,
// retries that a breaker did not permit, waiters instead of a time, sides with a
// known number of reporters, and what each query cost.
func TwoSystems() Moment {
	film := film(func() []*collector.Reading {
		var out []*collector.Reading
		for at := time.Duration(0); at <= Plateau; at += Step {
			out = append(out, twoSystems(at))
		}
		return out
	})
	return script{"two-systems", alerts.Documented(), film}.play()
}

func twoSystems(at time.Duration) *collector.Reading {
	calm, storm := Storm{Targets: 3, Calm: true}.Reading(at), Storm{Targets: 2}.Reading(at)
	rows := make([]collector.Row, 0, len(calm.Targets)+len(storm.Targets))
	for _, row := range calm.Targets {
		row.Target = row.Target.In(Proxy)
		rows = append(rows, row)
	}
	for _, row := range storm.Targets {
		row.Target = collector.NewTarget(collector.Hop, collector.Label{Name: "grpc_target", Value: row.Target.Name}).In(Library)
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b collector.Row) int {
		return cmp.Or(strings.Compare(a.Target.Name, b.Target.Name), strings.Compare(a.Target.ID, b.Target.ID))
	})
	r := &collector.Reading{
		At: calm.At, Newest: calm.Newest, Origin: twoSystemsOrigin(), Targets: rows, Cost: calm.Cost,
		Reporters: []collector.Reporters{
			{System: Proxy, Side: collector.Ingress, Now: 40, Usual: 40},
			{System: Library, Side: collector.Ingress, Now: 32, Usual: 40},
		},
		Asked: []collector.Asked{
			{System: Proxy, Signal: collector.Ingress, Series: 3, Cost: collector.Cost{Queries: 1, Bytes: 870, Took: 3 * time.Millisecond}},
			{System: Library, Signal: collector.Ingress, Series: 2, Cost: collector.Cost{Queries: 1, Bytes: 1210, Took: 4 * time.Millisecond}},
		},
	}
	return Edit(r, func(row *collector.Row) {
		v := &row.Values
		if row.Target.System == Proxy {
			v[collector.Overflow] = collector.Num(0, collector.PerSecond, collector.Exact)
			return
		}
		v[collector.Arrived] = v[collector.Downstream]
		v[collector.Arrived].V *= 0.93
		refused := max(v[collector.Downstream].V-v[collector.Ingress].V-1000, 0) / 10
		v[collector.Overflow] = collector.Num(refused, collector.PerSecond, collector.Exact)
		v[collector.PoolWait] = collector.Num(v[collector.QueueDepth].V/32, collector.Count, collector.Exact)
		v[collector.QueueDepth] = collector.Value{}
	})
}

func twoSystemsOrigin() *collector.Origin {
	o := Origin()
	o.Profile = Proxy + "+" + Library
	library := collector.System{
		Profile: Library, Title: "gRPC clients, OpenTelemetry metrics", Kind: collector.Hop, Trust: collector.LowerBound,
		By: []string{"grpc_target"}, CannotSee: "calls that never left the client are not counted",
		Notes: "A histogram of retries for each call; calls without a retry are not in it.",
	}
	library.Explain[collector.Ingress] = `sum by (grpc_target) (rate(grpc_client_call_duration_seconds_count[1m]))`
	o.Systems = append(o.Systems, library)
	o.Offered = []string{"spring"}
	o.Groupings = []collector.Grouping{collector.ByService, collector.ByCaller, collector.ByInstance}
	return o
}

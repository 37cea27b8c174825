package watchtest

import (
	"slices"
	"strings"
	"time"

	"stormtop/collector"
)

// The systems of Beside.
const (
	Proxy   = "envoy"     // sees one request for each attempt of the library: 1.00x, whatever happens
	Library = "grpc_otel" // sees the storm
)

// Beside are readings of a storm as two systems see it that stand side by side:
// a library that makes the retries, and the proxies behind it, to which each
// retry is a request like any other.
func (s Storm) Beside(from, to time.Duration) []*collector.Reading {
	origin := besideOrigin()
	out := s.Readings(from, to)
	for _, r := range out {
		r.Origin = origin
		rows := make([]collector.Row, 0, 2*len(r.Targets))
		for _, row := range r.Targets {
			rows = append(rows, behind(row), inLibrary(row))
		}
		slices.SortStableFunc(rows, func(a, b collector.Row) int { return strings.Compare(a.Target.Name, b.Target.Name) })
		r.Targets = rows
		seal(r)
	}
	return out
}

// inLibrary is a row as the library sees it.
func inLibrary(row collector.Row) collector.Row {
	label := collector.Label{Name: "grpc_target", Value: row.Target.Name}
	row.Target = collector.NewTarget(collector.Hop, label).In(Library)
	return row
}

// behind is the same traffic as the proxy behind the library sees it.
func behind(row collector.Row) collector.Row {
	out := collector.Row{Target: Service(row.Target.Name).In(Proxy)}
	down := row.Values[collector.Downstream].V
	set(&out, down, down, row.Values[collector.Successes].V, 0, 0, 0.002, 0)
	return out
}

func besideOrigin() *collector.Origin {
	o := Origin()
	o.Profile = Proxy + "+" + Library
	o.Systems = append(slices.Clone(o.Systems), collector.System{
		Profile: Library, Title: "gRPC clients (OpenTelemetry)", Kind: collector.Hop, Trust: collector.Exact,
		By: []string{"grpc_target"}, CannotSee: "sees the retries of gRPC clients only",
	})
	o.Offered = []string{"spring"}
	return o
}

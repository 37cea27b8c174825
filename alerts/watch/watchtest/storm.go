// Package watchtest makes readings, and snapshots of them, for tests and golden
// screens: one storm among many calm targets, the same in every run, and the
// other moments of a dashboard's life.
package watchtest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
)

// Step is the time between readings.
const Step = 5 * time.Second

// Start is the instant of the first reading; offsets count from here.
var Start = time.Date(2026, 3, 14, 11, 49, 30, 0, time.UTC)

// Offsets of the storm from Start.
const (
	Rise     = 10*time.Minute + 30*time.Second // 12:00:00 the first retries
	Breach   = 10*time.Minute + 50*time.Second // 12:00:20 above 1.5, requests at their limit
	Fires    = 11*time.Minute + 50*time.Second // 12:01:20 above 1.5 for a minute
	Plateau  = 15 * time.Minute                // 12:04:30 exactly 1,998/s to 4,955/s, 2.48x
	Subsides = 45*time.Minute + 30*time.Second // 12:35:00 below 1.5 again
)

// The three targets that have numbers of their own.
const (
	Payments = "payments-channel" // the one that burns
	Orders   = "orders"           // the worst of the calm ones, 1.02x
	Users    = "users"
)

// Storm is the script: payments-channel burns, every other target is calm.
type Storm struct {
	// Targets is how many there are, the three named ones included; at least 1
	// (payments-channel alone).
	Targets int
	// Calm leaves the storm out.
	Calm bool
}

// knot is a point of the storm's course.
type knot struct {
	at    time.Duration
	ratio float64
}

var course = []knot{
	{Rise, 1.008}, {Rise + Step, 1.01}, {Rise + 10*time.Second, 1.12}, {Rise + 15*time.Second, 1.25}, {Breach, 1.53},
	{Breach + 20*time.Second, 1.62}, {Fires, 2.31}, {13 * time.Minute, 2.45}, {Plateau, 2.48},
	{20 * time.Minute, 2.61}, {25 * time.Minute, 2.52}, {Subsides - 30*time.Second, 2.5}, {Subsides - Step, 1.62},
	{Subsides, 1.31}, {Subsides + 20*time.Second, 1.01}, {Subsides + 25*time.Second, 1.01},
}

// ratio is the amplification of payments-channel.
func (s Storm) ratio(at time.Duration) float64 {
	i := slices.IndexFunc(course, func(k knot) bool { return k.at > at })
	if s.Calm || i <= 0 { // before the storm, or after it
		return 1.008 + 0.004*noise(7, at)
	}
	a, b := course[i-1], course[i]
	return a.ratio + (b.ratio-a.ratio)*float64(at-a.at)/float64(b.at-a.at)
}

// noise is a number from -1 to 1 that looks random and never changes.
func noise(salt int, at time.Duration) float64 {
	x := uint64(at/time.Second)*0x9e3779b97f4a7c15 + uint64(salt)*0xbf58476d1ce4e5b9
	x ^= x >> 31
	x *= 0x94d049bb133111eb
	x ^= x >> 29
	return float64(x>>11)/(1<<52) - 1
}

// tide is the slow change of all traffic, none at the plateau.
func tide(at time.Duration) float64 {
	return 1 + 0.003*math.Sin(2*math.Pi*float64(at-Plateau)/float64(7*time.Minute))
}

// Reading is the reading at an offset from Start.
func (s Storm) Reading(at time.Duration) *collector.Reading {
	n := max(s.Targets, 1)
	rows := make([]collector.Row, 0, n)
	rows = append(rows, s.payments(at))
	if n > 1 {
		rows = append(rows, calmRow(Orders, math.Round(1998*tide(at)), 1.0165, 0.003, at))
	}
	if n > 2 {
		rows = append(rows, calmRow(Users, math.Round(3120*tide(at)), 1.0007, 0.001, at))
	}
	for i := 3; i < n; i++ {
		in := math.Round((60 + float64(i*i*7919%2900)) * tide(at+time.Duration(i)*time.Second))
		rows = append(rows, calmRow(crowdName(i-3), in, 1.003+0.002*float64(i%4)+0.002*noise(i, at), 0.001, at))
	}
	slices.SortFunc(rows, func(a, b collector.Row) int { return strings.Compare(a.Target.Name, b.Target.Name) })
	r := &collector.Reading{
		At: Start.Add(at), Newest: Start.Add(at - time.Second), Origin: Origin(), Targets: rows,
		Cost: collector.Cost{Queries: 9, Bytes: 48_000, Took: 31 * time.Millisecond},
	}
	seal(r)
	return r
}

// Readings are those from one offset to another, both included.
func (s Storm) Readings(from, to time.Duration) []*collector.Reading {
	var out []*collector.Reading
	for at := from; at <= to; at += Step {
		out = append(out, s.Reading(at))
	}
	return out
}

// Origin describes the source of the readings.
func Origin() *collector.Origin {
	o := &collector.Origin{
		Source: "prom.example:9090", Profile: "envoy", Interval: Step, RateRange: time.Minute,
		Scrape: 15 * time.Second,
	}
	envoy := collector.System{
		Profile: "envoy", Title: "Envoy", Kind: collector.Hop, Trust: collector.Exact, By: []string{"envoy_cluster_name"},
		CannotSee: "sees proxy retries only",
	}
	envoy.Explain[collector.Ingress] = `sum by (envoy_cluster_name) (rate(envoy_cluster_upstream_rq_completed[1m]))`
	envoy.Explain[collector.Downstream] = `sum by (envoy_cluster_name) (rate(envoy_cluster_upstream_rq_total[1m]))`
	o.Systems = []collector.System{envoy}
	return o
}

// Service is the target of a name.
func Service(name string) collector.Target {
	return collector.NewTarget(collector.Hop, collector.Label{Name: "envoy_cluster_name", Value: name})
}

var crowd = strings.Fields(`cart catalog search checkout inventory pricing shipping profile session review
	email sms ledger invoice refund wallet fraud geo media ads feed chat push cron audit tax promo returns vendor store`)

func crowdName(i int) string {
	if round := i / len(crowd); round > 0 {
		return fmt.Sprintf("%s-%d", crowd[i%len(crowd)], round+1)
	}
	return crowd[i]
}

// payments is the row of the target that burns.
func (s Storm) payments(at time.Duration) collector.Row {
	ratio := s.ratio(at)
	heat := max(ratio-1.05, 0) / (2.48 - 1.05)
	in := 1998 * tide(at)
	if s.Calm || at < Breach {
		in = 1978 * tide(at)
	}
	in = math.Round(in)
	served := math.Round(in * max(1-0.542*heat, 0.4))
	row := collector.Row{Target: Service(Payments)}
	set(&row, in, math.Round(in*ratio), served, math.Round(served*0.597*heat),
		math.Round(1328*max(ratio-1.45, 0)/(2.48-1.45)), 0.003+0.237*heat, math.Round(1204*heat))
	return row
}

func calmRow(name string, in, ratio, pool float64, at time.Duration) collector.Row {
	row := collector.Row{Target: Service(name)}
	down := math.Round(in * ratio)
	set(&row, in, down, math.Round(in*0.999), math.Max(down-in, 0)*0.8, 0, pool*(1+0.05*noise(len(name), at)), 0)
	return row
}

func set(row *collector.Row, in, down, served, rescued, atLimit, pool, queue float64) {
	rate := func(f float64) collector.Value { return collector.Num(f, collector.PerSecond, collector.Exact) }
	v := &row.Values
	v[collector.Ingress], v[collector.Downstream], v[collector.Retries] = rate(in), rate(down), rate(max(down-in, 0))
	v[collector.Successes], v[collector.Rescued], v[collector.AtLimit] = rate(served), rate(rescued), rate(atLimit)
	v[collector.PoolWait] = collector.Num(pool, collector.Seconds, collector.Exact)
	v[collector.QueueDepth] = collector.Num(queue, collector.Count, collector.Exact)
}

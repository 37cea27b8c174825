// Package expose publishes what a source knows as Prometheus metrics
// (--listen): the signals of the newest reading, and for a simulation the raw
// counters that its services would have in production, so that a real
// Prometheus can scrape a simulated outage.
package expose

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"stormtop/collector"
)

// Exporter turns readings and counters into metrics. Its methods may be called
// from any goroutine.
type Exporter struct {
	reading  atomic.Pointer[collector.Reading]
	counting collector.Counting
	version  string
	registry *prometheus.Registry
}

// New makes an exporter of the program in some version. source may be nil; only
// a collector.Counting has raw counters to show, of any other source only the
// signals appear.
func New(source collector.Source, version string) *Exporter {
	e := &Exporter{registry: prometheus.NewRegistry(), version: version}
	e.counting, _ = source.(collector.Counting)
	e.registry.MustRegister(scrape{e})
	return e
}

// Update makes r the reading whose signals are shown.
func (e *Exporter) Update(r *collector.Reading) { e.reading.Store(r) }

// Handler serves the metrics, in the format that the client asks for.
func (e *Exporter) Handler() http.Handler {
	return promhttp.HandlerFor(e.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 8})
}

// scrape is the exporter as the registry sees it.
type scrape struct{ *Exporter }

var (
	requests  = prometheus.NewDesc("stormtop_requests_total", collector.HelpRequests, []string{"service"}, nil)
	attempts  = prometheus.NewDesc("stormtop_attempts_total", collector.HelpAttempts, []string{"service", "attempt"}, nil)
	successes = prometheus.NewDesc("stormtop_successes_total", collector.HelpSuccesses, []string{"service", "attempt"}, nil)
	atLimit   = prometheus.NewDesc("stormtop_at_limit_total", collector.HelpAtLimit, []string{"service"}, nil)
	pool      = prometheus.NewDesc("stormtop_pool_wait_seconds", collector.HelpPoolWait, []string{"service"}, nil)
	queue     = prometheus.NewDesc("stormtop_queue_depth", collector.HelpQueueDepth, []string{"service"}, nil)
	signal    = prometheus.NewDesc("stormtop_signal", "A signal of the newest reading, in its own unit; what is no finite number is absent. The series without a target, target=\"\", is the headline or the sum over all targets: leave it out when adding up.", []string{"signal", "target"}, nil)
	info      = prometheus.NewDesc("stormtop_info", "Always 1; the labels say where the numbers come from. With simulated=\"true\" all of them are invented, with replay=\"true\" they are of the past. scenario and seed are of a simulation that runs now.", []string{"version", "source", "profile", "simulated", "replay", "scenario", "seed"}, nil)
	speed     = prometheus.NewDesc("stormtop_speed_ratio", "Seconds of the data for a second of the clock: 1 unless a simulation or a recording plays faster or slower. A rate over its counters is as many times that of the system; ratios are not touched.", nil, nil)
)

// Describe names all metrics that can ever appear.
func (s scrape) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{requests, attempts, successes, atLimit, pool, queue, signal, info, speed} {
		out <- d
	}
}

// Collect makes the metrics of this moment.
func (s scrape) Collect(out chan<- prometheus.Metric) {
	if s.counting != nil {
		for _, c := range s.counting.Counters() {
			collectCounters(out, c)
		}
	}
	if r := s.reading.Load(); r != nil {
		collectSignals(out, r)
		if r.Origin != nil {
			s.collectOrigin(out, r.Origin)
		}
	}
}

func (s scrape) collectOrigin(out chan<- prometheus.Metric, o *collector.Origin) {
	scenario, seed := "", ""
	if s.counting != nil {
		sim := s.counting.Simulation()
		scenario, seed = strings.ToValidUTF8(sim.Scenario, "\uFFFD"), strconv.FormatInt(sim.Seed, 10)
	}
	out <- prometheus.MustNewConstMetric(info, prometheus.GaugeValue, 1,
		s.version, strings.ToValidUTF8(o.Source, "\uFFFD"), o.Profile, strconv.FormatBool(o.Simulated), strconv.FormatBool(o.Replay), scenario, seed)
	pace := o.Speed
	if pace == 0 {
		pace = 1 // live
	}
	out <- prometheus.MustNewConstMetric(speed, prometheus.GaugeValue, pace)
}

func collectCounters(out chan<- prometheus.Metric, c collector.ServiceCounters) {
	service := strings.ToValidUTF8(c.Service, "\uFFFD")
	counter := func(d *prometheus.Desc, n float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, n, append([]string{service}, labels...)...)
	}
	counter(requests, float64(c.Requests))
	counter(atLimit, float64(c.AtLimit))
	for i, n := range c.Attempts {
		counter(attempts, float64(n), strconv.Itoa(i+1))
	}
	for i, n := range c.Successes {
		counter(successes, float64(n), strconv.Itoa(i+1))
	}
	if c.HasPool {
		out <- prometheus.MustNewConstSummary(pool, c.PoolWaits, c.PoolWaitSeconds, nil, service)
	}
	if n, ok := c.QueueDepth.Number(); ok {
		out <- prometheus.MustNewConstMetric(queue, prometheus.GaugeValue, n, service)
	}
}

func collectSignals(out chan<- prometheus.Metric, r *collector.Reading) {
	taken := map[string]bool{}
	show := func(row collector.Row) {
		name := uniqueName(taken, row.Target)
		for _, s := range collector.Signals() {
			if n, ok := row.Values[s].Number(); ok {
				out <- prometheus.MustNewConstMetric(signal, prometheus.GaugeValue, n, s.String(), name)
			}
		}
	}
	show(r.Total)
	for _, row := range r.Targets {
		show(row)
	}
}

// TotalName is the target label of the sum over all targets: none, so that no
// target can be taken for it. For Prometheus an empty label is no label.
const TotalName = ""

// uniqueName is the name of a target, with its labels behind it where another
// target has the same name: two equal series would spoil the whole answer.
func uniqueName(taken map[string]bool, t collector.Target) string {
	name := strings.ToValidUTF8(t.Name, "\uFFFD")
	if t.ID == collector.TotalID {
		name = TotalName
	}
	if taken[name] {
		var labels []string
		for _, l := range t.Labels {
			labels = append(labels, l.Name+"="+strconv.Quote(l.Value))
		}
		name += "{" + strings.Join(labels, ",") + "}"
	}
	for taken[name] {
		name += "'"
	}
	taken[name] = true
	return name
}

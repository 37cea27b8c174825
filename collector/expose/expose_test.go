package expose

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"stormtop/collector"
)

// fake is a source with counters.
type fake struct{ counters []collector.ServiceCounters }

func (f fake) Next(context.Context) (*collector.Reading, error) { return nil, io.EOF }
func (f fake) Counters() []collector.ServiceCounters            { return f.counters }
func (f fake) Simulation() collector.Simulation {
	return collector.Simulation{Scenario: "chain:big", Seed: 7}
}

// scrapeOnce reads the metrics as a Prometheus would: by "name{a="b"}".
func scrapeOnce(t *testing.T, e *Exporter) map[string]float64 {
	t.Helper()
	w := httptest.NewRecorder()
	e.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for name, family := range families {
		for _, m := range family.Metric {
			var labels []string
			for _, l := range m.Label {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			in := "{" + strings.Join(labels, ",") + "}"
			switch family.GetType() {
			case dto.MetricType_COUNTER:
				out[name+in] = m.GetCounter().GetValue()
			case dto.MetricType_SUMMARY:
				out[name+"_sum"+in], out[name+"_count"+in] = m.GetSummary().GetSampleSum(), float64(m.GetSummary().GetSampleCount())
			default:
				out[name+in] = m.GetGauge().GetValue()
			}
		}
	}
	return out
}

func equal(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for k, v := range want {
		if g, ok := got[k]; !ok || g != v {
			t.Errorf("%s is %v (there: %v), want %v", k, g, ok, v)
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s is there, want it absent", k)
		}
	}
}

func TestCountersAppearUnderTheirPublishedNames(t *testing.T) {
	e := New(fake{[]collector.ServiceCounters{{
		Service: "demo/payments", Requests: 100, Attempts: []uint64{100, 40, 0}, Successes: []uint64{60, 30, 0}, AtLimit: 7,
		QueueDepth: collector.Num(3, collector.Count, collector.Exact),
	}, {
		Service: "pooled", Attempts: []uint64{5}, Successes: []uint64{5}, HasPool: true, PoolWaitSeconds: 1.5, PoolWaits: 9,
	}}}, "v0")
	equal(t, scrapeOnce(t, e), map[string]float64{
		"stormtop_requests_total{service=demo/payments}":            100,
		"stormtop_attempts_total{attempt=1,service=demo/payments}":  100,
		"stormtop_attempts_total{attempt=2,service=demo/payments}":  40,
		"stormtop_attempts_total{attempt=3,service=demo/payments}":  0,
		"stormtop_successes_total{attempt=1,service=demo/payments}": 60,
		"stormtop_successes_total{attempt=2,service=demo/payments}": 30,
		"stormtop_successes_total{attempt=3,service=demo/payments}": 0,
		"stormtop_at_limit_total{service=demo/payments}":            7,
		"stormtop_queue_depth{service=demo/payments}":               3,
		"stormtop_requests_total{service=pooled}":                   0,
		"stormtop_attempts_total{attempt=1,service=pooled}":         5,
		"stormtop_successes_total{attempt=1,service=pooled}":        5,
		"stormtop_at_limit_total{service=pooled}":                   0,
		"stormtop_pool_wait_seconds_sum{service=pooled}":            1.5,
		"stormtop_pool_wait_seconds_count{service=pooled}":          9,
	})
}

func TestOnlyFiniteNumbersOfTheNewestReadingAppear(t *testing.T) {
	e := New(collector.SourceFunc(func(context.Context) (*collector.Reading, error) { return nil, io.EOF }), "v0")
	equal(t, scrapeOnce(t, e), nil)

	row := func(name string, v collector.Values) collector.Row {
		return collector.Row{Target: collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: name}), Values: v}
	}
	first := &collector.Reading{At: time.Unix(1, 0), Targets: []collector.Row{row("gone", collector.Values{
		collector.Ingress: collector.Num(1, collector.PerSecond, collector.Exact),
	})}}
	e.Update(first)
	e.Update(&collector.Reading{
		At: time.Unix(2, 0),
		Total: collector.Row{Values: collector.Values{
			collector.Downstream: collector.Num(12, collector.PerSecond, collector.Exact),
		}},
		Targets: []collector.Row{row("a\x1b[31m", collector.Values{
			collector.Ingress:       collector.Num(0, collector.PerSecond, collector.Exact),
			collector.Downstream:    collector.Num(12, collector.PerSecond, collector.Exact).With(collector.Partial),
			collector.Amplification: collector.Num(math.Inf(1), collector.Ratio, collector.Exact),
			collector.RescuedShare:  collector.Num(math.NaN(), collector.Fraction, collector.Exact),
			collector.AtLimit:       collector.Value{State: collector.Failed},
		})},
	})
	equal(t, scrapeOnce(t, e), map[string]float64{
		"stormtop_signal{signal=downstream,target=}":            12,
		"stormtop_signal{signal=ingress,target=a\uFFFD[31m}":    0,
		"stormtop_signal{signal=downstream,target=a\uFFFD[31m}": 12,
	})
}

func TestTargetsOfOneNameAreToldApart(t *testing.T) {
	one := collector.Values{collector.Ingress: collector.Num(1, collector.PerSecond, collector.Exact)}
	target := func(label, name string) collector.Row {
		return collector.Row{Target: collector.NewTarget(collector.Hop, collector.Label{Name: label, Value: name}), Values: one}
	}
	e := New(nil, "v0")
	e.Update(&collector.Reading{Total: collector.Row{Values: one}, Targets: []collector.Row{
		target("app", "a"), target("service", "a"), {Target: collector.Target{ID: "x", Name: "a{service=\"a\"}"}, Values: one}, target("service", "total"), target("service", ""),
	}})
	equal(t, scrapeOnce(t, e), map[string]float64{
		`stormtop_signal{signal=ingress,target=}`:                 1,
		`stormtop_signal{signal=ingress,target=a}`:                1,
		`stormtop_signal{signal=ingress,target=a{service="a"}}`:   1,
		`stormtop_signal{signal=ingress,target=a{service="a"}{}}`: 1,
		`stormtop_signal{signal=ingress,target=total}`:            1,
		`stormtop_signal{signal=ingress,target=all}`:              1,
	})
}

// TestWhatIsInventedSaysSo in the metrics themselves: whoever finds them in a
// Prometheus does not see the command line.
func TestWhatIsInventedSaysSo(t *testing.T) {
	other := collector.SourceFunc(func(context.Context) (*collector.Reading, error) { return nil, io.EOF })
	for _, test := range []struct {
		source collector.Source
		origin collector.Origin
		info   string
		speed  float64
	}{
		{fake{}, collector.Origin{Source: "simulator", Profile: "chain", Simulated: true, Speed: 20},
			"profile=chain,replay=false,scenario=chain:big,seed=7,simulated=true,source=simulator,version=v0", 20},
		{other, collector.Origin{Source: "prom.example:9090", Profile: "envoy"},
			"profile=envoy,replay=false,scenario=,seed=,simulated=false,source=prom.example:9090,version=v0", 1},
		{other, collector.Origin{Source: "storm.rec", Simulated: true, Replay: true, Speed: 0.5},
			"profile=,replay=true,scenario=,seed=,simulated=true,source=storm.rec,version=v0", 0.5},
	} {
		e := New(test.source, "v0")
		e.Update(&collector.Reading{Origin: &test.origin})
		equal(t, scrapeOnce(t, e), map[string]float64{"stormtop_info{" + test.info + "}": 1, "stormtop_speed_ratio{}": test.speed})
	}
}

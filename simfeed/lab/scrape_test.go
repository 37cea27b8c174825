package lab_test

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"stormtop/collector/expose"
	"stormtop/simfeed/lab"
)

// scrape reads the counters and gauges by name and labels.
func scrape(t *testing.T, e *expose.Exporter) (counters, gauges map[string]float64) {
	t.Helper()
	w := httptest.NewRecorder()
	e.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, w.Body)
	}
	counters, gauges = map[string]float64{}, map[string]float64{}
	for name, family := range families {
		for _, m := range family.Metric {
			key := name
			for _, l := range m.Label {
				key += " " + l.GetValue()
			}
			if family.GetType() == dto.MetricType_COUNTER {
				counters[key] = m.GetCounter().GetValue()
			} else {
				gauges[key] = m.GetGauge().GetValue()
			}
		}
	}
	return counters, gauges
}

func TestScrapedCountersNeverFallAcrossLoops(t *testing.T) {
	c := lab.Demo(lab.DefaultSeed)
	c.Start, c.Span = time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC), 5*time.Minute
	feed, err := lab.NewFeed(c)
	if err != nil {
		t.Fatal(err)
	}
	e := expose.New(feed, "v0")
	before, _ := scrape(t, e)
	if want := 4 * (2 + 2*6); len(before) != want { // requests, at limit; attempts and successes by number
		t.Fatalf("%d counters before the first reading, want all %d", len(before), want)
	}
	for name, n := range before {
		if n != 0 {
			t.Errorf("%s begins at %v, want 0", name, n)
		}
		if strings.Contains(name, "pool") {
			t.Errorf("%s: the lab has no pool", name)
		}
	}
	for i := range 300 + 700 { // the past, then more than two loops
		r, err := feed.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		e.Update(r)
		if i%10 != 0 {
			continue
		}
		now, gauges := scrape(t, e)
		if len(now) != len(before) {
			t.Fatalf("at %v: %d counters, %d before", r.At, len(now), len(before))
		}
		for name, n := range now {
			if n < before[name] || r.Past && n != 0 {
				t.Fatalf("at %v: %s fell from %v to %v", r.At, name, before[name], n)
			}
		}
		if got, want := gauges["stormtop_signal downstream "+expose.TotalName], r.Total.Values; got == 0 || len(gauges) <= 4 {
			t.Fatalf("at %v: total downstream %v, want that of %v", r.At, got, want)
		}
		before = now
	}
	if got := before["stormtop_attempts_total 6 demo/payments"]; got == 0 {
		t.Error("no sixth attempt was counted in two storms")
	}
}

func TestCountersMayBeReadWhileTheFeedRuns(t *testing.T) {
	c := lab.Demo(lab.DefaultSeed)
	feed, err := lab.NewFeed(c)
	if err != nil {
		t.Fatal(err)
	}
	e := expose.New(feed, "v0")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			r, err := feed.Next(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			e.Update(r)
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		for _, s := range feed.Counters() {
			if s.Attempts[0] != s.Requests && s.Service != "demo/search" { // a breaker refuses first attempts
				t.Fatalf("%s: %d requests, %d first attempts", s.Service, s.Requests, s.Attempts[0])
			}
		}
		scrape(t, e)
	}
}

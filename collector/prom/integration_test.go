package prom

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/promtest"
)

type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// exporter publishes counters of two services that grow with the time: orders
// is calm, payments has 2.48 attempts for each request.
func exporter(t *testing.T) *httptest.Server {
	start := time.Now()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := time.Since(start).Seconds() * 100
		for name, ratio := range map[string]float64{"orders": 1, "payments": 2.48} {
			fmt.Fprintf(w, "stormtop_requests_total{service=%q} %v\n", name, n)
			fmt.Fprintf(w, "stormtop_attempts_total{service=%q,attempt=\"1\"} %v\n", name, n)
			if ratio > 1 {
				fmt.Fprintf(w, "stormtop_attempts_total{service=%q,attempt=\"2\"} %v\n", name, n*(ratio-1))
			}
			fmt.Fprintf(w, "stormtop_queue_depth{service=%q} 7\n", name)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// until reads until a reading fulfils a condition.
func until(t *testing.T, ctx context.Context, s *Source, what string, ok func(*collector.Reading) bool) *collector.Reading {
	t.Helper()
	var last *collector.Reading
	for {
		r, err := s.Next(ctx)
		if err != nil {
			t.Fatalf("waiting until %s: %v; last %+v", what, err, last)
		}
		if last = r; ok(r) {
			return r
		}
	}
}

func TestRealPrometheus(t *testing.T) {
	for _, binary := range promtest.Servers(t) {
		t.Run(filepath.Base(filepath.Dir(binary)), func(t *testing.T) { realPrometheus(t, binary) })
	}
}

func realPrometheus(t *testing.T, binary string) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	target := strings.TrimPrefix(exporter(t).URL, "http://")
	server := promtest.Start(t, binary, t.TempDir(), promtest.Scraping(t, []string{"x"}, target))
	open := func() *Source {
		s, _, err := Open(Config{URL: server.URL, Clock: wallClock{}, Span: time.Minute, Interval: time.Second, Rules: rules()})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	storm := func(r *collector.Reading) bool {
		row, ok := r.Row(collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: "payments"}).In("stormtop").ID)
		a := row.Values[collector.Amplification]
		return ok && !r.Past && a.State == collector.Ok && math.Abs(a.V-2.48) < 0.07
	}
	s := open()
	// The first readings may be failures, while the server starts.
	r := until(t, ctx, s, "the storm is measured", storm)
	if r.Origin.Profile != "stormtop" || r.Origin.RateRange < 4*time.Second || len(r.Failures) != 0 {
		t.Errorf("%+v %+v", r.Origin, r.Failures)
	}
	r = until(t, ctx, s, "the spacing is known", func(r *collector.Reading) bool { return r.Origin.Scrape > 0 && storm(r) })
	if got := value(t, r, "payments", collector.Ingress); got.V < 20 || got.V > 200 {
		t.Errorf("ingress %+v", got)
	}
	if r.Origin.Scrape != time.Second || r.Origin.RateRange != 4*time.Second {
		t.Errorf("%+v", r.Origin)
	}
	if age := r.At.Sub(r.Newest); age < 0 || age > 3*time.Second {
		t.Errorf("newest %v at %v", r.Newest, r.At)
	}
	for sig, want := range map[collector.Signal]float64{collector.RetryRate: 1.48 / 2.48, collector.QueueDepth: 7} {
		if got := value(t, r, "payments", sig); got.State != collector.Ok || math.Abs(got.V/want-1) > 0.05 {
			t.Errorf("%s: %+v, want %v", sig, got, want)
		}
	}
	if got := value(t, r, "orders", collector.Retries); got.State != collector.Ok || got.V != 0 {
		t.Errorf("retries of a calm service: %+v", got)
	}
	if r.Cost.Queries > 20 {
		t.Errorf("a poll costs %+v", r.Cost)
	}

	second := open()
	if past := until(t, ctx, second, "there is a past", func(*collector.Reading) bool { return true }); !past.Past || len(past.Targets) != 2 {
		t.Errorf("past %v, %d targets", past.Past, len(past.Targets))
	}

	server.Kill()
	if r = until(t, ctx, s, "the server is gone", (*collector.Reading).Blind); len(r.Targets) != 2 || r.Failures[0].Kind != collector.Unreachable {
		t.Errorf("%+v", r.Failures)
	}
	server.Again()
	until(t, ctx, s, "it is back", storm)
}

package doctor

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/promtest"
)

type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// exporter publishes a service that retries, with the faults of the field: its
// attempts are typed as a gauge and are there by two replicas, and what is at
// its limit is not counted.
func exporter(t *testing.T) (address string) {
	start := time.Now()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := time.Since(start).Seconds() * 100
		fmt.Fprintf(w, "# TYPE stormtop_requests_total counter\nstormtop_requests_total{service=\"orders\"} %v\n", n)
		fmt.Fprintf(w, "# TYPE stormtop_attempts_total gauge\n")
		for _, replica := range []string{"a", "b"} {
			fmt.Fprintf(w, "stormtop_attempts_total{service=\"orders\",attempt=\"1\",replica=%q} %v\n", replica, n)
			fmt.Fprintf(w, "stormtop_attempts_total{service=\"orders\",attempt=\"2\",replica=%q} %v\n", replica, n*1.4)
		}
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

func TestARealPrometheusIsExamined(t *testing.T) {
	for _, binary := range promtest.Servers(t) {
		t.Run(filepath.Base(filepath.Dir(binary)), func(t *testing.T) { examineReal(t, binary) })
	}
}

func examineReal(t *testing.T, binary string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	server := promtest.Start(t, binary, t.TempDir(), promtest.Scraping(t, []string{"pods", "endpoints"}, exporter(t)))
	client, _, err := prom.Dial(prom.Config{URL: server.URL, Clock: wallClock{}})
	if err != nil {
		t.Fatal(err)
	}
	r := settled(t, ctx, client)
	for _, want := range []said{
		{OK, TopicClock, "agree", ""},
		{OK, "ingress", "", ""},
		{Gap, "downstream", "the rate of stormtop_attempts_total, which the server knows as a gauge", "Check that"},
		{Gap, "at_limit", "no such series: stormtop_at_limit_total", "--listen"},
		{OK, TopicSpacing, "both sides every 1s; rate 4s (4s or more)", ""},
		{Gap, TopicJobs, "the jobs endpoints and pods scrape the same instances: rates count twice, the ratio is right", "--select"},
		{Gap, TopicReplicas, "only the downstream side is there twice, told apart by replica; uncollapsed, healthy traffic reads as 2.00x", "Deduplicate"},
		{OK, TopicTargets, "both sides know the same 1 target", ""},
	} {
		expect(t, r, want)
	}
	if r.ExitStatus() != ExitGaps || len(r.Systems) != 1 || r.Systems[0].Profile != "stormtop" || r.Systems[0].Evidence != 8 {
		t.Errorf("exit %d:\n%s", r.ExitStatus(), text80(t, r, false))
	}
	signals := map[collector.Signal]float64{}
	for _, s := range r.Systems[0].Signals {
		signals[s.Signal] = s.Value.V
	}
	if got := signals[collector.Downstream] / signals[collector.Ingress]; got < 2.3 || got > 2.5 {
		t.Errorf("%v attempts per request, want 2.4: replicas count once", got)
	}
}

// settled examines until the server has scraped often enough to tell the
// spacing of the samples of both sides.
func settled(t *testing.T, ctx context.Context, s Server) Report {
	t.Helper()
	for {
		r, err := Run(ctx, s, Config{At: time.Now()})
		if err != nil {
			t.Fatalf("waiting for samples: %v", err)
		}
		guessed := slices.ContainsFunc(all(r), func(f Finding) bool { return f.Topic == TopicSpacing && strings.Contains(f.Text, "not known") })
		if len(r.Systems) == 1 && r.Systems[0].Least > 0 && r.Systems[0].known(collector.Ingress) && !guessed {
			return r
		}
		select {
		case <-ctx.Done():
			t.Fatalf("no samples within a minute; last\n%s", text80(t, r, false))
		case <-time.After(500 * time.Millisecond):
		}
	}
}

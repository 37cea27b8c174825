package main

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stormtop/collector/promtest"
)

// loaded starts the newest Prometheus with the series of a shape's text, all
// sampled so often.
func loaded(t *testing.T, every time.Duration, text string) *server {
	t.Helper()
	all := promtest.Toolchains(t)
	r := newShapeReader(t.Name())
	if err := r.parse(t.Name(), text); err != nil {
		t.Fatal(err)
	}
	for i := range r.series {
		r.series[i].every = every
	}
	return plot(t, all[len(all)-1], r.series)
}

// says looks for words in what the program writes, line breaks and blanks aside.
func says(t *testing.T, text string, words ...string) {
	t.Helper()
	squeezed := wordsOf(text)
	for _, want := range words {
		if !strings.Contains(squeezed, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

// TestAWindowThatIsTooShort is case A4 in a real server: samples come every 70 s,
// which nobody configured, and a rate over 1m is empty. The program says so and
// what to use, shows no number, and has the right one with what it advises, by
// itself and over 4m40s.
func TestAWindowThatIsTooShort(t *testing.T) {
	prom := loaded(t, 70*time.Second, `
with service="pay@docker" job="traefik" instance="10.0.4.1:8080"
counter traefik_router_requests_total{code="200",router="pay@docker"} rate=0.172
counter traefik_service_requests_total{code="200"} rate=0.172
`)
	const advice = "rate range 1m holds fewer than 2 samples: they come about every 1m10s; try --rate=5m"
	o := execute(t, "--once", "--prom="+prom.URL, "--rate=1m")
	says(t, o.stdout, advice)
	if strings.Contains(o.stdout, "0/s") || o.status != 3 {
		t.Errorf("status %d:\n%s", o.status, o.stdout)
	}
	onConsole(t, 120, 40, false, nil, "--prom="+prom.URL, "--rate=1m").waitFor("holds fewer than 2 samples")
	for _, rate := range []string{"--rate=5m", "--rate=4m40s", "--interval=10s"} {
		r, _ := once(t, "--prom="+prom.URL, rate)
		near(t, "requests with "+rate, r.value("pay@docker", "ingress"), 0.172)
		near(t, "amplification with "+rate, r.value("pay@docker", "amplification"), 1)
	}
	says(t, execute(t, "doctor", "--prom="+prom.URL, "--rate=1m").stdout, "the range holds fewer than 2 samples", "Use --rate=4m40s or more.")
}

// TestTwoSeriesForOneMatch is case A14 (a) in a real server: a rollout has
// changed one label, so that a join finds two series. The panel says which label,
// the others are live.
func TestTwoSeriesForOneMatch(t *testing.T) {
	prom := loaded(t, 0, `
with service="pay@docker" job="traefik" instance="10.0.4.1:8080"
counter traefik_router_requests_total{code="200",router="pay@docker"} rate=100
counter traefik_service_requests_total{code="200"} rate=120
with service="pay@docker" job="pool"
gauge waiting_seconds{pod_template="a1"} value=3
gauge waiting_seconds{pod_template="b2"} value=2
`)
	for query, text := range map[string]string{
		"waiting_seconds": "two series for the same target pay@docker, differing in label pod_template",
		"sum by (service) (rate(traefik_service_requests_total[$window])) * on (service) waiting_seconds": "two series for the same match, differing in label pod_template",
	} {
		args := []string{"--prom=" + prom.URL, "--profile=traefik", "--signal=pool_wait=" + query}
		r, _ := once(t, args...)
		if len(r.Failures) != 1 || r.Failures[0].Signal == nil || *r.Failures[0].Signal != "pool_wait" || !strings.Contains(r.Failures[0].Text, text) {
			t.Errorf("%s: failures %+v, want one that names %q", query, r.Failures, text)
		}
		near(t, "amplification beside it", r.value("pay@docker", "amplification"), 1.2)
		says(t, execute(t, append([]string{"--once"}, args...)...).stdout, "failed pool wait:", "pod_template", "1.20x")
	}
}

// TestRetriesOfClientsOutsideAreSaidToBeInvisible is case D10: where nothing
// tells an attempt from a request, the program says so on the screen and in text;
// where the clients number their attempts, it shows the storm.
func TestRetriesOfClientsOutsideAreSaidToBeInvisible(t *testing.T) {
	s := readShape(t, "crates_io")
	all := promtest.Toolchains(t)
	prom := plot(t, all[len(all)-1], s.series)
	words := "retries of clients outside are part of the ingress"
	text := execute(t, "--once", "--prom="+prom.URL).stdout
	says(t, text, words, "1.00x", "delivered ~0.0%")
	onConsole(t, 120, 40, false, nil, "--prom="+prom.URL).waitFor("clients outside")

	numbered := loaded(t, 0, `
with job="registry" instance="10.0.3.1:8404"
counter downloads_total{attempt="1"} rate=1570
counter downloads_total{attempt="2"} rate=1570
counter downloads_total{attempt="3"} rate=1570
`)
	r, status := once(t, "--prom="+numbered.URL, "--by=job", "--amplification-for=0",
		`--signal=ingress=sum by ($by) (rate(downloads_total{attempt="1"}[$window]))`, "--signal=downstream=sum by ($by) (rate(downloads_total[$window]))")
	near(t, "amplification by attempt", r.value("registry", "amplification"), 3)
	if st := r.rule(stormRule, "registry"); status != 1 || st.State != "firing" {
		t.Errorf("status %d, %+v", status, st)
	}
}

// TestSidesThatShareNoNameAreReported is case E5: frontends and backends of a
// HAProxy never have one name, so that a ratio by proxy is empty. That is
// neither 0 nor healthy, and the doctor says what is wrong.
func TestSidesThatShareNoNameAreReported(t *testing.T) {
	all := promtest.Toolchains(t)
	prom := plot(t, all[len(all)-1], readShape(t, "haproxy").series)
	args := []string{"--prom=" + prom.URL, "--by=proxy",
		"--signal=ingress=sum by ($by) (rate(haproxy_frontend_http_requests_total[$window]))",
		"--signal=downstream=sum by ($by) (rate(haproxy_backend_http_requests_total[$window]))"}
	r, status := once(t, args...)
	for _, row := range r.Targets {
		if got := row.Signals["amplification"]; got.State != "missing" {
			t.Errorf("%s: amplification %+v", row.Name, got)
		}
	}
	if len(r.Targets) != 6 || status != 4 || r.Judged.Rules != 0 {
		t.Errorf("%d targets, status %d, %d rules judged", len(r.Targets), status, r.Judged.Rules)
	}
	says(t, execute(t, append([]string{"doctor"}, args...)...).stdout, "share no target: healthz, http, https and stats on one side, proxy1 and proxy2 on the other")

	sums := func(ingress, downstream string) float64 {
		r, _ := once(t, "--prom="+prom.URL, "--by=job", "--signal=ingress=sum by ($by) (rate("+ingress+"[$window]))", "--signal=downstream=sum by ($by) (rate("+downstream+"[$window]))")
		return r.value("haproxy", "amplification")
	}
	for name, c := range map[string]struct{ got, want float64 }{
		"backends over https":                 {sums(`haproxy_frontend_http_requests_total{proxy="https"}`, "haproxy_backend_http_requests_total"), 0.9998},
		"with health checks and statistics":   {sums("haproxy_frontend_http_requests_total", "haproxy_backend_http_requests_total"), 0.978},
		"what the program finds by itself":    {edgeOf(t, prom), 0.9998},
		"connection attempts instead, proxy1": {sums(`haproxy_backend_http_requests_total{proxy="proxy1"}`, `haproxy_backend_connection_attempts_total{proxy="proxy1"}`), 0.63},
	} {
		if math.Abs(c.got-c.want) > 0.0005 && math.Abs(c.got-c.want) > 0.0051*c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

func edgeOf(t *testing.T, prom *server) float64 {
	r, _ := once(t, "--prom="+prom.URL)
	return r.value("edge", "amplification")
}

// gauges is what a Spring application with an older resilience4j exports: counts
// that are called gauges, without _total, all 0 at the start, a comma behind the
// last label, and a bulkhead with a queue.
const gauges = `# HELP resilience4j_retry_calls The number of calls
# TYPE resilience4j_retry_calls gauge
resilience4j_retry_calls{kind="successful_without_retry",name="backendA",} 0.0
resilience4j_retry_calls{kind="successful_with_retry",name="backendA",} 0.0
resilience4j_retry_calls{kind="failed_with_retry",name="backendA",} 0.0
resilience4j_retry_calls{kind="failed_without_retry",name="backendA",} 0.0
# TYPE resilience4j_bulkhead_queue_depth gauge
resilience4j_bulkhead_queue_depth{name="backendA",} 10.0
# TYPE resilience4j_bulkhead_queue_capacity gauge
resilience4j_bulkhead_queue_capacity{name="backendA",} 50.0
`

// TestCountsThatAreCalledGauges is case E7, scraped by a real Prometheus and by
// the program itself: the trailing comma is read, nothing that happens is idle
// and not 0, and that a rate is taken of a gauge is said.
func TestCountsThatAreCalledGauges(t *testing.T) {
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		io.WriteString(w, gauges)
	}))
	t.Cleanup(app.Close)
	all := promtest.Servers(t)
	prom := serve(t, all[len(all)-1], strings.TrimPrefix(app.URL, "http://"))
	prom.until(`min(count_over_time(resilience4j_retry_calls[1m])) >= bool 4`)
	for from, words := range map[string]string{
		"--prom=" + prom.URL:               "sees calls that retried, not how often",
		"--scrape=" + app.URL + "/metrics": "resilience4j_retry_calls is declared a gauge; its rate is right only if it counts",
	} {
		r, _ := once(t, from, "--interval=500ms")
		for signal, want := range map[string]string{"amplification": "idle", "rescued_share": "idle", "queue_depth": "ok"} {
			if len(r.Targets) != 1 || r.Targets[0].Signals[signal].State != want {
				t.Errorf("%s: %s is not %s: %+v", from, signal, want, r.Targets)
			}
		}
		near(t, "queue depth by "+from, r.value("backendA", "queue_depth"), 10)
		says(t, execute(t, "--once", from, "--interval=500ms").stdout, words)
	}
	says(t, execute(t, "doctor", "--prom="+prom.URL).stdout, "the rate of resilience4j_retry_calls, which the server knows as a gauge")
}

package main

import (
	"regexp"
	"strings"
	"testing"
)

// nothingFound looks at a server that has nothing of ours, and then names
// signals from what it has.
func nothingFound(t *testing.T, prom *server) {
	prom.until("min(count_over_time(prometheus_http_requests_total{handler=\"/metrics\"}[1m])) >= bool 3")
	words := []string{"nothing found", "stormtop doctor says what is there", "--signal ingress=PROMQL", "--signal downstream=PROMQL"}
	o := execute(t, "--once", "--prom="+prom.URL)
	screen := onConsole(t, 120, 40, false, nil, "--prom="+prom.URL)
	shown := wordsOf(screen.waitFor("nothing found"))
	for _, want := range words {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("--once does not say %q:\n%s", want, o.stdout)
		}
		if !strings.Contains(shown, want) {
			t.Errorf("the screen does not say %q:\n%s", want, screen.text())
		}
	}
	if r, status := once(t, "--prom="+prom.URL); o.status != 3 || status != 3 || len(r.Failures) != 1 || r.Failures[0].Kind != "nothing_found" {
		t.Errorf("status %d and %d, failures %+v", o.status, status, r.Failures)
	}

	own := []string{
		"--prom=" + prom.URL, "--interval=1s", "--min-traffic=0.1", "--amplification-for=0", "--by=handler",
		"--signal=ingress=sum by ($by) (rate(prometheus_http_requests_total{handler=\"/metrics\"}[$window]))",
		"--signal=downstream=sum by ($by) (2.5 * rate(prometheus_http_requests_total{handler=\"/metrics\"}[$window]))",
	}
	r, status := once(t, own...)
	if st := r.rule(stormRule, "/metrics"); status != 1 || st.State != "firing" {
		t.Errorf("with signals of our own: status %d, %+v %+v", status, r.Rules, r.Failures)
	}
	between(t, "requests for /metrics, scraped as the machine finds time", r.value("/metrics", "ingress"), 0.8, 1.2)
	near(t, "amplification of our own", r.value("/metrics", "amplification"), 2.5)
	onConsole(t, 120, 40, false, nil, own...).waitFor("/metrics 2.50x > 1.5")
}

// wordsOf is what a screen says, without line breaks and blanks between the words.
func wordsOf(screen string) string { return strings.Join(strings.Fields(screen), " ") }

// oneQueryFails names a query that the server cannot execute beside good ones.
func oneQueryFails(t *testing.T, prom *server) {
	args := []string{
		"--prom=" + prom.URL, "--interval=1s", "--profile=stormtop",
		"--signal=pool_wait=stormtop_requests_total * on () stormtop_attempts_total",
	}
	r, status := once(t, args...)
	if status > 1 || len(r.Failures) != 1 || r.Failures[0].Signal == nil || *r.Failures[0].Signal != "pool_wait" || r.Failures[0].Kind != "rejected" {
		t.Errorf("status %d, failures %+v", status, r.Failures)
	}
	for _, row := range r.Targets {
		for signal, state := range map[string]string{"pool_wait": "failed", "ingress": "ok", "downstream": "ok", "queue_depth": "ok"} {
			if got := row.Signals[signal]; got.State != state || (got.Value == nil) != (state == "failed") {
				t.Errorf("%s of %s: %+v, want %s", signal, row.Name, got, state)
			}
		}
	}
	if len(r.Targets) != 4 {
		t.Errorf("%d targets", len(r.Targets))
	}
	text := wordsOf(execute(t, append([]string{"--once"}, args...)...).stdout)
	for _, want := range []string{"pool wait × the query failed:", "failed pool wait: query rejected:"} {
		if !strings.Contains(text, want) {
			t.Errorf("--once does not say %q:\n%s", want, text)
		}
	}
	if !regexp.MustCompile(`ingress (1[89]|2[01])\d/s`).MatchString(text) {
		t.Errorf("--once does not tell the good numbers:\n%s", text)
	}
	screen := onConsole(t, 120, 40, false, nil, args...)
	screen.wait("failed and good numbers", func(s string) bool {
		s = wordsOf(s)
		return strings.Contains(s, "POOL WAIT ×") && strings.Contains(s, "! pool wait: query rejected:") && strings.Contains(s, "INGRESS 200/s")
	})
}

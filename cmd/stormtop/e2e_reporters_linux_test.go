package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stormtop/collector/promtest"
)

// exporterOf publishes one counter of the service pay that grows at a rate.
func exporterOf(t *testing.T, counter string, perSecond float64) *httptest.Server {
	t.Helper()
	start := time.Now()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%s %.3f\n", counter, perSecond*time.Since(start).Seconds())
	}))
	t.Cleanup(s.Close)
	return s
}

// TestHalfOfTheReportersGoneIsHeldAndNotResolved: four proxies count the
// requests, four the attempts, in a storm of 2.5x. Two of those that count
// attempts die: what is left reads 1.25x, and is no end of the storm.
func TestHalfOfTheReportersGoneIsHeldAndNotResolved(t *testing.T) {
	binaries := promtest.Servers(t)
	var targets []string
	var dying []*httptest.Server
	for i := range 4 {
		targets = append(targets, address(exporterOf(t, `stormtop_requests_total{service="pay"}`, 25)))
		counts := exporterOf(t, `stormtop_attempts_total{service="pay",attempt="1"}`, 62.5)
		if targets = append(targets, address(counts)); i >= 2 {
			dying = append(dying, counts)
		}
	}
	s := serve(t, binaries[len(binaries)-1], targets...)
	s.until(`count(stormtop_attempts_total) == bool 4 and sum(rate(stormtop_attempts_total[4s])) >= bool 245`)

	f := followPlain(t, "--prom="+s.URL, "--interval=1s", "--amplification-for=2s")
	_, from := f.wait(0, "the storm firing", func(r record) bool {
		return r.isReading() && r.rule(stormRule, "pay").State == "firing" && !r.rule(stormRule, "pay").Held
	})
	for _, e := range dying {
		e.CloseClientConnections()
		e.Close()
	}
	held, from := f.wait(from, "the verdict held", func(r record) bool {
		return r.isReading() && r.rule(stormRule, "pay").Held
	})
	if st := held.rule(stormRule, "pay"); st.State != "firing" || !strings.Contains(st.Reason, "partial") {
		t.Errorf("held: %+v", st)
	}
	// Long after the last sample of the dead ones has left the rates.
	last, _ := f.wait(from, "15 s of it", func(r record) bool { return r.isReading() && r.At.Sub(held.At) >= 15*time.Second })
	if st := last.rule(stormRule, "pay"); st.State != "firing" || !st.Held {
		t.Errorf("after 15 s: %+v", st)
	}
	if v := last.value("pay", "amplification"); v > 1.4 {
		t.Errorf("%.2fx: the dead ones still count, so nothing was shown", v)
	}
	for _, r := range f.seen() {
		if r.Rule == stormRule && r.Kind == "inactive" {
			t.Errorf("resolved at %v: %s", r.At, r.Text)
		}
	}
}

// address is where a server listens.
func address(s *httptest.Server) string { return strings.TrimPrefix(s.URL, "http://") }

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"stormtop/collector/promtest"
)

// TestHAProxyIsFoundByItselfAndCountedRight puts a real HAProxy under load and
// compares what is shown of it with what its clients and servers counted.
func TestHAProxyIsFoundByItselfAndCountedRight(t *testing.T) {
	binaries := promtest.Servers(t)
	t.Parallel()
	metrics, ledger := startHAProxy(t)
	behindEach(t, binaries, []string{metrics}, func(t *testing.T, prom *server) {
		prom.until(`min(count_over_time(haproxy_backend_http_requests_total{proxy="reports"}[1m])) >= bool 8`)
		p := ledger.plateau(t, prom)
		for _, r := range p.readings {
			if r.Profile != "haproxy" {
				t.Fatalf("profile %q", r.Profile)
			}
			if v := r.value("tunnel", "amplification"); v == v || r.rule(stormRule, "tunnel").State != "" {
				t.Fatalf("a backend that forwards bytes has no requests to compare its connections with, and yet %v", v)
			}
		}
		theRetriesOfHAProxy(t, p)
		theQueueOfHAProxy(t, p)
		theEdgeOfHAProxy(t, p)
	})
}

// connects is how often HAProxy tries to reach a server that is not there: once,
// and as often again as "retries" says.
const connects = 4

// theRetriesOfHAProxy are after refusals, with another server to go to, and
// after connections that fail.
func theRetriesOfHAProxy(t *testing.T, p plateau) {
	t.Helper()
	p.expect(t, "payments", "ingress", p.perSecond(t, "payments_requests"), 0.02)
	p.expect(t, "payments", "downstream", p.perSecond(t, "payments_attempts"), 0.02)
	p.expect(t, "payments", "amplification", p.ratio(t, "payments_attempts", "payments_requests"), 0.02)
	p.expect(t, "payments", "delivered", p.ratio(t, "payments_successes", "payments_requests"), 0.02)
	p.expect(t, "payments", "at_limit", p.perSecond(t, "payments_requests")-p.perSecond(t, "payments_successes"), 0.05)

	p.expect(t, "gone", "ingress", p.perSecond(t, "gone_requests"), 0.02)
	p.expect(t, "gone", "amplification", connects, 0.02)
	p.expect(t, "gone", "at_limit", p.perSecond(t, "gone_requests"), 0.05)

	p.expect(t, "reports", "amplification", 1, 0.02)
	p.expect(t, "reports", "at_limit", 0, 0.02)
}

// theQueueOfHAProxy is in front of the one server that may serve only a few
// requests at once. Clients and servers see the whole way through the proxy, of
// which the way that has no queue is a part. The mean wait is that of the last
// 1,024 requests, so that it follows late.
func theQueueOfHAProxy(t *testing.T, p plateau) {
	t.Helper()
	way := p.counted(t, "way_waited_seconds") / p.counted(t, "way_waits")
	whole := p.counted(t, "queue_waited_seconds") / p.counted(t, "queue_waits")
	p.expect(t, "reports", "pool_wait", whole-way, 0.1)
	p.expect(t, "reports", "queue_depth", p.perSecond(t, "queue_stood_seconds")-way*p.perSecond(t, "queue_waits"), 0.05)
	p.expect(t, "payments", "queue_depth", 0, 0.1)
}

// theEdgeOfHAProxy is what users asked for, without what the proxy answers
// itself: health checks at two entries, and its own metrics.
func theEdgeOfHAProxy(t *testing.T, p plateau) {
	t.Helper()
	users := []string{"payments_requests", "reports_requests", "passing_requests", "gone_requests"}
	attempts := p.counted(t, "payments_attempts", "reports_attempts", "passing_requests") + connects*p.counted(t, "gone_requests")
	p.expect(t, allTogether, "ingress", p.perSecond(t, users...), 0.02)
	p.expect(t, allTogether, "amplification", attempts/p.counted(t, users...), 0.02)
}

// startHAProxy starts the proxy between clients and servers that count, and
// returns the address of its metrics.
func startHAProxy(t *testing.T) (metrics string, counts *ledger) {
	t.Helper()
	binary := os.Getenv("STORMTOP_TEST_HAPROXY")
	if binary == "" {
		found, err := exec.LookPath("haproxy")
		if err != nil {
			promtest.Leave(t, "there is no haproxy on PATH and STORMTOP_TEST_HAPROXY names none: the comparison with a real one was left out")
		}
		binary = found
	}
	at := map[string]string{}
	for _, name := range []string{"EDGE", "HEALTH", "TUNNEL", "METRICS", "GONE1", "GONE2"} {
		at[name] = promtest.FreeAddress(t)
	}
	around := startPeer(t, "httppeer", "--edge="+at["EDGE"], "--health="+at["HEALTH"], "--tunnel="+at["TUNNEL"])
	at["PAYMENTS1"], at["PAYMENTS2"], at["REPORTS"] = around.at["payments1"], around.at["payments2"], around.at["reports"]

	cmd := exec.Command(binary, "-db", "-f", filepath.Join("testdata", "peers", "haproxy.cfg"))
	for name, address := range at {
		cmd.Env = append(cmd.Env, name+"="+address)
	}
	said := keepErrors(t, cmd, binary)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
	})
	around.ledger.until(t, "answers through the proxy", func(e entry) bool {
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", binary, said())
		default:
		}
		return e.counts["reports_requests"] > 0
	})
	return at["METRICS"], around.ledger
}

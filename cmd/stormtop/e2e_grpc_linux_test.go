package main

import (
	"strings"
	"testing"

	"stormtop/collector/promtest"
)

// TestGRPCIsFoundByItselfAndCountedRight lets a real gRPC client retry by its
// service configuration and compares what is shown of its OpenTelemetry metrics
// with what the client counted of calls and the server of attempts. OpenTelemetry
// names arrive as its exporter spells them and as the Prometheus can read them.
func TestGRPCIsFoundByItselfAndCountedRight(t *testing.T) {
	binaries := promtest.Servers(t)
	t.Parallel()
	for _, spelling := range []string{"default", "plain"} {
		t.Run(spelling, func(t *testing.T) {
			t.Parallel()
			both := startPeer(t, "grpcpeer", "--fail=0.6", "--names="+spelling)
			behindEach(t, binaries, []string{both.at["client"], both.at["server"]}, func(t *testing.T, prom *server) {
				prom.until(`min(count_over_time({__name__=~"grpc.client.call.duration(_seconds)?_count"}[1m])) >= bool 8`)
				theCallsOfGRPC(t, both.ledger.plateau(t, prom))
			})
		})
	}
}

func theCallsOfGRPC(t *testing.T, p plateau) {
	t.Helper()
	first := p.readings[0]
	if !strings.HasPrefix(first.Profile, "grpc_otel") || len(first.Targets) != 1 {
		t.Fatalf("profile %q, %d targets", first.Profile, len(first.Targets))
	}
	for _, target := range []string{first.Targets[0].Name, allTogether} {
		p.expect(t, target, "ingress", p.perSecond(t, "calls"), 0.02)
		p.expect(t, target, "downstream", p.perSecond(t, "attempts"), 0.02)
		p.expect(t, target, "amplification", p.ratio(t, "attempts", "calls"), 0.02)
		p.expect(t, target, "retry_rate", p.ratio(t, "retries", "attempts"), 0.02)
		if first.Profile == "grpc_otel" {
			p.expect(t, target, "delivered", p.ratio(t, "successes", "calls"), 0.02)
		}
	}
}

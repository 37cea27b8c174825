package doctor

import (
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

func TestEveryHintIsOfAProfileThatExists(t *testing.T) {
	names := map[string]bool{}
	for _, p := range profile.Builtin() {
		names[p.Name] = true
	}
	for _, h := range hints {
		if !names[h.profile] {
			t.Errorf("there is no profile %s any more, but a hint for it: %s", h.profile, h.text)
		}
		if !strings.HasSuffix(h.text, ".") || h.text[0] < 'A' || h.text[0] > 'Z' {
			t.Errorf("no sentence: %q", h.text)
		}
	}
}

func TestTheMostFittingHintIsGiven(t *testing.T) {
	for _, tt := range []struct {
		profile string
		signal  collector.Signal
		want    string
	}{
		{"istio_envoy", collector.Retries, "proxyStatsMatcher"},
		{"istio_telemetry", collector.Retries, "proxyStatsMatcher"},
		{"istio_telemetry", collector.Downstream, "sidecar"},
		{"traefik", collector.Ingress, "addRoutersLabels=true"},
		{"traefik", collector.Downstream, "addServicesLabels=true"},
		{"grpc_otel", collector.Retries, "opt-in retry metrics"},
		{"grpc_otel", collector.Ingress, "grpc.client.call.duration"},
		{"stormtop", collector.PoolWait, "the simulation has no pool"},
		{"nobody", collector.Retries, "Enable x_total where it is exported, or name another query: --signal retries=PROMQL."},
		{"nobody", collector.NoSignal, "Enable x_total where it is exported, and see that it is scraped."},
	} {
		if got := enable(tt.profile, tt.signal, "x_total"); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %q, want %q", tt.profile, tt.signal, got, tt.want)
		}
	}
}

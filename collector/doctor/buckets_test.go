package doctor

import (
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

// TestALimitThatBucketsCannotShowIsSaidToBeSo is case E10: the buckets of gRPC's
// retries do not tell 3 attempts from 4, so that nothing is claimed of a limit.
func TestALimitThatBucketsCannotShowIsSaidToBeSo(t *testing.T) {
	grpc, err := profile.Find("grpc_otel")
	if err != nil {
		t.Fatal(err)
	}
	if q, ok := grpc.Signals[collector.AtLimit]; ok {
		t.Errorf("at limit is read from %s", q)
	}
	for sig, q := range grpc.Signals {
		if strings.Contains(q, "started") || strings.Contains(q, "retries_bucket") {
			t.Errorf("%s counts what has not ended, or buckets: %s", sig, q)
		}
	}
	w := healthy()
	w.detected.Found[0].Profile = grpc
	w.examined["grpc_otel"] = prom.Examined{
		Queries: map[collector.Signal]string{collector.Ingress: ingressQuery, collector.Downstream: downstreamQuery}, Rate: w.examined["shop"].Rate,
	}
	expect(t, run(t, w, Config{}), said{Note, "at_limit", "cannot tell 3 attempts from 4, so that a limit of 3 cannot be judged", ""})
}

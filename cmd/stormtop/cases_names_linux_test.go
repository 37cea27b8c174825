package main

import (
	"testing"

	"stormtop/collector/promtest"
)

// TestNamesWithBarsBreakNothing is case E3: bars in a name are no column of a
// table, no "or" of a selector and no syntax of a flag.
func TestNamesWithBarsBreakNothing(t *testing.T) {
	const reviews = "outbound|9080||reviews.default.svc.cluster.local"
	all := promtest.Toolchains(t)
	prom := plot(t, all[len(all)-1], readShape(t, "istio_envoy").series)
	args := []string{"--prom=" + prom.URL, "--baseline-of=" + reviews + "=1.6", `--select=cluster_name="` + reviews + `"`}
	r, _ := once(t, args...)
	if len(r.Targets) != 1 {
		t.Errorf("%d targets are selected", len(r.Targets))
	}
	near(t, "amplification above its own baseline", r.value(reviews, "amplification"), 1)
	says(t, execute(t, append([]string{"--once"}, args...)...).stdout,
		"outbound|9080||revie…t.svc.cluster.local ~80.0/s ~128/s ~1.00x")
	onConsole(t, 160, 40, false, nil, args...).waitFor("● outbound|9080||revie…t.svc.cluster.local ")
}

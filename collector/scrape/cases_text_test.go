package scrape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSeriesOfAFamilyMayStandFarFromItsType is case E3, and E7 for the trailing
// comma: TYPE comes once, series of other clusters hundreds of lines later, some
// with empty braces, some with bars in their names.
func TestSeriesOfAFamilyMayStandFarFromItsType(t *testing.T) {
	var b strings.Builder
	b.WriteString("# TYPE envoy_cluster_upstream_rq_total counter\n" +
		"envoy_cluster_upstream_rq_total{cluster_name=\"outbound|9080||reviews.default.svc.cluster.local\"} 7\n")
	for i := range 400 {
		fmt.Fprintf(&b, "# TYPE envoy_other_%d gauge\nenvoy_other_%d{} %d\n", i, i, i)
	}
	b.WriteString("envoy_cluster_upstream_rq_total{cluster_name=\"outbound|443|v2|pay.prod.svc.cluster.local\",response_code_class=\"5xx\",} 9\n" +
		"envoy_cluster_upstream_rq_total{} 11\n")
	var got []string
	for _, line := range stored(t, []byte(b.String()), textType) {
		if strings.Contains(line, "upstream_rq") || strings.Contains(line, `"envoy_other_399"`) {
			got = append(got, line)
		}
	}
	want := []string{
		`{__name__="envoy_cluster_upstream_rq_total", cluster_name="outbound|443|v2|pay.prod.svc.cluster.local", instance="h:1", job="scrape", response_code_class="5xx"} 9`,
		`{__name__="envoy_cluster_upstream_rq_total", cluster_name="outbound|9080||reviews.default.svc.cluster.local", instance="h:1", job="scrape"} 7`,
		`{__name__="envoy_cluster_upstream_rq_total", instance="h:1", job="scrape"} 11`,
		`{__name__="envoy_other_399", instance="h:1", job="scrape"} 399`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

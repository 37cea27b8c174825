package profile_test

import (
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// template is the query of a signal, or of the edge pair.
func template(t *testing.T, p profile.Profile, where string) string {
	t.Helper()
	if where == "detect" {
		return p.Detect
	}
	text, ok := templates(p)[where]
	if !ok {
		t.Fatalf("%s has no %s", p.Name, where)
	}
	return text
}

// selects reports whether a query reads a series, which is written like
// name{a="b"}.
func selects(t *testing.T, query, series string) bool {
	t.Helper()
	want, err := parser.NewParser(parser.Options{}).ParseMetric(series)
	if err != nil {
		t.Fatalf("%s: %v", series, err)
	}
	for _, vs := range selectors(parsed(t, filled(query, "l"))) {
		if labels.Selector(vs.LabelMatchers).Matches(want) {
			return true
		}
	}
	return false
}

// TestTemplatesReadTheRightSeries has the spellings that are met in the field
// and the series that must not be counted.
func TestTemplatesReadTheRightSeries(t *testing.T) {
	const outbound = `cluster_name="outbound|9080||reviews.default.svc.cluster.local"`
	for _, test := range []struct {
		profile, where string
		reads, not     []string
	}{
		{"envoy", "detect", []string{`envoy_cluster_upstream_rq_total{envoy_cluster_name="a"}`},
			[]string{`envoy_cluster_upstream_rq_total{` + outbound + `}`, `envoy_cluster_upstream_rq_total`}},
		{"envoy", "successes", []string{`envoy_cluster_upstream_rq_xx{envoy_cluster_name="a",envoy_response_code_class="2"}`, `envoy_cluster_upstream_rq_xx{envoy_cluster_name="a",envoy_response_code_class="3xx"}`},
			[]string{`envoy_cluster_upstream_rq_xx{envoy_cluster_name="a",envoy_response_code_class="5"}`, `envoy_cluster_upstream_rq{envoy_cluster_name="a",envoy_response_code="200"}`}},
		{"istio_envoy", "detect", []string{`envoy_cluster_upstream_rq_total{` + outbound + `}`},
			[]string{`envoy_cluster_upstream_rq_total{cluster_name="xds-grpc"}`, `envoy_cluster_upstream_rq_total{cluster_name="inbound|9080||"}`, `envoy_cluster_upstream_rq_total{cluster_name="outboundX9080"}`}},
		{"istio_envoy", "successes", []string{`envoy_cluster_upstream_rq{` + outbound + `,response_code_class="2xx"}`, `envoy_cluster_upstream_rq_xx{` + outbound + `,response_code_class="2"}`},
			[]string{`envoy_cluster_upstream_rq{` + outbound + `,response_code="200"}`, `envoy_cluster_upstream_rq{` + outbound + `,response_code_class="5xx"}`}},
		{"kuma", "ingress", []string{`envoy_cluster_upstream_rq_completed{mesh="m",envoy_cluster_name="backend"}`},
			[]string{`envoy_cluster_upstream_rq_completed{mesh="m",envoy_cluster_name="localhost:8080"}`, `envoy_cluster_upstream_rq_completed{envoy_cluster_name="backend"}`}},
		{"consul", "ingress", []string{`envoy_cluster_upstream_rq_completed{consul_destination_service="a"}`},
			[]string{`envoy_cluster_upstream_rq_completed{envoy_cluster_name="local_app"}`}},
		{"istio_telemetry", "ingress", []string{`istio_requests_total{reporter="source"}`},
			[]string{`istio_requests_total{reporter="destination"}`, `istio_requests_total{reporter="waypoint"}`}},
		{"istio_telemetry", "downstream", []string{`istio_requests_total{reporter="destination",source_workload="a"}`},
			[]string{`istio_requests_total{reporter="destination",source_workload="unknown"}`, `istio_requests_total{reporter="source",source_workload="a"}`}},
		{"istio_telemetry", "at_limit", []string{`istio_requests_total{reporter="source",response_flags="UF,URX"}`}, []string{`istio_requests_total{reporter="source",response_flags="UO"}`}},
		{"istio_telemetry", "overflow", []string{`istio_requests_total{reporter="source",response_flags="UO"}`}, []string{`istio_requests_total{reporter="source",response_flags="URX"}`}},
		{"istio_telemetry", "edge ingress", []string{`istio_requests_total{reporter="source",source_workload="istio-ingressgateway"}`, `istio_requests_total{reporter="source",source_workload="shop-istio"}`},
			[]string{`istio_requests_total{reporter="source",source_workload="istio-egressgateway"}`, `istio_requests_total{reporter="source",source_workload="checkout"}`, `istio_requests_total{reporter="destination",source_workload="istio-ingressgateway"}`}},
		{"linkerd_serviceprofile", "overflow", []string{`route_retryable_total{direction="outbound",skipped="no_budget"}`}, []string{`route_retryable_total{direction="outbound"}`}},
		{"linkerd_serviceprofile", "ingress", []string{`route_response_total{direction="outbound"}`}, []string{`route_response_total{direction="inbound"}`}},
		{"haproxy", "edge ingress", []string{`haproxy_frontend_http_requests_total{proxy="http"}`, `haproxy_frontend_http_requests_total{proxy="https"}`, `haproxy_frontend_http_requests_total{proxy="administrators"}`},
			[]string{`haproxy_frontend_http_requests_total{proxy="healthz"}`, `haproxy_frontend_http_requests_total{proxy="stats"}`, `haproxy_frontend_http_requests_total{proxy="in-STATS"}`,
				`haproxy_frontend_http_requests_total{proxy="metrics.internal"}`, `haproxy_frontend_http_requests_total{proxy="admin_in"}`}},
		{"haproxy", "edge downstream", []string{`haproxy_backend_connection_attempts_total{proxy="proxy1"}`}, []string{`haproxy_backend_connection_attempts_total{proxy="stats"}`}},
		{"haproxy", "queue_depth", []string{`haproxy_backend_current_queue{proxy="a"}`, `haproxy_server_current_queue{proxy="a",server="s"}`}, []string{`haproxy_backend_max_queue{proxy="a"}`}},
		{"haproxy", "retries", nil, []string{`haproxy_backend_retry_warnings_total{proxy="a"}`, `haproxy_backend_redispatch_warnings_total{proxy="a"}`}},
		{"traefik", "retries", nil, []string{`traefik_service_retries_total{service="a"}`}},
		{"grpc_otel", "downstream", []string{`grpc_client_attempt_duration_seconds_count`, `grpc_client_attempt_duration_count`},
			[]string{`grpc_client_attempt_started_total`, `grpc_client_attempt_duration_seconds_bucket`}},
		{"grpc_otel_utf8", "downstream", []string{`{"grpc.client.attempt.duration_count"}`, `{"grpc.client.attempt.duration_seconds_count"}`}, []string{`grpc_client_attempt_duration_count`}},
		{"resilience4j", "detect", []string{`resilience4j_retry_calls_total{kind="failed_with_retry"}`, `resilience4j_retry_calls{kind="failed_with_retry"}`}, []string{`resilience4j_retry_calls_total`}},
		{"resilience4j", "ingress", []string{`resilience4j_retry_calls{kind="successful_without_retry"}`, `resilience4j_retry_calls_total{kind="failed_with_retry"}`}, []string{`resilience4j_circuitbreaker_calls_seconds_count`}},
		{"resilience4j", "successes", []string{`resilience4j_retry_calls{kind="successful_without_retry"}`, `resilience4j_retry_calls{kind="successful_with_retry"}`}, []string{`resilience4j_retry_calls{kind="failed_with_retry"}`}},
		{"resilience4j", "at_limit", []string{`resilience4j_retry_calls{kind="failed_with_retry"}`}, []string{`resilience4j_retry_calls{kind="failed_without_retry"}`}},
		{"spring", "ingress", []string{`http_server_requests_seconds_count{uri="/a",outcome="SUCCESS"}`}, []string{`http_server_requests_seconds_count{uri="/actuator/prometheus",outcome="SUCCESS"}`, `http_server_requests_seconds_count`}},
		{"spring", "downstream", []string{`http_client_requests_seconds_count{outcome="SUCCESS"}`}, []string{`http_client_requests_seconds_count{outcome="SUCCESS",spring_cloud_gateway_route_id="a"}`}},
		{"polly", "rescued", []string{`resilience_polly_strategy_attempt_duration_milliseconds_count{attempt_number="1",attempt_handled="False"}`},
			[]string{`resilience_polly_strategy_attempt_duration_milliseconds_count{attempt_number="0",attempt_handled="false"}`, `resilience_polly_strategy_attempt_duration_milliseconds_count{attempt_number="1",attempt_handled="true"}`}},
	} {
		p, err := profile.Find(test.profile)
		if err != nil {
			t.Fatal(err)
		}
		query := template(t, p, test.where)
		for _, series := range test.reads {
			if !selects(t, query, series) {
				t.Errorf("%s, %s does not read %s", test.profile, test.where, series)
			}
		}
		for _, series := range test.not {
			if selects(t, query, series) {
				t.Errorf("%s, %s reads %s", test.profile, test.where, series)
			}
		}
	}
}

func TestEnvoysAttemptsComeFromNoResponseCode(t *testing.T) {
	for _, name := range []string{"envoy", "istio_envoy", "kuma", "consul"} {
		p, err := profile.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Sum || p.Signals[collector.Arrived] == "" {
			t.Errorf("%s does not have both of Envoy's ratios", name)
		}
		for _, s := range []collector.Signal{collector.Ingress, collector.Retries, collector.Arrived} {
			if strings.Contains(p.Signals[s], "code") || strings.Contains(p.Signals[s], "rq_xx") {
				t.Errorf("%s, %s is taken from response codes, where retried failures are hidden: %s", name, s, p.Signals[s])
			}
		}
		limit, overflow := p.Signals[collector.AtLimit], p.Signals[collector.Overflow]
		if !strings.Contains(limit, "retry_limit_exceeded") || !strings.Contains(overflow, "retry_overflow") {
			t.Errorf("%s does not keep the attempt limit and the budget apart", name)
		}
	}
}

package doctor

import (
	"fmt"
	"slices"

	"stormtop/collector"
)

// hint is what to switch on in one system so that it exports some signals.
type hint struct {
	profile string
	signals []collector.Signal // nil: all that have no hint of their own
	text    string
}

var (
	retrySignals = []collector.Signal{collector.Retries, collector.Rescued, collector.AtLimit, collector.Overflow}
	poolSignals  = []collector.Signal{collector.PoolWait, collector.QueueDepth}
)

var hints = []hint{
	{"envoy", nil, "Scrape /stats/prometheus without ?usedonly, and let stats_config's matcher include cluster.*.upstream_rq_*."},
	{"istio_envoy", nil, "Add upstream_rq_* of the outbound clusters to proxyStatsMatcher (inclusionRegexps) in the proxy's defaultConfig, and restart the proxies."},
	{"istio_telemetry", retrySignals, "For Istio's own retry counters add upstream_rq_retry.* to proxyStatsMatcher (inclusionRegexps) and restart the proxies."},
	{"istio_telemetry", nil, "Give both the caller and the called a sidecar, and leave REQUEST_COUNT enabled in the Telemetry resource."},
	{"linkerd_http_route", retrySignals, "Set a retry policy on the route: Linkerd counts retries only where a request carries one."},
	{"linkerd_http_route", nil, "Scrape the proxies' admin port (4191), and attach an HTTPRoute to the called service."},
	{"linkerd_serviceprofile", nil, "Create a ServiceProfile with routes for the called service; isRetryable turns retries on."},
	{"haproxy", nil, "Scrape the built-in exporter with every scope: leave scope= out of the URL, or add scope=frontend, backend and server."},
	{"traefik", []collector.Signal{collector.Ingress}, "Set metrics.prometheus.addRoutersLabels=true in Traefik's static configuration."},
	{"traefik", nil, "Set metrics.prometheus.addServicesLabels=true in Traefik's static configuration."},
	{"grpc_otel", retrySignals, "Enable the opt-in retry metrics (grpc.client.call.retries) in the client's OpenTelemetry options."},
	{"grpc_otel", nil, "Enable grpc.client.call.duration and grpc.client.attempt.duration in the client's OpenTelemetry options."},
	{"resilience4j", []collector.Signal{collector.Downstream}, "Put a CircuitBreaker of the same name inside the Retry and bind its metrics: retries count calls, not attempts."},
	{"resilience4j", poolSignals, "Bind the metrics of the bulkheads and rate limiters to the meter registry."},
	{"resilience4j", nil, "Bind the retry metrics to the meter registry (TaggedRetryMetrics), or add resilience4j-micrometer."},
	{"spring", poolSignals, "Set server.tomcat.mbeanregistry.enabled=true for the thread pool, and use a HikariCP data source for its waits."},
	{"spring", nil, "Expose the prometheus endpoint, and build the client from Spring's own RestClient or WebClient builder so that it is timed."},
	{"polly", nil, "Turn on telemetry in the pipelines (ConfigureTelemetry) and export the meter Polly."},
	{"go_sql", nil, "Register collectors.NewDBStatsCollector(db, NAME) of client_golang for the pool."},
	{"stormtop", poolSignals, "Nothing is to be done: the simulation has no pool, so that nobody waits for one."},
	{"stormtop", nil, "Start the simulation with --listen=HOST:PORT and let the server scrape it."},
}

// known is the hint for a signal of a system, or "". NoSignal stands for what
// makes the system appear at all.
func known(profile string, s collector.Signal) string {
	for _, h := range hints {
		if h.profile == profile && slices.Contains(h.signals, s) {
			return h.text
		}
	}
	return ""
}

// enable is what to do where a metric that a system can export is not there.
func enable(profile string, s collector.Signal, metric string) string {
	if text := known(profile, s); text != "" {
		return text
	}
	for _, h := range hints {
		if h.profile == profile && h.signals == nil {
			return h.text
		}
	}
	if s == collector.NoSignal {
		return fmt.Sprintf("Enable %s where it is exported, and see that it is scraped.", metric)
	}
	return fmt.Sprintf("Enable %s where it is exported, or name another query: --signal %s=PROMQL.", metric, s)
}

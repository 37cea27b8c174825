package profile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"stormtop/collector"
)

// expected is every built-in profile: its status, what its ratio is of, and how
// far to trust it.
const expected = `
armeria                  unproven HOP exact
apisix                   unproven HOP heuristic
aws_sdk_go_dotnet        unproven HOP exact
aws_sdk_smithy           unproven HOP exact
caddy                    unproven HOP heuristic
celery                   unproven HOP approx
celery_queues            unproven HOP approx
consul                   unproven HOP approx
cortex_query_frontend    unproven HOP exact
dapr                     unproven HOP exact
envoy                    proven   HOP approx
go_sql                   proven   HOP approx
go_sqlstats              unproven HOP approx
goredis_native_otel      unproven HOP lower_bound
grpc_otel                proven   HOP exact
grpc_otel_utf8           proven   HOP exact
grpc_prometheus          unproven HOP approx
haproxy                  proven   HOP approx
hikaricp                 unproven HOP approx
hikaricp_native          unproven HOP approx
hystrix                  unproven HOP approx
ingress_nginx            unproven HOP heuristic
istio_envoy              proven   HOP approx
istio_telemetry          proven   HOP approx
kong                     unproven HOP heuristic
kubernetes_client_go     unproven HOP lower_bound
kuma                     unproven HOP approx
linkerd_balancer         unproven HOP approx
linkerd_grpc_route       unproven HOP exact
linkerd_http_route       proven   HOP exact
linkerd_serviceprofile   proven   HOP exact
nginx_plus               unproven HOP approx
nginx_vts                unproven HOP approx
otel_db_pool             unproven HOP approx
otel_http                unproven HOP heuristic
pgbouncer                unproven HOP approx
pgxpool                  unproven HOP approx
php_fpm                  unproven HOP approx
polly                    proven   HOP exact
puma                     unproven HOP approx
rabbitmq                 unproven HOP approx
reactor_netty            unproven HOP approx
resilience4j             proven   HOP lower_bound
sidekiq                  unproven HOP approx
smallrye_fault_tolerance unproven HOP exact
spring                   proven   HOP heuristic
spring_cloud_gateway     unproven HOP approx
spring_retry             unproven HOP lower_bound
stormtop                 proven   HOP exact
temporal_go              unproven HOP exact
temporal_task_queues     unproven HOP approx
traefik                  proven   HOP approx
`

func TestTheCatalogueIsComplete(t *testing.T) {
	list, err := readAll(builtin(), Names())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list {
		status := "proven"
		if p.Unproven {
			status = "unproven"
		}
		got = append(got, fmt.Sprintf("%-24s %-8s %s %s", p.Name, status, p.Kind, p.Trust))
	}
	want := strings.Split(strings.TrimSpace(expected), "\n")
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(Builtin()) != len(list) {
		t.Errorf("Builtin has %d profiles of %d", len(Builtin()), len(list))
	}
}

func TestTheStatusOfABuiltInProfileIsWritten(t *testing.T) {
	for _, name := range Names() {
		text, err := Text(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "# ") || !strings.Contains(string(text), "\nstatus: ") {
			t.Errorf("%s has no introduction or no status", name)
		}
	}
}

func TestTheStormtopProfileNamesWhatListenPublishes(t *testing.T) {
	p, err := Find("stormtop")
	if err != nil {
		t.Fatal(err)
	}
	if p.Detect != `count(stormtop_attempts_total{attempt!=""})` || p.Kind != collector.Hop || p.Trust != collector.Exact {
		t.Errorf("%+v", p)
	}
	for _, s := range collector.Inputs() {
		if s == collector.Arrived || s == collector.Overflow {
			continue // the simulated clients have neither connections nor budgets
		}
		if !strings.Contains(p.Signals[s], "stormtop_") || !strings.Contains(p.Signals[s], "by ($by)") {
			t.Errorf("%s: %q", s, p.Signals[s])
		}
	}
}

func TestAnUnknownProfileIsAnErrorThatNamesTheNearestOne(t *testing.T) {
	for name, want := range map[string]string{
		"haprxy": `unknown profile "haprxy", did you mean haproxy: stormtop profiles lists those that exist`,
		"nosuch": `unknown profile "nosuch": stormtop profiles lists those that exist`,
		"../x":   `unknown profile "../x": stormtop profiles lists those that exist`,
	} {
		if _, err := Find(name); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestAFileThatIsNoProfileIsReportedByName(t *testing.T) {
	for text, want := range map[string]string{
		"x: 1": "bad.yaml",
		good:   `its name is "x", not that of the file`,
	} {
		_, err := readAll(fstest.MapFS{"bad.yaml": {Data: []byte(text)}}, []string{"bad"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := readAll(fstest.MapFS{}, []string{"bad"}); err == nil || !strings.Contains(err.Error(), "reading profile bad") {
		t.Error(err)
	}
}

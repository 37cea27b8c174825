package scrape

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/promql"
	"stormtop/collector/promtest"
	"stormtop/collector/scrape/eval"
)

// moving exposes several systems whose counters grow linearly with the time, one
// counter that begins again every 4 s and one series that comes and goes.
func moving(t *testing.T) *httptest.Server {
	start := time.Now()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := 100 + time.Since(start).Seconds()
		p := func(format string, factor float64) { fmt.Fprintf(w, format+" %v\n", factor*n) }
		for name, ratio := range map[string]float64{"orders": 1, "payments": 2.48} {
			p(`stormtop_requests_total{service="`+name+`"}`, 10)
			p(`stormtop_attempts_total{service="`+name+`",attempt="1"}`, 10)
			p(`stormtop_attempts_total{service="`+name+`",attempt="2"}`, 10*(ratio-1))
			p(`stormtop_successes_total{service="`+name+`",attempt="1"}`, 9)
			p(`stormtop_pool_wait_seconds_sum{service="`+name+`"}`, 3)
			p(`stormtop_pool_wait_seconds_count{service="`+name+`"}`, 12)
			fmt.Fprintf(w, "stormtop_queue_depth{service=%q} 7\n", name)
		}
		for _, name := range []string{"api", "health"} {
			p(`haproxy_frontend_http_requests_total{proxy="`+name+`"}`, 40)
			p(`haproxy_backend_http_requests_total{proxy="`+name+`"}`, 20)
			p(`haproxy_backend_connection_attempts_total{proxy="`+name+`"}`, 25)
			p(`haproxy_backend_connection_reuses_total{proxy="`+name+`"}`, 5)
			p(`haproxy_backend_http_responses_total{proxy="`+name+`",code="2xx"}`, 18)
			fmt.Fprintf(w, "haproxy_backend_current_queue{proxy=%q} 3\nhaproxy_server_current_queue{proxy=%q,server=\"s1\"} 2\n", name, name)
			fmt.Fprintf(w, "haproxy_backend_queue_time_average_seconds{proxy=%q} 0.25\n", name)
		}
		for _, side := range []string{"source", "destination"} {
			factor := map[string]float64{"source": 10, "destination": 17}[side]
			p(`istio_requests_total{reporter="`+side+`",source_workload="web",destination_service_namespace="shop",destination_service_name="pay",response_code="200",response_flags="-"}`, factor)
		}
		for _, kind := range []string{"successful_without_retry", "successful_with_retry", "failed_with_retry"} {
			p(`resilience4j_retry_calls_total{name="pay",kind="`+kind+`"}`, 4)
		}
		p(`grpc_client_attempt_duration_seconds_count{grpc_target="dns:///x",grpc_method="Get",grpc_status="OK"}`, 12)
		p(`grpc_client_call_duration_seconds_count{grpc_target="dns:///x",grpc_method="Get",grpc_status="OK"}`, 10)
		p(`go_sql_wait_duration_seconds_total{db_name="main"}`, 2)
		p(`go_sql_wait_count_total{db_name="main"}`, 8)
		fmt.Fprintf(w, "begins_again{service=\"a\"} %v\n", math.Mod(n, 4))
		if int(n)%3 != 0 {
			p(`comes_and_goes{service="a"}`, 1)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// server is a real Prometheus that scrapes one endpoint each second.
type server struct {
	t    *testing.T
	url  string
	name string
}

func prometheus(t *testing.T, binary, target string) *server {
	t.Helper()
	s := promtest.Start(t, binary, t.TempDir(), promtest.Scraping(t, []string{"scrape"}, target))
	return &server{t: t, url: s.URL, name: binary}
}

// row is one series of an answer.
type row struct {
	Metric map[string]string
	Value  [2]any
	Values [][2]any
}

// ask is an instant query.
func (s *server) ask(ctx context.Context, query string, at int64) ([]row, error) {
	address := s.url + "/api/v1/query?query=" + url.QueryEscape(query)
	if at > 0 {
		address += fmt.Sprintf("&time=%d.%03d", at/1000, at%1000)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var answer struct {
		Error string
		Data  struct {
			ResultType string
			Result     json.RawMessage
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.Error != "" {
		return nil, errors.Join(fmt.Errorf("%s: %s", query, answer.Error), err)
	}
	if answer.Data.ResultType == "scalar" {
		var one row
		err = json.Unmarshal(answer.Data.Result, &one.Value)
		return []row{one}, err
	}
	var rows []row
	return rows, json.Unmarshal(answer.Data.Result, &rows)
}

// point reads one pair of an answer.
func point(t *testing.T, pair [2]any) eval.Point {
	t.Helper()
	v, err := strconv.ParseFloat(pair[1].(string), 64)
	if err != nil {
		t.Fatal(err)
	}
	return eval.Point{T: int64(math.Round(pair[0].(float64) * 1000)), V: v}
}

// raw is everything that a Prometheus holds of the scraped series at an instant.
type raw []*eval.Series

// Select implements eval.Data.
func (r raw) Select(sel *eval.Selector) []*eval.Series {
	var out []*eval.Series
	for _, s := range r {
		if sel.Matches(s.Labels) {
			out = append(out, s)
		}
	}
	return out
}

func (s *server) raw(ctx context.Context, at int64) raw {
	s.t.Helper()
	rows, err := s.ask(ctx, `{job="scrape"}[30s]`, at)
	if err != nil {
		s.t.Fatal(err)
	}
	var out raw
	newest := int64(0)
	for _, r := range rows {
		one := &eval.Series{Labels: labels.FromMap(r.Metric)}
		for _, pair := range r.Values {
			one.Points = append(one.Points, point(s.t, pair))
		}
		newest = max(newest, one.Points[len(one.Points)-1].T)
		out = append(out, one)
	}
	for _, one := range out {
		one.Ended = one.Points[len(one.Points)-1].T < newest
	}
	return out
}

// TestTheSameSamplesGiveTheSameNumbersAsInPrometheus evaluates every template of
// the built-in profiles, and what else the language has, over the very samples
// that a real Prometheus holds, at the same instant.
func TestTheSameSamplesGiveTheSameNumbersAsInPrometheus(t *testing.T) {
	queries := []string{
		`rate(begins_again[10s])`, `increase(begins_again[10s])`, `irate(begins_again[10s])`, `rate(comes_and_goes[10s])`, `comes_and_goes`,
		`increase(comes_and_goes[5s])`, `stormtop_queue_depth > 5`, `stormtop_queue_depth < on(service) stormtop_requests_total`,
		`stormtop_queue_depth < ignoring(attempt) stormtop_requests_total`, `stormtop_queue_depth == bool 7`, `5 < stormtop_queue_depth`,
		`stormtop_queue_depth / 0`, `-stormtop_queue_depth % 4 ^ 2`, `1 - 2 * (3 - 4)`, `scalar(begins_again)`, `vector(1) or vector(2)`,
		`sum without (attempt, instance) (stormtop_attempts_total)`, `avg by (service) (stormtop_attempts_total)`, `min(stormtop_attempts_total)`,
		`max by (attempt) (stormtop_attempts_total)`, `count({__name__=~"stormtop_.+",service!~"o.*"})`, `group by (service) (stormtop_queue_depth)`,
		`label_replace(stormtop_queue_depth, "to", "$1-x", "service", "(o.*)")`, `clamp(stormtop_queue_depth, 1, 5.5)`,
		`stormtop_queue_depth and on(service) begins_again`, `stormtop_queue_depth unless on(service) begins_again`,
		`stormtop_requests_total - ignoring(attempt) stormtop_attempts_total{attempt="1"}`, `nobody + stormtop_queue_depth`,
	}
	for _, p := range profile.Builtin() {
		for _, text := range p.Signals {
			queries = append(queries, promql.Fill(text, 4*time.Second, p.By), promql.Fill(text, 10*time.Second, []string{"instance"}))
		}
		if p.Edge != nil {
			queries = append(queries, promql.Fill(p.Edge.Ingress, 4*time.Second, nil), promql.Fill(p.Edge.Downstream, 4*time.Second, nil))
		}
		queries = append(queries, p.Detect)
	}
	for _, binary := range promtest.Servers(t) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		s := prometheus(t, binary, strings.TrimPrefix(moving(t).URL, "http://"))
		s.until(ctx, `min(count_over_time(begins_again[30s])) > 11`)
		at := time.Now().Add(-500 * time.Millisecond).UnixMilli() // not a moment at which a sample is just written
		data := s.raw(ctx, at)
		compared := 0
		for _, query := range queries {
			e, err := eval.Compile(query)
			if err != nil {
				continue // what needs a Prometheus is another test's
			}
			want, refused := s.ask(ctx, query, at)
			if refused != nil && strings.Contains(refused.Error(), "parse error") {
				continue // an older Prometheus does not know the syntax
			}
			got, err := e.Eval(data, at)
			if (refused == nil) != (err == nil) {
				t.Errorf("%s: %s says %v, here %v", query, s.name, refused, err)
				continue
			}
			compared += len(want)
			agree(t, query, got, want)
		}
		if compared < 60 {
			t.Errorf("only %d values were compared", compared)
		}
		t.Logf("%s: %d queries, %d values agree", binary, len(queries), compared)
	}
}

// agree compares two answers, in any order.
func agree(t *testing.T, query string, got []eval.Sample, want []row) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d: %v, want %v", query, len(got), len(want), got, want)
		return
	}
	values := map[string]float64{}
	for _, r := range want {
		values[labels.FromMap(r.Metric).String()] = point(t, r.Value).V
	}
	for _, g := range got {
		w, ok := values[g.Labels.String()]
		same := g.V == w || math.IsNaN(g.V) && math.IsNaN(w) || math.Abs(g.V-w) <= 1e-9*math.Abs(w)
		if !ok || !same {
			t.Errorf("%s: %v, want %v", query, g, values)
		}
	}
}

// until waits for a query to have a result.
func (s *server) until(ctx context.Context, query string) {
	s.t.Helper()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		rows, err := s.ask(ctx, query, 0)
		if err == nil && len(rows) > 0 {
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			s.t.Fatalf("%s: %s has no result: %v", s.name, query, err)
		}
	}
}

type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// TestScrapingShowsWhatAPrometheusBesideItShows scrapes an endpoint together with
// a real Prometheus. Both see counters that grow linearly. A counter is read at
// some moment between the request, whose time the sample gets, and its answer, so
// that a rate over the points of n seconds is off by the longest scrape / n, and a
// quotient of two rates by twice that; a Prometheus also moves the time by 2 ms.
func TestScrapingShowsWhatAPrometheusBesideItShows(t *testing.T) {
	for _, binary := range promtest.Servers(t) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		target := strings.TrimPrefix(moving(t).URL, "http://")
		prom := prometheus(t, binary, target)
		s, _, err := Open(Config{URLs: []string{target}, Clock: wallClock{}, Timeout: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		prom.until(ctx, `min(count_over_time(begins_again[30s])) > 6`)
		var r *collector.Reading
		longest := 0.0
		for range 7 {
			if r, err = s.Next(ctx); err != nil {
				t.Fatal(err)
			}
			longest = max(longest, r.Cost.Took.Seconds())
		}
		at := r.At.UnixMilli()
		prom.until(ctx, fmt.Sprintf(`vector(time()) > %d`, at/1000+2))
		slow, err := prom.ask(ctx, `max_over_time(scrape_duration_seconds[20s])`, at)
		if err != nil || len(slow) != 1 {
			t.Fatalf("%v %v", slow, err)
		}
		const span = 2.0 // seconds that the points of a range of 4 s cover at least
		tolerance := 2 * (longest + point(t, slow[0].Value).V + 0.002) / span
		compared := 0
		for _, y := range r.Origin.Systems {
			for _, sig := range collector.Inputs() {
				rows, err := prom.ask(ctx, y.Explain[sig], at)
				if err != nil {
					continue // a sentence, no query
				}
				for _, w := range rows {
					want := point(t, w.Value).V
					var list []collector.Label
					for name, v := range w.Metric {
						list = append(list, collector.Label{Name: name, Value: v})
					}
					got, ok := r.Row(collector.NewTarget(y.Kind, list...).In(y.Profile).ID)
					if y.Kind == collector.Edge {
						got, ok = r.Total, true
					}
					if v, known := got.Values[sig].Number(); !ok || !known || math.Abs(v-want) > tolerance*math.Abs(want)+1e-9 {
						t.Errorf("%s %s of %v: %+v, %s shows %v; tolerance %.2f%%", y.Profile, sig, w.Metric, got.Values[sig], binary, want, 100*tolerance)
					}
					compared++
				}
			}
		}
		if compared < 15 || len(r.Origin.Systems) < 3 {
			t.Errorf("%d values of %s were compared", compared, r.Origin.Profile)
		}
		t.Logf("%s: %d values of %s agree within %.2f%%; offered %v", binary, compared, r.Origin.Profile, 100*tolerance, r.Origin.Offered)
	}
}

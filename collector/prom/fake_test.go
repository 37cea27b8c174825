package prom

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/collector"
)

// fakeClock jumps to the end of every wait, so that tests never sleep.
type fakeClock struct {
	mu  sync.Mutex
	now time.Time
}

var epoch = time.Date(2026, 5, 4, 12, 0, 0, 300e6, time.UTC)

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *fakeClock) After(d time.Duration) <-chan time.Time {
	c.advance(max(d, 0))
	ch := make(chan time.Time, 1)
	ch <- c.Now()
	return ch
}

// request is what the fake server was asked.
type request struct {
	method, path, query string
	form                map[string][]string
	header              http.Header
	at                  time.Time // by the fake clock
}

// reply is what it answers; a zero one stands for the default.
type canned struct {
	code   int
	body   string
	header map[string]string
}

// fakeProm answers as a Prometheus would that holds the given metrics.
type fakeProm struct {
	*httptest.Server
	clock   *fakeClock
	ahead   time.Duration // of its clock
	spacing time.Duration // of its samples
	age     time.Duration // of its newest sample

	mu       sync.Mutex
	metrics  map[string]map[string]string // metric -> service -> value
	special  func(request) *canned
	thanos   bool // it lists stores, as only a Thanos does
	requests []request
}

func newFake(t *testing.T) *fakeProm {
	f := &fakeProm{clock: &fakeClock{now: epoch}, spacing: 5 * time.Second, age: time.Second, metrics: map[string]map[string]string{
		"in_total":   {"orders": "100", "payments": "200"},
		"down_total": {"orders": "102", "payments": "496"},
	}}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fakeProm) set(metric, service, value string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.metrics[metric] == nil {
		f.metrics[metric] = map[string]string{}
	}
	f.metrics[metric][service] = value
	if value == "" {
		delete(f.metrics[metric], service)
	}
}

// on installs special answers; nil means the default one.
func (f *fakeProm) on(special func(request) *canned) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.special = special
}

// asked lists the requests so far and forgets them.
func (f *fakeProm) asked() []request {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.requests
	f.requests = nil
	return out
}

func (f *fakeProm) serve(w http.ResponseWriter, r *http.Request) {
	r.ParseForm()
	req := request{r.Method, r.URL.Path, r.Form.Get("query"), r.Form, r.Header.Clone(), f.clock.Now()}
	f.mu.Lock()
	if strings.HasSuffix(r.URL.Path, "/api/v1/stores") { // looked for once, and not worth a place in every list of requests
		thanos := f.thanos
		f.mu.Unlock()
		if !thanos {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `{"status":"success","data":{"sidecar":[]}}`)
		return
	}
	f.requests = append(f.requests, req)
	special := f.special
	f.mu.Unlock()
	var rep *canned
	if special != nil {
		rep = special(req)
	}
	if rep == nil {
		rep = &canned{body: f.answer(req)}
	}
	for k, v := range rep.header {
		w.Header().Set(k, v)
	}
	if rep.code != 0 {
		w.WriteHeader(rep.code)
	}
	fmt.Fprint(w, rep.body)
}

func (f *fakeProm) answer(req request) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.clock.Now().Add(f.ahead)
	seconds := func(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', -1, 64) }
	at := req.form["time"]
	if at == nil {
		at = []string{seconds(now)}
	}
	metric := ""
	for m := range f.metrics {
		if strings.Contains(req.query, m) && len(m) > len(metric) {
			metric = m
		}
	}
	data := f.metrics[metric]
	services := make([]string, 0, len(data))
	for s := range data {
		services = append(services, s)
	}
	sort.Strings(services)
	switch {
	case req.query == "time()":
		return `{"status":"success","data":{"resultType":"scalar","result":[` + seconds(now) + `,"` + seconds(now) + `"]}}`
	case strings.HasPrefix(req.path, "/api/v1/query_range"):
		return f.rangeAnswer(req, data, services)
	case len(services) == 0:
		return `{"status":"success","data":{"resultType":"vector","result":[]}}`
	case strings.HasPrefix(req.query, "topk"), strings.HasPrefix(req.query, "max(timestamp"):
		return vectorAnswer(at[0], [][2]string{{services[0], seconds(now.Add(-f.age))}})
	case strings.HasSuffix(req.query, "m]"), strings.HasSuffix(req.query, "h]"):
		var points []string
		for i := 10; i >= 0; i-- {
			points = append(points, fmt.Sprintf(`[%s,"1"]`, seconds(now.Add(-time.Duration(i)*f.spacing))))
		}
		return `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[` + strings.Join(points, ",") + `]}]}}`
	}
	var list [][2]string
	for _, s := range services {
		list = append(list, [2]string{s, data[s]})
	}
	return vectorAnswer(at[0], list)
}

func (f *fakeProm) rangeAnswer(req request, data map[string]string, services []string) string {
	num := func(name string) float64 {
		v, _ := strconv.ParseFloat(req.form[name][0], 64)
		return v
	}
	var list []string
	for _, s := range services {
		if strings.Contains(req.query, "service=~") && !strings.Contains(req.query, s) {
			continue
		}
		var points []string
		for t := num("start"); t <= num("end")+1e-6; t += num("step") {
			points = append(points, fmt.Sprintf(`[%s,"%s"]`, strconv.FormatFloat(t, 'f', 3, 64), data[s]))
		}
		list = append(list, fmt.Sprintf(`{"metric":{"service":%q},"values":[%s]}`, s, strings.Join(points, ",")))
	}
	return `{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(list, ",") + `]}}`
}

func vectorAnswer(at string, list [][2]string) string {
	var b strings.Builder
	b.WriteString(`{"status":"success","data":{"resultType":"vector","result":[`)
	for i, kv := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(kv[0])
		fmt.Fprintf(&b, `{"metric":{"service":%s},"value":[%s,%q]}`, name, at, kv[1])
	}
	b.WriteString(`]}}`)
	return b.String()
}

func (f *fakeProm) config() Config {
	return Config{
		URL: f.URL, Clock: f.clock, By: []string{"service"}, Timeout: 5 * time.Second,
		Signals: map[collector.Signal]string{
			collector.Ingress:    "sum by ($by) (rate(in_total[$window]))",
			collector.Downstream: "sum by ($by) (rate(down_total[$window]))",
		},
	}
}

// open makes a source of the fake's configuration, changed by f.
func (f *fakeProm) open(t *testing.T, change func(*Config)) *Source {
	t.Helper()
	cfg := f.config()
	if change != nil {
		change(&cfg)
	}
	s, _, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func next(t *testing.T, s *Source) *collector.Reading {
	t.Helper()
	r, err := s.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if r.Origin == nil {
		t.Fatal("a reading without origin")
	}
	return r
}

func value(t *testing.T, r *collector.Reading, name string, s collector.Signal) collector.Value {
	t.Helper()
	for _, row := range r.Targets {
		if row.Target.Name == name {
			return row.Values[s]
		}
	}
	t.Fatalf("no target %q in %v", name, names(r))
	return collector.Value{}
}

func names(r *collector.Reading) []string {
	var out []string
	for _, row := range r.Targets {
		out = append(out, row.Target.Name)
	}
	return out
}

// signalQueries are the requests for signals, without those for ages, spacing
// and the clock.
func signalQueries(list []request) []request {
	return slices.DeleteFunc(list, func(r request) bool { return !strings.HasPrefix(r.query, "sum by") })
}

func blindFailure(t *testing.T, r *collector.Reading) collector.Failure {
	t.Helper()
	if !r.Blind() {
		t.Fatalf("the reading is not blind: %+v", r.Failures)
	}
	return r.Failures[0]
}

// newTextServer answers every query about sums with one text, and the others
// as a Prometheus without data.
func newTextServer(text string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.FormValue("query"), "sum by") {
			io.WriteString(w, text)
			return
		}
		io.WriteString(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
	}))
}

package prom

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// TestAServerThatWantsATenantIsAnsweredWithTheHeaderToAdd is case A10: "no org
// id" tells users nothing.
func TestAServerThatWantsATenantIsAnsweredWithTheHeaderToAdd(t *testing.T) {
	f := newFake(t)
	f.on(func(q request) *canned {
		if q.header.Get("X-Scope-OrgID") == "" {
			return &canned{code: 401, body: "no org id\n"}
		}
		return nil
	})
	fail := blindFailure(t, next(t, f.open(t, nil)))
	want := strings.TrimPrefix(f.URL, "http://") + " wants to know the tenant (401 no org id): add --prom.header=X-Scope-OrgID=TENANT"
	if fail.Kind != collector.Forbidden || fail.Text != want {
		t.Errorf("%v %q, want %q", fail.Kind, fail.Text, want)
	}
	r := next(t, f.open(t, func(c *Config) { c.Headers = map[string]string{"X-Scope-OrgID": "ops"} }))
	if r.Blind() || value(t, r, "payments", collector.Amplification).V != 2.48 {
		t.Errorf("what was suggested does not help: %+v", r.Failures)
	}
}

// TestATenantWithoutDataIsNoZeroTraffic is case A10: 200 and empty results for
// the tenant anonymous. A count() finds out that there is nothing at all, and no
// number is shown.
func TestATenantWithoutDataIsNoZeroTraffic(t *testing.T) {
	f := newFake(t)
	f.metrics = nil
	r := next(t, f.open(t, func(c *Config) { c.Headers = map[string]string{"x-scope-orgid": "anonymous"} }))
	fail := blindFailure(t, r)
	const want = `, but none of the 2 configured signals has any series here for tenant "anonymous"; is in_total, down_total exported?`
	if fail.Kind != collector.NothingFound || !strings.HasPrefix(fail.Text, "connected to ") || !strings.HasSuffix(fail.Text, want) {
		t.Errorf("%v %q", fail.Kind, fail.Text)
	}
	for _, sig := range []collector.Signal{collector.Ingress, collector.Downstream, collector.Amplification, collector.RetryRate} {
		if v := r.Total.Values[sig]; v.State != collector.Failed {
			t.Errorf("%s is %+v", sig, v)
		}
	}
	probed := slices.ContainsFunc(f.asked(), func(q request) bool { return q.query == "count(in_total) or count(down_total)" })
	if !probed {
		t.Error("nobody counted the series themselves")
	}
}

// TestTheTenantGoesWithEveryRequest is case A10: detection, examination, signals,
// ages, spacing, the past, breaches, coverage, a target's course and its callers,
// the stores of a Thanos and the types of metrics.
func TestTheTenantGoesWithEveryRequest(t *testing.T) {
	f := newFake(t)
	f.metrics = map[string]map[string]string{"lib_in": {"pay": "1"}, "lib_out": {"pay": "1"}}
	sc := libScript()
	for i := range 60 { // more than have their past read, so that breaches are looked for
		sc["(rate(lib_in["][fmt.Sprintf("service=\"s%d\"", i)] = 1
		sc["(rate(lib_out["][fmt.Sprintf("service=\"s%d\"", i)] = 1
	}
	f.on(sc.found("lib"))
	var mu sync.Mutex
	seen, without := map[string]bool{}, []string{}
	inner := f.Config.Handler
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		mu.Lock()
		seen[kindOf(r)] = true
		if r.Header.Get("X-Scope-OrgID") != "ops" {
			without = append(without, r.URL.Path+" "+r.Form.Get("query"))
		}
		mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/metadata") {
			io.WriteString(w, `{"status":"success","data":{}}`)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	lib := hop("lib", collector.Exact, func(p *profile.Profile) { p.Callers = []string{"caller"} })
	change := func(c *Config) {
		c.URL, c.Headers, c.Known = srv.URL, map[string]string{"X-Scope-OrgID": "ops"}, []profile.Profile{lib}
		c.Span, c.Rules = time.Minute, rules()
	}
	src := f.openForDetection(t, change)
	r, _ := live(t, src)
	for range 12 {
		next(t, src)
	}
	pay := targetOf(t, r, "lib", "pay").Target
	if _, err := src.Course(t.Context(), pay, r.At.Add(-time.Minute), r.At); err != nil {
		t.Error(err)
	}
	if _, err := src.Callers(t.Context(), pay); err != nil {
		t.Error(err)
	}
	cfg := f.config()
	cfg.Signals = nil
	change(&cfg)
	c, _, err := Dial(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.MetricType(t.Context(), "lib_in"); err != nil {
		t.Error(err)
	}
	if len(without) > 0 {
		t.Errorf("without the tenant: %q", without)
	}
	want := []string{"age", "breach", "callers", "clock", "detection", "examination", "metadata", "reporters", "samples", "signal", "spacing", "stores", "the past"}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, want) {
		t.Errorf("seen %q, want %q", got, want)
	}
}

// kindOf is what a request is for.
func kindOf(r *http.Request) string {
	query := r.Form.Get("query")
	for _, c := range []struct{ kind, path, part string }{
		{"stores", "/stores", ""}, {"metadata", "/metadata", ""}, {"breach", "/query_range", "> "}, {"the past", "/query_range", ""},
		{"clock", "", "time()"}, {"detection", "", detectLabel}, {"examination", "", factLabel}, {"age", "", "max(timestamp("},
		{"spacing", "", "topk(1, timestamp("}, {"reporters", "", "count by (service, instance)"}, {"callers", "", "caller"}, {"signal", "", "sum by"},
	} {
		if strings.HasSuffix(r.URL.Path, c.path) && strings.Contains(query, c.part) {
			return c.kind
		}
	}
	return "samples"
}

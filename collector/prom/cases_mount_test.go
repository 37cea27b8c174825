package prom

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stormtop/collector"
)

// mount puts a fake behind a path, as a reverse proxy does; all else is a 404.
func mount(t *testing.T, f *fakeProm, path string) *httptest.Server {
	srv := httptest.NewServer(http.StripPrefix(path, f.Config.Handler))
	t.Cleanup(srv.Close)
	return srv
}

// TestAServerBehindAPathIsReadHoweverItIsWritten is case A7: with and without
// the slash it is the same, and what was pasted from a browser is cut with a note.
func TestAServerBehindAPathIsReadHoweverItIsWritten(t *testing.T) {
	for tail, note := range map[string]string{
		"":                        "",
		"/":                       "",
		"/graph":                  "the trailing /graph of the address was cut",
		"/graph?g0.expr=up&g0.x=": "the trailing /graph of the address was cut",
		"/api/v1":                 "the trailing /api/v1 of the address was cut",
		"/api/v1/":                "the trailing /api/v1 of the address was cut",
	} {
		t.Run(tail, func(t *testing.T) {
			f := newFake(t)
			srv := mount(t, f, "/prometheus")
			cfg := f.config()
			cfg.URL = srv.URL + "/prometheus" + tail
			s, notes, err := Open(cfg)
			if err != nil {
				t.Fatal(err)
			}
			r := next(t, s)
			if r.Blind() || value(t, r, "payments", collector.Amplification).V != 2.48 {
				t.Errorf("%+v", r.Failures)
			}
			if want := strings.TrimPrefix(srv.URL, "http://") + "/prometheus"; r.Origin.Source != want {
				t.Errorf("it is called %s, want %s", r.Origin.Source, want)
			}
			if got := strings.Join(notes, "; "); !strings.Contains(got, note) || note == "" && got != "" {
				t.Errorf("notes %q, want %q", notes, note)
			}
			for _, q := range f.asked() {
				if q.path != "/api/v1/query" {
					t.Errorf("%s was asked", q.path)
				}
			}
		})
	}
	f := newFake(t)
	cfg := f.config()
	cfg.URL = mount(t, f, "/prometheus").URL // the path is forgotten
	s, _, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if fail := blindFailure(t, next(t, s)); !strings.Contains(fail.Text, "no Prometheus API at this address, is its path complete?") {
		t.Errorf("%+v", fail)
	}
}

// TestNothingFollowsARedirectToAnotherHost is case A7: whichever status sends
// there, by whichever method, neither credentials nor the tenant arrive.
func TestNothingFollowsARedirectToAnotherHost(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, post := range []bool{true, false} {
			other, f := newFake(t), newFake(t)
			f.on(func(q request) *canned {
				if post != (q.method == http.MethodPost) {
					return &canned{code: 405}
				}
				return &canned{code: code, header: map[string]string{"Location": other.URL + q.path}}
			})
			s := f.open(t, func(c *Config) {
				c.URL = strings.Replace(f.URL, "http://", "http://eve:hunter2secret@", 1)
				c.Headers = map[string]string{"X-Scope-OrgID": "ops"}
			})
			fail := blindFailure(t, next(t, s))
			if fail.Kind != collector.NotPrometheus || !strings.Contains(fail.Text, "redirects to "+other.URL+", which was not followed so that no credential leaves") {
				t.Errorf("%d, POST %v: %+v", code, post, fail)
			}
			if n := len(other.asked()); n != 0 {
				t.Errorf("%d, POST %v: %d requests reached the other host", code, post, n)
			}
		}
	}
}

// TestARedirectIsFollowedByEveryKindOfQuestion is case A7: the past and the
// type of a metric come from behind the redirect as well.
func TestARedirectIsFollowedByEveryKindOfQuestion(t *testing.T) {
	for _, code := range []int{301, 302, 307, 308} {
		f := newFake(t)
		f.on(func(q request) *canned {
			rest, moved := strings.CutPrefix(q.path, "/moved")
			if !moved {
				return &canned{code: code, header: map[string]string{"Location": "/moved" + q.path}}
			}
			if q.path = rest; q.path == "/api/v1/metadata" {
				return &canned{body: `{"status":"success","data":{"in_total":[{"type":"counter"}]}}`}
			}
			return &canned{body: f.answer(q)}
		})
		if r := next(t, f.open(t, func(c *Config) { c.Span = 60 * s })); !r.Past || value(t, r, "payments", collector.Downstream).V != 496 {
			t.Errorf("%d: past %v, %+v", code, r.Past, r.Failures)
		}
		if kind, err := dial(t, f).MetricType(t.Context(), "in_total"); kind != "counter" || err != nil {
			t.Errorf("%d: %q, %v", code, kind, err)
		}
	}
}

package prom

import (
	"net/http"
	"strings"
	"testing"

	"stormtop/collector"
)

// readOnly refuses POST with a status and a body, as proxies do.
func readOnly(code int, body string) func(request) *canned {
	return func(q request) *canned {
		if q.method == http.MethodPost {
			return &canned{code: code, body: body}
		}
		return nil
	}
}

// TestAReadOnlyProxyIsPolledByGETAtHalfTheRequests is case A8: one refused POST
// in all, then as many requests a poll as with a server that takes POST, however
// long it goes on and whatever fails meanwhile.
func TestAReadOnlyProxyIsPolledByGETAtHalfTheRequests(t *testing.T) {
	plain := newFake(t)
	src := plain.open(t, nil)
	next(t, src)
	plain.asked()
	next(t, src)
	usual := len(plain.asked())
	for name, refuse := range map[string]func(request) *canned{
		"403":              readOnly(403, "read-only access"),
		"405":              readOnly(405, ""),
		"501":              readOnly(501, "<html>"),
		"500 by a Grafana": readOnly(500, `{"message":"An error occurred within the plugin","traceID":""}`),
		"405 in JSON":      readOnly(405, `{"status":"error","errorType":"bad_data","error":"method not allowed"}`),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(refuse)
			s := f.open(t, nil)
			if r := next(t, s); r.Blind() || value(t, r, "payments", collector.Amplification).V != 2.48 {
				t.Fatalf("%+v", r.Failures)
			}
			if n := posts(f.asked()); n != 1 {
				t.Errorf("%d POST requests", n)
			}
			f.on(func(q request) *canned { // one query is bad for a while
				if strings.Contains(q.query, "down_total[20s]") {
					return &canned{code: 422, body: `{"status":"error","errorType":"execution","error":"too many samples"}`}
				}
				return refuse(q)
			})
			next(t, s)
			f.on(func(request) *canned { return &canned{code: 503} }) // and then all of them
			next(t, s)
			f.on(refuse)
			next(t, s)
			f.asked()
			r := next(t, s)
			asked := f.asked()
			if r.Blind() || len(r.Failures) > 0 || len(asked) != usual || posts(asked) != 0 {
				t.Errorf("%d requests, %d of them POST; usually %d: %+v", len(asked), posts(asked), usual, r.Failures)
			}
		})
	}
}

func posts(list []request) (n int) {
	for _, q := range list {
		if q.method == http.MethodPost {
			n++
		}
	}
	return n
}

// TestATrue403StaysForbidden is case A8: refused by both methods, and refused
// for one query of a proxy that is read by GET.
func TestATrue403StaysForbidden(t *testing.T) {
	f := newFake(t)
	f.on(func(request) *canned { return &canned{code: 403, body: "not yours"} })
	if fail := blindFailure(t, next(t, f.open(t, nil))); fail.Kind != collector.Forbidden || !strings.Contains(fail.Text, "forbids this query (403 Forbidden: not yours)") {
		t.Errorf("%+v", fail)
	}
	f = newFake(t)
	f.on(readOnly(403, "read-only access"))
	s := f.open(t, nil)
	next(t, s)
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "down_total[20s]") {
			return &canned{code: 403, body: "not yours"}
		}
		return readOnly(403, "read-only access")(q)
	})
	f.asked()
	r := next(t, s)
	if r.Blind() || len(r.Failures) != 1 || r.Failures[0].Kind != collector.Forbidden || r.Failures[0].Signal != collector.Downstream {
		t.Errorf("%+v", r.Failures)
	}
	if n := posts(f.asked()); n != 0 {
		t.Errorf("%d POST requests after GET was found to work", n)
	}
}

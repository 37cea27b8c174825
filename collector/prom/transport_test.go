package prom

import (
	"strings"
	"testing"

	"stormtop/collector"
)

func TestRedirectsToAnotherHostAreRefused(t *testing.T) {
	other := newFake(t)
	f := newFake(t)
	f.on(func(q request) *canned {
		return &canned{code: 307, header: map[string]string{"Location": other.URL + "/api/v1/query"}}
	})
	s := f.open(t, func(c *Config) {
		c.URL = strings.Replace(f.URL, "http://", "http://eve:hunter2secret@", 1)
		c.Headers = map[string]string{"X-Scope-OrgID": "ops", "X-Token": "tok-123456"}
	})
	fail := blindFailure(t, next(t, s))
	if fail.Kind != collector.NotPrometheus || !strings.Contains(fail.Text, "redirects to "+other.URL+", which was not followed") {
		t.Errorf("%+v", fail)
	}
	if n := len(other.asked()); n != 0 {
		t.Errorf("%d requests reached the other host", n)
	}
}

func TestRedirectsOnTheSameHostKeepTheQuery(t *testing.T) {
	for code, method := range map[int]string{301: "GET", 302: "GET", 303: "GET", 307: "POST", 308: "POST"} {
		f := newFake(t)
		f.on(func(q request) *canned {
			if !strings.HasPrefix(q.path, "/prom/") {
				return &canned{code: code, header: map[string]string{"Location": "/prom" + q.path}}
			}
			q.path = strings.TrimPrefix(q.path, "/prom")
			return &canned{body: f.answer(q)}
		})
		r := next(t, f.open(t, func(c *Config) { c.Headers = map[string]string{"X-Scope-OrgID": "ops"} }))
		if r.Blind() || value(t, r, "orders", collector.Ingress).V != 100 {
			t.Fatalf("%d: %+v", code, r.Failures)
		}
		for _, q := range f.asked() {
			if strings.HasPrefix(q.path, "/prom/") && (q.method != method || q.query == "" || q.header.Get("X-Scope-OrgID") != "ops") {
				t.Errorf("%d: %s %q %v", code, q.method, q.query, q.header)
			}
		}
	}
}

func TestPostIsReplacedByGetOnceAndRemembered(t *testing.T) {
	for _, code := range []int{403, 405, 500, 501} {
		f := newFake(t)
		f.on(func(q request) *canned {
			if q.method == "POST" {
				return &canned{code: code}
			}
			return nil
		})
		s := f.open(t, nil)
		if r := next(t, s); r.Blind() {
			t.Fatalf("%d: %+v", code, r.Failures)
		}
		posts := 0
		for _, q := range f.asked() {
			if q.method == "POST" {
				posts++
			}
		}
		if posts != 1 {
			t.Errorf("%d: %d POST requests", code, posts)
		}
	}
}

func TestA403ForBothMethodsIsForbidden(t *testing.T) {
	f := newFake(t)
	f.on(func(request) *canned { return &canned{code: 403} })
	if fail := blindFailure(t, next(t, f.open(t, nil))); fail.Kind != collector.Forbidden {
		t.Errorf("%+v", fail)
	}
	if list := f.asked(); len(list) != 2 || list[1].method != "GET" {
		t.Errorf("%d requests", len(list))
	}
}

func TestA500AfterAWorkingPostIsNoReasonForGet(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	next(t, s)
	f.on(func(request) *canned { return &canned{code: 500} })
	next(t, s)
	for _, q := range f.asked() {
		if q.method != "POST" {
			t.Errorf("%s", q.method)
		}
	}
}

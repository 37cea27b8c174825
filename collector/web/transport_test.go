package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/common/config"
)

func TestHTTPSOfTheSameHostIsTheSameServer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"http://h/", "http://h:80/x", true},
		{"http://h/", "https://h/", true},
		{"https://h/", "http://h/", false},
		{"http://h:9090", "http://h:9091", false},
		{"http://h:9090", "https://h:9090", true},
		{"http://h", "http://h.evil", false},
		{"http://H", "http://h", true},
	} {
		if got := SameServer(httptest.NewRequest("GET", c.a, nil).URL, httptest.NewRequest("GET", c.b, nil).URL); got != c.same {
			t.Errorf("%s %s: %v", c.a, c.b, got)
		}
	}
}

func TestHeadersThatCannotBeSentAreRefusedWithoutTheirValue(t *testing.T) {
	for name, value := range map[string]string{"X": "hush\r\nY: 1", "a b": "hush", "": "hush"} {
		if err := CheckHeaders(map[string]string{name: value}); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := CheckHeaders(map[string]string{"X-Scope-OrgID": "shop"}); err != nil {
		t.Error(err)
	}
}

func TestHeadersAreSentAndWhatTheySayIsSecret(t *testing.T) {
	var got *http.Request
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }))
	defer server.Close()
	var secrets Secrets
	rt, err := NewTransport(config.DefaultHTTPClientConfig, map[string]string{"Host": "other.example", "X-Token": "hush-12345"}, &secrets)
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest("GET", server.URL, nil)
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got.Host != "other.example" || got.Header.Get("X-Token") != "hush-12345" || req.Header.Get("X-Token") != "" {
		t.Errorf("%s %v, %v", got.Host, got.Header, req.Header)
	}
	if text := secrets.Mask("it was hush-12345"); text != "it was ***" {
		t.Errorf("%s", text)
	}
}

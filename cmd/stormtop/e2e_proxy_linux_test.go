package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"
)

// gateway stands in front of a Prometheus, notes every request, and answers
// 502 while there is no Prometheus behind it.
type gateway struct {
	url string

	mu       sync.Mutex
	requests []time.Time
}

// front starts a gateway. allow, unless nil, says who is let through; others
// get a 401.
func front(t *testing.T, s *server, allow func(*http.Request) bool) *gateway {
	t.Helper()
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) {
		http.Error(w, "no server behind this gateway", http.StatusBadGateway)
	}
	g := &gateway{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.requests = append(g.requests, time.Now())
		g.mu.Unlock()
		if allow != nil && !allow(r) {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

// count is the number of requests of a stretch of time.
func (g *gateway) count(during stretchOfTime) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, at := range g.requests {
		if !at.Before(during.from) && at.Before(during.to) {
			n++
		}
	}
	return n
}

package scrape

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// fakeClock jumps to the end of every wait, so that tests never sleep.
type fakeClock struct {
	mu  sync.Mutex
	now time.Time
}

var epoch = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func newClock() *fakeClock { return &fakeClock{now: epoch} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

func (c *fakeClock) After(d time.Duration) <-chan time.Time {
	c.set(c.Now().Add(max(d, 0)))
	ch := make(chan time.Time, 1)
	ch <- c.Now()
	return ch
}

// exposed is an endpoint whose answer tests change.
type exposed struct {
	*httptest.Server
	mu       sync.Mutex
	handler  http.HandlerFunc
	requests []*http.Request
}

func expose(t *testing.T) *exposed {
	e := &exposed{}
	e.text("")
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		e.requests = append(e.requests, r)
		handler := e.handler
		e.mu.Unlock()
		handler(w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *exposed) serve(h http.HandlerFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handler = h
}

// text makes the endpoint answer with an exposition in the text format.
func (e *exposed) text(lines ...string) {
	e.serve(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		io.WriteString(w, strings.Join(lines, "\n")+"\n")
	})
}

// code makes it answer with a status.
func (e *exposed) code(code int) {
	e.serve(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "secret words", code) })
}

func (e *exposed) asked() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.requests)
}

// storm exposes counters of the profile "shop" after n seconds: for each service
// requests at 10/s, as many attempts as the ratio says, and those of them that are
// retries, which are not exposed where there are none.
func storm(n float64, services map[string]float64) []string {
	var out []string
	for name, ratio := range services {
		out = append(out, fmt.Sprintf("shop_requests_total{service=%q} %v", name, 10*n),
			fmt.Sprintf("shop_attempts_total{service=%q} %v", name, 10*n*ratio))
		if ratio > 1 {
			out = append(out, fmt.Sprintf("shop_retries_total{service=%q} %v", name, 10*n*(ratio-1)))
		}
	}
	return out
}

var shop = profile.Profile{
	Name: "shop", Title: "A shop", LooksFor: "shop_attempts_total", Detect: `count(shop_attempts_total{service!=""})`,
	By: []string{"service"}, Kind: collector.Hop, Trust: collector.Exact, CannotSee: "sees all",
	Signals: map[collector.Signal]string{
		collector.Ingress:    "sum by ($by) (rate(shop_requests_total[$window]))",
		collector.Downstream: "sum by ($by) (rate(shop_attempts_total[$window]))",
		collector.Retries:    "sum by ($by) (rate(shop_retries_total[$window]))",
		collector.QueueDepth: "sum by ($by) (shop_queue)",
	},
	ZeroFill: []collector.Signal{collector.Retries},
}

// open opens a source over endpoints with the profile shop to be found.
func open(t *testing.T, clock *fakeClock, change func(*Config), endpoints ...*exposed) *Source {
	t.Helper()
	cfg := Config{Clock: clock, Known: []profile.Profile{shop}, Timeout: time.Minute}
	for _, e := range endpoints {
		cfg.URLs = append(cfg.URLs, e.URL)
	}
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
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := s.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if r.Origin == nil {
		t.Fatal("a reading without an origin")
	}
	return r
}

// value is a signal of the row of that name.
func value(t *testing.T, r *collector.Reading, name string, sig collector.Signal) collector.Value {
	t.Helper()
	for _, row := range r.Targets {
		if row.Target.Name == name {
			return row.Values[sig]
		}
	}
	t.Fatalf("no target %s: %+v", name, r.Targets)
	return collector.Value{}
}

// run reads n seconds of a storm, growing linearly, and returns the last reading.
func run(t *testing.T, s *Source, from, n int, services map[string]float64, endpoints ...*exposed) *collector.Reading {
	t.Helper()
	var r *collector.Reading
	for i := range n {
		for _, e := range endpoints {
			e.text(storm(float64(100+from+i), services)...)
		}
		r = next(t, s)
	}
	return r
}

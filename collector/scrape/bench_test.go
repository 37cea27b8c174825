package scrape

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// crowd exposes 10,000 series: 1,000 services of a profile, and more of others.
func crowd(n float64) []byte {
	var b strings.Builder
	for i := range 1000 {
		for attempt := 1; attempt <= 2; attempt++ {
			fmt.Fprintf(&b, "stormtop_attempts_total{service=\"s%d\",attempt=\"%d\"} %v\n", i, attempt, n*float64(10/attempt))
		}
		fmt.Fprintf(&b, "stormtop_requests_total{service=\"s%d\"} %v\n", i, n*10)
		for k := range 7 {
			fmt.Fprintf(&b, "other_metric_%d{service=\"s%d\",zone=\"z%d\"} %v\n", k, i, k, n)
		}
	}
	return []byte(b.String())
}

// BenchmarkScrape is one scrape of 10,000 series, from the request to the reading
// of 1,000 targets, by format.
func BenchmarkScrape(b *testing.B) {
	for _, format := range []string{textType, protoType} {
		b.Run(strings.SplitN(format, ";", 2)[0], func(b *testing.B) {
			bodies := [][]byte{}
			for i := range 8 {
				body := crowd(float64(1 + i))
				if format == protoType {
					body = asProto(b, body)
				}
				bodies = append(bodies, body)
			}
			n := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", format)
				w.Write(bodies[n%len(bodies)])
				n++
			}))
			defer server.Close()
			s, _, err := Open(Config{URLs: []string{server.URL}, Clock: newClock(), Timeout: time.Minute, Known: profile.Builtin()})
			if err != nil {
				b.Fatal(err)
			}
			var r *collector.Reading
			for range 5 {
				if r, err = s.Next(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if r, err = s.Next(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			if len(r.Targets) != 1000 || len(s.store.byKey) != 10_000 {
				b.Fatalf("%d targets of %d series", len(r.Targets), len(s.store.byKey))
			}
		})
	}
}

package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"stormtop/collector/promtest"
)

// TestASimulatedRunIsPutIntoAPrometheus as OpenMetrics, and is what the run's own
// JSON counts.
func TestASimulatedRunIsPutIntoAPrometheus(t *testing.T) {
	args := []string{"simulate", "hung-threads", "--set=length=60s", "--control=false"}
	text := execute(t, append(args, "--format=openmetrics")...)
	var doc struct {
		Series []struct {
			Hops []struct{ Requests, Attempts float64 }
		}
	}
	if err := json.Unmarshal([]byte(execute(t, append(args, "--format=json")...).stdout), &doc); err != nil {
		t.Fatal(err)
	}
	var requests, attempts float64
	for _, s := range doc.Series {
		requests, attempts = requests+s.Hops[0].Requests, attempts+s.Hops[0].Attempts
	}
	for _, tools := range promtest.Toolchains(t) {
		t.Run(strings.Trim(filepath.ToSlash(tools.Prometheus), "/"), func(t *testing.T) {
			dir := t.TempDir()
			tools.Backfill(t, dir, func(w io.Writer) error {
				_, err := io.WriteString(w, text.stdout)
				return err
			})
			s := &server{promtest.Start(t, tools.Prometheus, dir, promtest.Scraping(t, nil), "--storage.tsdb.retention.time=100y"), t}
			s.Ready()
			for query, want := range map[string]float64{
				"sum(stormtop_requests_total @ 1767225660)":                         requests,
				"sum(stormtop_attempts_total @ 1767225660)":                         attempts,
				`count(stormtop_pool_wait_seconds_sum @ 1767225660)`:                1,
				`count(count by (signal) (stormtop_signal @ 1767225660)) >= bool 7`: 1,
			} {
				if got := s.until(query); got != want {
					t.Errorf("%s is %v, want %v", query, got, want)
				}
			}
		})
	}
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"stormtop/collector/promtest"
)

// server is a real Prometheus that is asked.
type server struct {
	*promtest.Server
	t *testing.T
}

// serve starts a Prometheus that scrapes the given addresses each second and
// judges the documented rule on the amplification itself.
func serve(t *testing.T, binary string, targets ...string) *server {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "rules.yml"), []byte(ruleFile), 0o600); err != nil {
		t.Fatal(err)
	}
	return &server{promtest.Start(t, binary, dir, scraping(t, targets...)), t}
}

const ruleFile = `
groups:
- name: documented
  rules:
  - alert: RetryAmplificationHigh
    expr: sum by (service) (rate(stormtop_attempts_total[4s])) / sum by (service) (rate(stormtop_requests_total[4s])) > 1.5
    for: 1m
`

// scraping is the configuration of a server that scrapes addresses.
func scraping(t *testing.T, targets ...string) string {
	return "rule_files: [rules.yml]\n" + promtest.Scraping(t, []string{"e2e"}, targets...)
}

// until waits until a query has a result that is not 0, and returns it.
func (s *server) until(query string) float64 {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		v, err := s.ask(ctx, query)
		if err == nil && v != 0 {
			return v
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			s.t.Fatalf("%s: %s is %v, %v", s.Binary, query, v, err)
		}
	}
}

// ask is the first value of an instant query, 0 when there is none.
func (s *server) ask(ctx context.Context, query string) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/api/v1/query?query="+url.QueryEscape(query), nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	var answer struct {
		Error string
		Data  struct{ Result []struct{ Value [2]any } }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Error != "" || len(answer.Data.Result) == 0 {
		return 0, fmt.Errorf("%s %w", answer.Error, err)
	}
	text, _ := answer.Data.Result[0].Value[1].(string)
	return strconv.ParseFloat(text, 64)
}

// tail is the end of a text, of about n bytes.
func tail(text string, n int) string { return text[max(0, len(text)-n):] }

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// prometheis are the programs that STORMTOP_TEST_PROMETHEUS names, as in PATH.
// Without any the test is skipped, unless STORMTOP_TEST_REQUIRE is 1.
func prometheis(t *testing.T) []string {
	t.Helper()
	list := filepath.SplitList(os.Getenv("STORMTOP_TEST_PROMETHEUS"))
	for _, binary := range list {
		if _, err := os.Stat(binary); err != nil {
			t.Fatalf("STORMTOP_TEST_PROMETHEUS names a Prometheus that is not there: %v", err)
		}
	}
	if len(list) == 0 {
		const missing = "STORMTOP_TEST_PROMETHEUS names no Prometheus: the run from the simulator through a real Prometheus to the screen was left out"
		if os.Getenv("STORMTOP_TEST_REQUIRE") == "1" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	return list
}

// server is a real Prometheus on loopback, with data that outlives it.
type server struct {
	t            *testing.T
	binary, dir  string
	address, url string
	cmd          *exec.Cmd
}

// serve starts a Prometheus that scrapes the given addresses each second and
// judges the documented rule on the amplification itself.
func serve(t *testing.T, binary string, targets ...string) *server {
	t.Helper()
	address := freeAddress(t)
	s := &server{t: t, binary: binary, dir: t.TempDir(), address: address, url: "http://" + address}
	s.configure(targets...)
	s.start()
	t.Cleanup(func() {
		if s.cmd != nil {
			s.kill()
		}
		if log, err := os.ReadFile(s.log()); err == nil && t.Failed() {
			t.Logf("what %s said:\n%s", s.binary, tail(string(log), 3000))
		}
	})
	return s
}

const ruleFile = `
groups:
- name: documented
  rules:
  - alert: RetryAmplificationHigh
    expr: sum by (service) (rate(stormtop_attempts_total[4s])) / sum by (service) (rate(stormtop_requests_total[4s])) > 1.5
    for: 1m
`

// configure writes what is scraped; a server that runs takes it at reload.
func (s *server) configure(targets ...string) {
	s.t.Helper()
	list, err := json.Marshal(targets)
	if err != nil {
		s.t.Fatal(err)
	}
	if targets == nil {
		list = []byte("[]")
	}
	text := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [rules.yml]\n"+
		"scrape_configs: [{job_name: e2e, static_configs: [{targets: %s}]}]\n", list)
	for name, content := range map[string]string{"prometheus.yml": text, "rules.yml": ruleFile} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *server) log() string { return filepath.Join(s.dir, "log") }

func (s *server) start() {
	s.t.Helper()
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.cmd = exec.Command(s.binary, "--config.file="+filepath.Join(s.dir, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(s.dir, "data"), "--web.listen-address="+s.address)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
}

// kill ends the server as a crash does.
func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
	s.cmd = nil
}

func (s *server) reload() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		s.t.Fatal(err)
	}
}

// ready waits until the server answers queries.
func (s *server) ready() {
	s.t.Helper()
	s.until("vector(1)")
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
			s.t.Fatalf("%s: %s is %v, %v", s.binary, query, v, err)
		}
	}
}

// ask is the first value of an instant query, 0 when there is none.
func (s *server) ask(ctx context.Context, query string) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/v1/query?query="+url.QueryEscape(query), nil)
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

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// tail is the end of a text, of about n bytes.
func tail(text string, n int) string { return text[max(0, len(text)-n):] }

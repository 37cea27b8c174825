package promtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// The ports that are given away: below those that the kernel takes for
// connections that go out, since one of these may have taken a port by the time
// that a server listens on it.
const firstPort, ports = 16_000, 16_000

// given counts them; tests of other packages run at the same time and begin
// elsewhere.
var given atomic.Uint32

// FreeAddress is an address on loopback on which nobody listens.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range ports {
		n := (uint32(os.Getpid())*101 + given.Add(1)) % ports
		address := fmt.Sprintf("127.0.0.1:%d", firstPort+n)
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatal("no port is free on loopback")
	return ""
}

// Scraping is a configuration in which each job scrapes the same addresses, and
// rules are judged, each second.
func Scraping(t testing.TB, jobs []string, targets ...string) string {
	t.Helper()
	list, err := json.Marshal(append([]string{}, targets...))
	if err != nil {
		t.Fatal(err)
	}
	text := "global: {scrape_interval: 1s, evaluation_interval: 1s}\nscrape_configs:\n"
	for _, job := range jobs {
		text += fmt.Sprintf("- {job_name: %s, static_configs: [{targets: %s}]}\n", job, list)
	}
	return text
}

const configFile = "prometheus.yml"

// Server is a Prometheus on loopback, with data that outlives it.
type Server struct {
	URL, Address string // where it answers
	Binary       string
	Dir          string // its data is below, in data

	t     testing.TB
	flags []string
	cmd   *exec.Cmd
	log   bytes.Buffer
}

// Start starts a server on the data below a directory. It is not waited for, and
// killed at the end of the test; when that has failed, its log is shown.
func Start(t testing.TB, binary, dir, config string, flags ...string) *Server {
	t.Helper()
	address := FreeAddress(t)
	s := &Server{URL: "http://" + address, Address: address, Binary: binary, Dir: dir, t: t, flags: append([]string{
		"--config.file=" + filepath.Join(dir, configFile), "--storage.tsdb.path=" + filepath.Join(dir, "data"), "--web.listen-address=" + address,
	}, flags...)}
	s.Configure(config)
	s.Again()
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			t.Logf("what %s said:\n%s", binary, tail(s.log.Bytes()))
		}
	})
	return s
}

// Configure writes the configuration; a server that runs takes it at Reload.
func (s *Server) Configure(text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, configFile), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// Reload has the server read its configuration again.
func (s *Server) Reload() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		s.t.Fatal(err)
	}
}

// Again starts a server that was killed, on its data and at its address.
func (s *Server) Again() {
	s.t.Helper()
	s.cmd = exec.Command(s.Binary, s.flags...)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
}

// Kill ends the server as a crash does.
func (s *Server) Kill() {
	if s.cmd != nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		s.cmd = nil
	}
}

// Ready waits until the server answers.
func (s *Server) Ready() {
	s.t.Helper()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	patience := time.After(time.Minute)
	for {
		if resp, err := http.Get(s.URL + "/-/ready"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-again.C:
		case <-patience:
			s.t.Fatalf("%s is not ready", s.URL)
		}
	}
}

// tail is the end of what a program said.
func tail(b []byte) []byte { return b[max(len(b)-3000, 0):] }

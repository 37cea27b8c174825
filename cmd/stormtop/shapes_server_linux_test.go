package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// toolchain is a Prometheus and the promtool of the same version.
type toolchain struct{ prometheus, promtool string }

// toolchains pairs what STORMTOP_TEST_PROMETHEUS names with what
// STORMTOP_TEST_PROMTOOL names, in their order; the last promtool serves the rest.
func toolchains(t *testing.T) []toolchain {
	t.Helper()
	tools := filepath.SplitList(strings.ReplaceAll(os.Getenv("STORMTOP_TEST_PROMTOOL"), ",", string(filepath.ListSeparator)))
	if len(tools) == 0 {
		if path, err := exec.LookPath("promtool"); err == nil {
			tools = []string{path}
		}
	}
	var out []toolchain
	for i, binary := range prometheis(t) {
		if len(tools) == 0 {
			t.Fatal("no promtool in PATH or STORMTOP_TEST_PROMTOOL: the shapes of the known systems cannot be loaded")
		}
		out = append(out, toolchain{binary, tools[min(i, len(tools)-1)]})
	}
	return out
}

// load starts a Prometheus that holds the series and scrapes nothing.
func (c toolchain) load(t *testing.T, series []plotted) *server {
	t.Helper()
	address := freeAddress(t)
	s := &server{t: t, binary: c.prometheus, dir: t.TempDir(), address: address, url: "http://" + address}
	c.backfill(t, series, s.dir)
	if err := os.WriteFile(filepath.Join(s.dir, "prometheus.yml"), []byte("global: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.start()
	t.Cleanup(func() {
		s.kill()
		if log, err := os.ReadFile(s.log()); err == nil && t.Failed() {
			for line := range strings.Lines(string(log)) {
				if complaint.MatchString(line) {
					t.Logf("%s: %s", s.binary, line)
				}
			}
		}
	})
	s.ready()
	return s
}

// complaint is a line of the log that tells of something wrong.
var complaint = regexp.MustCompile(`level=(?i:warn|error)`)

// backfill turns the series into blocks in dir/data.
func (c toolchain) backfill(t *testing.T, series []plotted, dir string) {
	t.Helper()
	path := filepath.Join(dir, "shape.om")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := writeOpenMetrics(file, series, time.Now()); err != nil {
		t.Fatal(err)
	}
	tool := exec.CommandContext(t.Context(), c.promtool, "tsdb", "create-blocks-from", "openmetrics", path, filepath.Join(dir, "data"))
	if out, err := tool.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", c.promtool, err, tail(string(out), 2000))
	}
}

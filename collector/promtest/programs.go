// Package promtest finds and starts real Prometheus servers for tests.
package promtest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Servers are the programs that STORMTOP_TEST_PROMETHEUS names, a list as in
// PATH. Without any the test is skipped, unless STORMTOP_TEST_REQUIRE is 1.
func Servers(t testing.TB) []string {
	t.Helper()
	return programs(t, "STORMTOP_TEST_PROMETHEUS", "")
}

// Tools are the promtools that STORMTOP_TEST_PROMTOOL names, in the order of the
// servers that they are of, else the one in PATH; else as with Servers.
func Tools(t testing.TB) []string {
	t.Helper()
	return programs(t, "STORMTOP_TEST_PROMTOOL", "promtool")
}

func programs(t testing.TB, variable, usual string) []string {
	t.Helper()
	list := filepath.SplitList(os.Getenv(variable))
	if len(list) == 0 && usual != "" {
		if path, err := exec.LookPath(usual); err == nil {
			list = []string{path}
		}
	}
	for _, path := range list {
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("%s names a program that is not there: %v", variable, err)
		}
	}
	if len(list) == 0 {
		Leave(t, variable+" names no program: "+t.Name()+" was left out")
	}
	return list
}

// Toolchain is a Prometheus and a promtool for it.
type Toolchain struct{ Prometheus, Promtool string }

// Toolchains pairs Servers with Tools in their order; the last tool serves the
// rest.
func Toolchains(t testing.TB) []Toolchain {
	t.Helper()
	tools := Tools(t)
	var out []Toolchain
	for i, binary := range Servers(t) {
		out = append(out, Toolchain{binary, tools[min(i, len(tools)-1)]})
	}
	return out
}

// Backfill turns the OpenMetrics text that is written into blocks below a
// directory, where a server that starts on it has them.
func (c Toolchain) Backfill(t testing.TB, dir string, write func(io.Writer) error) {
	t.Helper()
	path := filepath.Join(dir, "samples.om")
	file, err := os.Create(path)
	if err == nil {
		err = errors.Join(write(file), file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	tool := exec.CommandContext(t.Context(), c.Promtool, "tsdb", "create-blocks-from", "openmetrics", path, filepath.Join(dir, "data"))
	if out, err := tool.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", c.Promtool, err, tail(out))
	}
}

// Leave skips a test for what is missing on this machine, unless
// STORMTOP_TEST_REQUIRE is 1: then it fails.
func Leave(t testing.TB, missing string) {
	t.Helper()
	if os.Getenv("STORMTOP_TEST_REQUIRE") == "1" {
		t.Fatal(missing)
	}
	t.Skip(missing)
}

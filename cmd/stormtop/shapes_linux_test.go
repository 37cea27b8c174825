package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"stormtop/collector/promtest"
)

// TestShapes loads series of the exact shape of each proven system into real
// Prometheus servers, one server a shape, and lets the real program find the
// system and read what is true.
func TestShapes(t *testing.T) {
	for _, tools := range promtest.Toolchains(t) {
		t.Run(strings.Trim(filepath.ToSlash(tools.Prometheus), "/"), func(t *testing.T) {
			for _, name := range shapeNames(t) {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					readShape(t, name).verify(t, tools)
				})
			}
		})
	}
}

// TestShapesReadThroughAPairOfServers shows the program everything twice, as a
// query layer in front of a pair of Prometheus servers does: nothing but a
// warning may come of it (case A1).
func TestShapesReadThroughAPairOfServers(t *testing.T) {
	all := promtest.Toolchains(t)
	for _, name := range shapeNames(t) {
		s := readShape(t, name)
		if s.composed {
			continue // its parts are here by themselves
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.paired().verify(t, all[len(all)-1])
		})
	}
}

// verify compares what the program reads from a server with what is true.
func (s shape) verify(t *testing.T, tools promtest.Toolchain) {
	t.Helper()
	r := s.look(t, plot(t, tools, s.series))
	for _, difference := range s.differences(r) {
		t.Error(difference)
	}
	if t.Failed() {
		t.Logf("the program says:\n%s", r)
	}
}

// look reads a shape from a server with the real program.
func (s shape) look(t *testing.T, prom *server) shapeReading {
	t.Helper()
	o := execute(t, append([]string{"--once", "--format=json", "--prom=" + prom.URL}, s.args...)...)
	var r shapeReading
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		t.Fatalf("--once: status %d, %v: %q %q", o.status, err, o.stdout, o.stderr)
	}
	r.status = o.status
	return r
}

// shapeNames lists the shapes.
func shapeNames(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "shapes", "*.shape"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no shapes: %v", err)
	}
	for i, path := range paths {
		paths[i] = strings.TrimSuffix(filepath.Base(path), ".shape")
	}
	return paths
}

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWhatIsNoFileIsNoHang whoever names it: a directory, a pipe that nobody
// writes to, a device that has no end.
func TestWhatIsNoFileIsNoHang(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		dir:         "it is a directory",
		"/dev/zero": "it is larger than 1 MiB",
		pipe:        "",
		"/dev/null": "",
	} {
		text, err := readSmall(name)
		if want == "" && (err != nil || len(text) > 0) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %d bytes, %v, want %q", name, len(text), err, want)
		}
	}
	for _, verb := range [][]string{{"simulate", pipe}, {"scenarios", "--show", pipe}, {"--plain", "--sim=" + pipe}, {"--once", "--sim=" + dir + "/"}, {"simulate", "/dev/zero"}} {
		var out, errs strings.Builder
		status := run(t.Context(), verb, nil, strings.NewReader(""), &out, &errs)
		if status != exitUsage || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "stormtop scenarios") {
			t.Errorf("%v: status %d, %q", verb, status, errs.String())
		}
	}
}

package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestADiskThatIsFullIsToldOnceAndStopsNothing(t *testing.T) {
	args := []string{"--plain", "--sim=lab:S3", "--speed=1000x", "--for=30s"}
	want := execute(t, args...)
	got := execute(t, append(args, "--record=/dev/full", "--force")...)
	if got.status != want.status || strings.Count(got.stdout, "\n") != strings.Count(want.stdout, "\n") {
		t.Errorf("status %d and %d lines, without the recording %d and %d", got.status, strings.Count(got.stdout, "\n"), want.status, strings.Count(want.stdout, "\n"))
	}
	if got.stderr != "stormtop: note: the recording ends here: /dev/full: no space left on device\n" {
		t.Errorf("standard error: %q", got.stderr)
	}
	c := onConsole(t, 120, 40, false, nil, "--sim=demo", "--speed=20x", "--record=/dev/full", "--force")
	c.wait("the screen and the notice", func(s string) bool {
		return strings.Contains(s, stormTarget) && strings.Contains(s, "the recording ends here: /dev/full: no space left on device")
	})
	c.keys("q")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if said := afterTheScreen(c); strings.Count(said, "/dev/full") != 1 {
		t.Errorf("not told once more after the screen: %q", said)
	}
}

func TestARecordingIsForItsOwnerAloneAndNeverOverAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "storm.rec")
	args := []string{"--plain", "--sim=lab:S3", "--speed=1000x", "--for=3s", "--record=" + file}
	if o := execute(t, args...); o.status != 0 || o.stderr != "" {
		t.Fatalf("status %d, %s", o.status, o.stderr)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if o := execute(t, args...); o.status != exitUsage || o.stdout != "" || !strings.Contains(o.stderr, "--force") {
		t.Errorf("over another: status %d, %q %q", o.status, o.stdout, o.stderr)
	}
	if o := execute(t, append(args, "--force")...); o.status != 0 || o.stderr != "" {
		t.Errorf("with --force: status %d, %q", o.status, o.stderr)
	}
	if o := execute(t, "--plain", "--sim=lab:S3", "--for=3s", "--record="+filepath.Dir(file), "--force"); o.status != exitUsage || !strings.Contains(o.stderr, "is a directory") {
		t.Errorf("over a directory: status %d, %q", o.status, o.stderr)
	}
}

// TestARecordingMayGoThroughAPipe: what has no disk behind it cannot be brought
// to one.
func TestARecordingMayGoThroughAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := start(t, "--plain", "--sim=lab:S3", "--speed=1000x", "--record="+pipe, "--force")
	text, err := os.ReadFile(pipe)
	if err != nil {
		t.Fatal(err)
	}
	if status, errs := finish(t, cmd, stdout, stderr); status != 0 || errs != "" {
		t.Errorf("status %d, %q", status, errs)
	}
	if n := strings.Count(string(text), `"type":"reading"`); n < 60 {
		t.Errorf("%d readings came through", n)
	}
}

// TestAKilledRecordingLosesAtMostItsLastLine kills the program as nothing can be
// caught, after so many lines were seen.
func TestAKilledRecordingLosesAtMostItsLastLine(t *testing.T) {
	for _, lines := range []int{1, 2, 7, 40, 150} {
		file := filepath.Join(t.TempDir(), "storm.rec")
		cmd, stdout, stderr := start(t, "--plain", "--sim=demo", "--speed=100x", "--record="+file)
		last := readLines(t, stdout, lines)
		cmd.Process.Kill()
		finish(t, cmd, stdout, stderr)
		o := execute(t, "--replay="+file, "--plain")
		if o.status > 1 || !strings.Contains("\n"+o.stdout, "\n"+last) {
			t.Errorf("killed after line %d: status %d, %q, and the line is lost: %q", lines, o.status, o.stderr, last)
		}
		if o.stderr != "" && !strings.Contains(o.stderr, "was cut short and is dropped") {
			t.Errorf("killed after line %d: %q", lines, o.stderr)
		}
	}
}

// readLines reads so many lines and returns the last one.
func readLines(t *testing.T, from *bufio.Reader, n int) (last string) {
	t.Helper()
	for range n {
		line, err := from.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		last = line
	}
	return last
}

// TestALoopBeginsAgainLaterThanItsEnd plays a minute three times.
func TestALoopBeginsAgainLaterThanItsEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "storm.rec")
	recordsOf(t, "--sim=lab:S3", "--speed=1000x", "--record="+file)
	one := recordsOf(t, "--replay="+file)
	readings := 0
	for _, r := range one {
		if r.isReading() {
			readings++
		}
	}
	var before time.Time
	n := 0
	for _, r := range recordsOf(t, "--replay="+file, "--loop", "--for=3m") {
		if !r.isReading() {
			continue
		}
		if n++; !r.At.After(before) {
			t.Fatalf("reading %d is of %s, the one before of %s", n, r.At, before)
		}
		before = r.At
	}
	if n < 2*readings || n > 4*readings {
		t.Errorf("%d readings in three minutes of a loop of %d", n, readings)
	}
}

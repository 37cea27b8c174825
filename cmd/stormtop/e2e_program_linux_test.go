package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// follower is a "stormtop --plain --format=json" that runs in the background,
// and all that it has written.
type follower struct {
	t    *testing.T
	cmd  *exec.Cmd
	done chan struct{}

	mu      sync.Mutex
	records []record
	errs    strings.Builder
	changed chan struct{} // closed when something was written
}

// followPlain starts a follower; it is killed at the end of the test.
func followPlain(t *testing.T, args ...string) *follower {
	t.Helper()
	f := &follower{t: t, done: make(chan struct{}), changed: make(chan struct{})}
	f.cmd = exec.Command("stormtop", append([]string{"--plain", "--format=json"}, args...)...)
	f.cmd.Env = plainEnv(t)
	stdout, err := f.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := f.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var reading sync.WaitGroup
	reading.Go(func() { f.read(stdout, f.take) })
	reading.Go(func() { f.read(stderr, func(line string) { f.errs.WriteString(line + "\n") }) })
	go func() {
		reading.Wait()
		f.cmd.Wait()
		close(f.done)
	}()
	t.Cleanup(func() {
		f.cmd.Process.Kill()
		<-f.done
		if t.Failed() {
			t.Logf("stormtop %s: %d lines, standard error %q", strings.Join(args, " "), len(f.records), f.errs.String())
		}
	})
	return f
}

// plainEnv is an environment in which nothing is configured.
func plainEnv(t *testing.T) []string {
	return []string{"HOME=" + t.TempDir(), "LANG=C.UTF-8", atOnce}
}

func (f *follower) read(from io.Reader, take func(line string)) {
	s := bufio.NewScanner(from)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		f.mu.Lock()
		take(s.Text())
		close(f.changed)
		f.changed = make(chan struct{})
		f.mu.Unlock()
	}
}

func (f *follower) take(line string) {
	var r record
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		f.t.Errorf("a line that is no JSON: %v: %q", err, line)
	}
	f.records = append(f.records, r)
}

// wait returns the first record from the one with index from on that satisfies
// want, and its index.
func (f *follower) wait(from int, what string, want func(record) bool) (record, int) {
	f.t.Helper()
	deadline := time.After(2 * time.Minute)
	for next := from; ; {
		f.mu.Lock()
		for ; next < len(f.records); next++ {
			if r := f.records[next]; want(r) {
				f.mu.Unlock()
				return r, next
			}
		}
		changed, errs := f.changed, f.errs.String()
		f.mu.Unlock()
		select {
		case <-changed:
		case <-f.done:
			f.t.Fatalf("the program ended before %s: %s", what, errs)
		case <-deadline:
			f.t.Fatalf("no %s after %d records: %s", what, next, errs)
		}
	}
}

// event waits for a transition of RetryAmplificationHigh on demo/payments.
func (f *follower) event(from int, kind string) (record, int) {
	f.t.Helper()
	return f.wait(from, "event "+kind, func(r record) bool { return r.Kind == kind && r.aboutTheStorm() })
}

// after waits for the first reading of an instant or later.
func (f *follower) after(at time.Time) record {
	f.t.Helper()
	r, _ := f.wait(0, "reading of "+at.String(), func(r record) bool { return r.isReading() && !r.At.Before(at) })
	return r
}

// seen is a copy of what was written up to now.
func (f *follower) seen() []record {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.records)
}

// stop ends the program as ctrl-c does and returns its exit status.
func (f *follower) stop() int {
	f.t.Helper()
	if err := f.cmd.Process.Signal(syscall.SIGINT); err != nil {
		f.t.Fatal(err)
	}
	select {
	case <-f.done:
	case <-time.After(time.Minute):
		f.t.Fatal("the program does not end")
	}
	return f.cmd.ProcessState.ExitCode()
}

// outcome is how a program that ran to its end did.
type outcome struct {
	status         int
	stdout, stderr string
}

// execute runs the program to its end.
func execute(t *testing.T, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "stormtop", args...)
	cmd.Env = plainEnv(t)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// once takes one reading as JSON.
func once(t *testing.T, args ...string) (record, int) {
	t.Helper()
	o := execute(t, append([]string{"--once", "--format=json"}, args...)...)
	var r record
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		t.Fatalf("--once: status %d, %v: %q %q", o.status, err, o.stdout, o.stderr)
	}
	return r, o.status
}

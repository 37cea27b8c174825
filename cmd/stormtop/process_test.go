package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// start runs the real program; testscript has put it on the path.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *bufio.Reader) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, "stormtop", args...)
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + t.TempDir(), atOnce}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(out), bufio.NewReader(errs)
}

// finish waits for the end and returns the exit status.
func finish(t *testing.T, cmd *exec.Cmd, stdout, stderr io.Reader) (int, string) {
	t.Helper()
	go io.Copy(io.Discard, stdout)
	rest, _ := io.ReadAll(stderr)
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(rest)
}

func TestASignalEndsThePlainModeWithTheStatusOfTheLastReading(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		cmd, stdout, stderr := start(t, "--sim=demo", "--speed=20x", "--plain", "--amplification-threshold=0.5", "--amplification-for=0")
		if _, err := stdout.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if status, errs := finish(t, cmd, stdout, stderr); status != 1 || errs != "" {
			t.Errorf("%v: exit status %d, want 1, and %q", signal, status, errs)
		}
	}
}

func TestListenPublishesWhileThePlainModeRuns(t *testing.T) {
	cmd, stdout, stderr := start(t, "--sim=demo", "--plain", "--listen=127.0.0.1:0")
	note, err := stderr.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, ok := strings.Cut(strings.TrimSpace(note), "publishing on ")
	if !ok {
		t.Fatalf("the address is not told: %q", note)
	}
	if _, err := stdout.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`stormtop_attempts_total{attempt="1",service="demo/payments"} `,
		`stormtop_requests_total{service="demo/payments"} `,
		`stormtop_signal{signal="amplification",target="demo/payments"} 1`,
	} {
		if !strings.Contains(string(body), "\n"+want) {
			t.Errorf("%q is not published", want)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status, errs := finish(t, cmd, stdout, stderr); status != 0 || errs != "" {
		t.Errorf("exit status %d, %q", status, errs)
	}
	if again, err := http.Get(url); err == nil {
		again.Body.Close()
		t.Error("it is still published")
	}
}

func TestAPortInUseIsAnErrorBeforeAnythingIsShown(t *testing.T) {
	first, stdout, stderr := start(t, "--sim=demo", "--plain", "--listen=127.0.0.1:0")
	note, err := stderr.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSuffix(strings.TrimSpace(note[strings.Index(note, "http://")+7:]), "/metrics")
	second, out, errs := start(t, "--sim=demo", "--plain", "--listen="+address)
	if status, text := finish(t, second, out, errs); status != 2 || !strings.Contains(text, "another program uses that port") {
		t.Errorf("exit status %d, %q", status, text)
	}
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	finish(t, first, stdout, stderr)
}

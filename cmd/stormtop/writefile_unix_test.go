//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestADeviceIsWrittenToAndNotReplaced: nothing is read of a pipe that nobody
// writes to.
func TestADeviceIsWrittenToAndNotReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "null")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Fatal(err)
	}
	p, err := propose(name, []byte("ours\n"))
	if err != nil || p.exists || p.same() {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := p.write(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
		t.Errorf("it was replaced: %v, %v", info, err)
	}
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	defer in.Close()
	pipe := fmt.Sprintf("/dev/fd/%d", in.Fd())
	if p, err = propose(pipe, []byte("ours\n")); err != nil {
		t.Fatal(err)
	}
	if err := p.write(); err != nil {
		t.Error(err)
	}
	got := make([]byte, 5)
	if _, err := io.ReadFull(out, got); err != nil || string(got) != "ours\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAPipeThatNobodyReadsIsRefused, for opening it would wait for ever.
func TestAPipeThatNobodyReadsIsRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := propose(name, []byte("ours\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.write(); err == nil || !strings.Contains(err.Error(), "nobody reads") {
		t.Errorf("%v", err)
	}
}

//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// shell reads a command line.
var shell = []string{"/bin/sh", "-c"}

// alone puts a command into a process group of its own, so that all that it has
// started ends with it, and no key of the terminal reaches it.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

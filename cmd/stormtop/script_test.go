package main

import (
	"errors"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"stormtop": main})
}

// atOnce keeps the race detector from waiting a second at each program's end.
const atOnce = "GORACE=atexit_sleep_ms=0"

// TestScript runs the real program on the scripts in testdata/script.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, atOnce)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": exitsWith},
	})
}

// exitsWith is the script command "status N PROGRAM ARGS...": like exec, but
// the exit status must be N.
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case err == nil && want != 0:
		ts.Fatalf("exit status 0, want %d", want)
	case errors.As(err, &exit) && exit.ExitCode() != want:
		ts.Fatalf("exit status %d, want %d", exit.ExitCode(), want)
	case err != nil && !errors.As(err, &exit):
		ts.Fatalf("%v", err)
	}
}

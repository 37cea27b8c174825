package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"stormtop/simfeed/simulate"
)

// runSimulate runs the verb simulate. Ctrl+c and a polite kill end its runs, of
// which what was computed is then written.
func runSimulate(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return simulate.Command(ctx, args, simulate.World{
		Stdout: stdout, Stderr: stderr, ReadFile: readScenario, Now: time.Now,
		Progress: isTerminal(stderr), Cores: runtime.GOMAXPROCS(0),
	})
}

// readScenario reads the file of a scenario.
func readScenario(name string) ([]byte, error) {
	text, err := readSmall(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read, %w", shownName(name), fileReason(err))
	}
	return text, nil
}

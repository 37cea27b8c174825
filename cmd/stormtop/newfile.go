package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"stormtop/collector"
)

// stampOf begins the names of files that keys write: the time of the data.
func stampOf(at time.Time) string { return "stormtop-" + at.UTC().Format("20060102T150405Z") }

// mostNames is how many files of one second there may be.
const mostNames = 999

// freeName tries base, base-2, base-3 and so on until create finds that none of
// its files exists yet (os.ErrExist), and returns the one that it took.
func freeName(base string, create func(base string) error) (string, error) {
	for n := 1; n <= mostNames; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		if err := create(name); !errors.Is(err, os.ErrExist) {
			return name, err
		}
	}
	return "", fmt.Errorf("%s and all names up to -%d are taken", base, mostNames)
}

// createNew makes a file that is for the user alone, never in place of another.
func createNew(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", collector.Clean(name), unwrapPath(err))
	}
	return f, nil
}

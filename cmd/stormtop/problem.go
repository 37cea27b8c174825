package main

import (
	"errors"
	"sort"
	"strings"
)

// allErrors makes one error of several, each of which is a sentence or problems;
// what is said twice is said once. It is nil when all are.
func allErrors(errs ...error) error {
	var lines []error
	seen := map[string]bool{}
	for _, err := range errs {
		if err == nil {
			continue
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !seen[line] {
				lines = append(lines, errors.New(line))
			}
			seen[line] = true
		}
	}
	return errors.Join(lines...)
}

// problem is something wrong in the command line, the environment or the
// configuration file: a place and a sentence with its remedy.
type problem struct {
	at   string // "--span", "STORMTOP_SPAN", "/etc/stormtop.yaml:3"
	line int    // in a file, to sort by; 0 elsewhere
	err  error
}

// problems are all that is wrong at once.
type problems []problem

func (p *problems) add(at string, err error) { *p = append(*p, problem{at: at, err: err}) }

// Error has a line for each problem.
func (p problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.at + " " + one.err.Error()
		if one.line > 0 {
			lines[i] = one.at + ": " + one.err.Error()
		}
	}
	return strings.Join(lines, "\n")
}

// err is the problems as an error, nil when there are none.
func (p problems) orNil() error {
	if len(p) == 0 {
		return nil
	}
	sort.SliceStable(p, func(i, j int) bool { return p[i].line < p[j].line })
	return p
}

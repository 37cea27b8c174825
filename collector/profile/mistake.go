package profile

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"stormtop/collector"
)

// mostMistakes is how many mistakes of one file are told.
const mostMistakes = 20

// mistake is one thing that is wrong with a file; line 0 is the file as a whole.
type mistake struct {
	line int
	err  error
}

func (r *reader) wrong(line int, format string, args ...any) {
	r.mistakes = append(r.mistakes, mistake{line, fmt.Errorf(format, args...)})
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): (.*)$`)

// malformed notes that the file is no YAML.
func (r *reader) malformed(err error) {
	text, line := collector.Clean(err.Error()), 0
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	r.wrong(line, "malformed YAML: %s", text)
}

// report joins the mistakes, a line of text each, in the order of the file.
func (r *reader) report(name string) error {
	slices.SortStableFunc(r.mistakes, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	name = collector.Clean(name)
	var out []error
	for i, m := range r.mistakes {
		switch {
		case i == mostMistakes:
			return errors.Join(append(out, fmt.Errorf("profile %s: and %d more mistakes", name, len(r.mistakes)-i))...)
		case m.line > 0:
			out = append(out, fmt.Errorf("profile %s, line %d: %w", name, m.line, m.err))
		default:
			out = append(out, fmt.Errorf("profile %s: %w", name, m.err))
		}
	}
	return errors.Join(out...)
}

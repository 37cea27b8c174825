package recording

import (
	"fmt"
)

// maxProblems is how many bad lines are remembered; all of them are counted.
const maxProblems = 20

// Problem is a line that could not be read and was skipped.
type Problem struct {
	Line int    // counted from 1
	Text string // what is wrong with it, for people, cleaned
}

// String names the line.
func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }

// Report is what became of the lines of a recording that were no entries.
type Report struct {
	Problems []Problem // the first bad lines, at most 20
	Bad      int       // how many bad lines there were
	Unknown  int       // lines of types that this version does not know
	Cut      int       // the number of the last line, when it was cut short and dropped; else 0
}

// Notes are sentences for people: what was left out, and why.
func (r Report) Notes() []string {
	var out []string
	for _, p := range r.Problems {
		out = append(out, "the recording's "+p.String()+": the line is skipped")
	}
	if more := r.Bad - len(r.Problems); more > 0 {
		out = append(out, fmt.Sprintf("%d more bad lines of the recording are skipped", more))
	}
	if r.Unknown > 0 {
		out = append(out, fmt.Sprintf("%d lines of the recording are of a kind that a newer version writes: they are skipped", r.Unknown))
	}
	if r.Cut > 0 {
		out = append(out, fmt.Sprintf("the recording's last line (%d) was cut short and is dropped", r.Cut))
	}
	return out
}

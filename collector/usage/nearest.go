// Package usage has the words for mistakes on a command line and in a
// configuration, the same ones for every verb of the program. Its errors begin
// with the value and end with the remedy; the place is put in front by the
// caller.
package usage

import (
	"strings"

	"stormtop/collector"
)

// DidYouMean is ", did you mean x" for the candidate nearest to what was typed,
// or "" when none is near.
func DidYouMean(typed string, candidates []string) string {
	if near := Nearest(typed, candidates); near != "" {
		return ", did you mean " + near
	}
	return ""
}

// Nearest is the candidate with the fewest edits from typed, or "" when it
// would take more than one and more than a third of the letters. A candidate
// that begins with three letters or more of what was typed is near, too. The
// first of equals wins.
func Nearest(typed string, candidates []string) string {
	if len(typed) > 64 {
		return ""
	}
	typed = strings.ToLower(collector.Clean(typed))
	best, fewest := "", max(1, len(typed)/3)+1
	for _, c := range candidates {
		d := edits(typed, strings.ToLower(c))
		if len(typed) > 2 && strings.HasPrefix(strings.ToLower(c), typed) {
			d = min(d, 1)
		}
		if d < fewest && d < max(len(typed), len(c)) {
			best, fewest = c, d
		}
	}
	return best
}

// edits is the number of letters to insert, delete, replace or swap with their
// neighbour to make b of a.
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

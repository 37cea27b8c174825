package usage

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks text at blanks into lines of at most width characters; a longer
// word has a line of its own. No text is one empty line.
func Wrap(text string, width int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			out, line = append(out, line), word
		}
	}
	return append(out, line)
}

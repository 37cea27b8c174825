package usage

import (
	"slices"
	"strings"
	"testing"
)

func TestTextIsWrappedAtBlanks(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one", 10, []string{"one"}},
		{"one two  three", 7, []string{"one two", "three"}},
		{"a longerthanaline b", 5, []string{"a", "longerthanaline", "b"}},
		{"→ → →", 3, []string{"→ →", "→"}}, // characters, not bytes
	} {
		if got := Wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q at %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestWrapKeepsEveryWord(t *testing.T) {
	text := "one two three fourteen x"
	for width := range 30 {
		if lines := Wrap(text, width); strings.Join(lines, " ") != text {
			t.Errorf("at %d: %q", width, lines)
		}
	}
}

package doctor

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestNoLineIsWiderThanThePageWhereWordsAllowIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z×→]{1,40}`)
		p := &page{ascii: rapid.Bool().Draw(t, "ascii")}
		topic := rapid.StringMatching(`[a-z_]{1,12}`).Draw(t, "topic")
		p.entry("!", topic, strings.Join(rapid.SliceOf(word).Draw(t, "text"), " "))
		p.advice(strings.Join(rapid.SliceOf(word).Draw(t, "remedy"), " "))
		p.spread(word.Draw(t, "left"), word.Draw(t, "right"))
		for line := range strings.Lines(p.String()) {
			line = strings.TrimSuffix(line, "\n")
			limit := pageWidth
			if p.ascii { // one character of ours may become two
				limit *= 2
			}
			if n := utf8.RuneCountInString(line); n > limit {
				t.Fatalf("%d columns: %q", n, line)
			}
			if p.ascii && strings.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
				t.Fatalf("not ASCII: %q", line)
			}
		}
	})
}

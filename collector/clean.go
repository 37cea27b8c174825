package collector

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from outside safe for a terminal and for one line: control
// characters (C0, DEL, C1), bidirectional overrides, other invisible format
// characters and invalid UTF-8 become U+FFFD, so that a row stays a row and
// nothing can move the cursor, set a title or fill a clipboard.
func Clean(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if harmless(r) {
			b.WriteRune(r)
		} else {
			b.WriteRune(utf8.RuneError)
		}
	}
	return b.String()
}

func clean(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

func harmless(r rune) bool {
	switch {
	case r < 0x20, r == 0x7f, r == utf8.RuneError:
		return false
	case r >= 0x80 && r < 0xa0:
		return false
	case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
		return false
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) || unicode.Is(unicode.M, r)
}

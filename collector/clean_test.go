package collector

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCleanKeepsARowARow(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text", "payments-channel", "payments-channel"},
		{"other scripts", "оплата 支払い é", "оплата 支払い é"},
		{"bars of Istio", "outbound|9080||reviews.default.svc", "outbound|9080||reviews.default.svc"},
		{"colour", "a\x1b[31mred", "a\uFFFD[31mred"},
		{"clipboard", "a\x1b]52;c;ZXZpbA==\x07", "a\uFFFD]52;c;ZXZpbA==\uFFFD"},
		{"title", "\x1b]0;owned\x1b\\", "\uFFFD]0;owned\uFFFD\\"},
		{"carriage return", "real\rfake", "real\uFFFDfake"},
		{"line feed", "one\ntwo", "one\uFFFDtwo"},
		{"tab", "one\ttwo", "one\uFFFDtwo"},
		{"bell", "\a", "\uFFFD"},
		{"delete", "a\x7f", "a\uFFFD"},
		{"C1 as a character", "a\u009b31m", "a\uFFFD31m"},
		{"C1 as a byte", "a\x9b31m", "a\uFFFD31m"},
		{"next line", "a\u0085b", "a\uFFFDb"},
		{"right-to-left override", "a\u202egpj.exe", "a\uFFFDgpj.exe"},
		{"isolates", "\u2066a\u2069", "\uFFFDa\uFFFD"},
		{"zero width", "pay\u200bments", "pay\uFFFDments"},
		{"line separator", "a\u2028b\u2029c", "a\uFFFDb\uFFFDc"},
		{"tag characters", "a\U000E0041", "a\uFFFD"},
		{"private use", "a\ue000", "a\uFFFD"},
		{"cut short", "a\xe2\x82", "a\uFFFD\uFFFD"},
		{"surrogate", "a\xed\xa0\x80", "a\uFFFD\uFFFD\uFFFD"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func FuzzCleanLeavesNothingHarmful(f *testing.F) {
	for _, s := range []string{"orders", "\x1b[31m", "\x1b]52;c;x\x07", "\r\n", "\u202e", "\xff\xfe", "支払い"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Clean(s)
		if !utf8.ValidString(out) {
			t.Errorf("Clean(%q) = %q is not valid UTF-8", s, out)
		}
		if i := strings.IndexFunc(out, func(r rune) bool {
			return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
		}); i >= 0 {
			t.Errorf("Clean(%q) = %q still has a control character at %d", s, out, i)
		}
		if again := Clean(out); again != out {
			t.Errorf("Clean(%q) = %q, and cleaned again %q", s, out, again)
		}
		if utf8.RuneCountInString(out) != utf8.RuneCountInString(s) {
			t.Errorf("Clean(%q) = %q has another length", s, out)
		}
	})
}

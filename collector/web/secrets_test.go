package web

import (
	"testing"
)

func TestURLsAreMasked(t *testing.T) {
	for in, want := range map[string]string{
		"http://eve:pw@h/x":                         "http://h/x",
		`Get "https://eve:p@w@h:1/x": dial tcp`:     `Get "https://h:1/x": dial tcp`,
		"a http://token@h and http://x:y@z":         "a http://h and http://z",
		"mail me@example":                           "mail me@example",
		"http://h/@x":                               "http://h/@x",
		"no address":                                "no address",
		"https://h/path?user=a@b":                   "https://h/path?user=a@b",
		"http://user:pa%2Fss@prom.example:9090/a/b": "http://prom.example:9090/a/b",
	} {
		if got := maskURLs(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSecretsAreMaskedInTheirForms(t *testing.T) {
	var s Secrets
	s.Add("pw")
	s.Add("p@ss word/1")
	for in, want := range map[string]string{
		"the word pw, not spwan":      "the word ***, not spwan",
		"p@ss word/1":                 "***",
		"x=p%40ss+word%2F1":           "x=***",
		"cEBzcyB3b3JkLzE= is no help": "*** is no help",
		"from http://a:b@h\x1b[31m\r": "from http://h\ufffd[31m\ufffd",
	} {
		if got := s.Mask(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

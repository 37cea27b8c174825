package collector

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAQuotedTextShowsNoCredentials(t *testing.T) {
	for text, want := range map[string]string{
		"":                            `""`,
		"5":                           `"5"`,
		"a b":                         `"a b"`,
		"a\x1b[31m\nb":                "\"a\ufffd[31m\ufffdb\"",
		"@user:secret@h":              `"***@h"`,
		"me@example":                  `"me@example"`,
		"http://h:9090/x":             `"http://h:9090/x"`,
		"http://user:secret@h":        `"http://***@h"`,
		"http://secret@h":             `"http://***@h"`,
		"user:secret@h":               `"***@h"`,
		"https://user:sec/re?t@h:x":   `"https://***@h:x"`,
		"http://user:sec@ret@h":       `"http://***@h"`,
		"http://h/?token=secret":      `"http://h/?***"`,
		"lab:http://user:secret@h":    `"lab:http://***@h"`,
		"http://a:secret@b,c:secret@": `"http://***@"`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q is quoted as %s, want %s", text, got, want)
		}
	}
}

func TestNothingInFrontOfTheLastAtOfAnAddressIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[^\n]{0,8}s3cret[^\n]{0,8}`).Draw(t, "secret")
		for _, text := range []string{"http://" + secret + "@h", "u:" + secret + "@h", secret + "://u:s3cret@h"} {
			shown := Quote(text)
			if i := strings.LastIndex(shown, "://"); strings.Contains(shown[max(i, 0):], "s3cret") {
				t.Fatalf("%q is quoted as %s", text, shown)
			}
		}
	})
}

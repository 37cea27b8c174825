package scrape

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// configured writes an HTTP client configuration and returns its name.
func configured(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "http.yml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCredentialsComeFromTheFileThatAPrometheusIsReadWith(t *testing.T) {
	e := expose(t)
	e.text(storm(1, map[string]float64{"orders": 1})...)
	file := configured(t, "authorization: {credentials: hush-12345}")
	next(t, open(t, newClock(), func(c *Config) { c.HTTPFile = file }, e))
	if got := e.requests[0].Header.Get("Authorization"); got != "Bearer hush-12345" {
		t.Errorf("%q was sent", got)
	}
	e.text("hush-12345 {") // what cannot be read is quoted
	r := next(t, open(t, newClock(), func(c *Config) { c.HTTPFile = file }, e))
	if text := r.Failures[0].Text; strings.Contains(text, "hush") || !strings.Contains(text, "cannot be read") {
		t.Errorf("%s", text)
	}
}

func TestAFileThatCannotBeUsedIsRefusedAtStart(t *testing.T) {
	gone := func(string) error { return &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist} }
	for text, want := range map[string]string{
		"basic_auth: {username: e, password_file: pw}": "--prom.http-config: basic_auth.password_file names ",
		"basic_auth: {usernam: e}":                     `http.yml:1: unknown field "usernam"`,
	} {
		_, _, err := Open(Config{URLs: []string{"h:1"}, Clock: newClock(), HTTPFile: configured(t, text), Readable: gone})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

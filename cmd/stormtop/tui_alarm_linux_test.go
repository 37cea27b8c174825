package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAFiringIsToldOutsideOfTheScreen: by the title, the progress and the bell of
// the terminal, and by a command, whose slowness nobody waits for; all of it is
// taken back at the end.
func TestAFiringIsToldOutsideOfTheScreen(t *testing.T) {
	told := filepath.Join(t.TempDir(), "told.jsonl")
	c := onConsole(t, 100, 30, false, nil, "--sim=lab:S3", "--speed=20x", "--on-alert=cat >> "+told)
	c.wait("a firing rule in the title", func(string) bool { return strings.Contains(c.raw.String(), "\x1b]2;FIRING ") })
	c.wait("the end of the firing", func(string) bool { return lastTitle(c.raw.String()) == "\x1b]2;stormtop\a" })
	c.keys("q")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	c.requireSane()
	raw := c.raw.String()
	for what, want := range map[string]string{
		"red progress": "\x1b]9;4;2;100\a", "no progress any more": "\x1b]9;4;0\a",
	} {
		if !strings.Contains(raw, want) {
			t.Errorf("no %s", what)
		}
	}
	if n := strings.Count(withoutTitles.ReplaceAllString(raw, ""), "\a"); n == 0 || n > 2 {
		t.Errorf("the bell rang %d times for two rules that began to fire", n)
	}
	text, err := os.ReadFile(told)
	if err != nil || strings.Count(string(text), `"kind":"firing"`) != 2 {
		t.Errorf("%v, the command was told %s", err, text)
	}
}

// TestTheBellCanBeSilenced, and does not ring for a demo that nobody asked for.
func TestTheBellCanBeSilenced(t *testing.T) {
	c := onConsole(t, 100, 30, false, nil, "--sim=lab:S3", "--speed=20x", "--no-bell")
	c.wait("a firing rule in the title", func(string) bool { return strings.Contains(c.raw.String(), "\x1b]2;FIRING ") })
	c.keys("q")
	c.end()
	raw := c.raw.String()
	if strings.Contains(withoutTitles.ReplaceAllString(raw, ""), "\a") {
		t.Error("it rang")
	}
	// It was left while a rule fired.
	if i := strings.LastIndex(raw, "\x1b]9;4;"); i < 0 || !strings.HasPrefix(raw[i:], "\x1b]9;4;0\a") {
		t.Error("the progress stays behind")
	}
	if title := lastTitle(raw); strings.Contains(title, "FIRING") {
		t.Errorf("the title stays behind: %q", title)
	}
}

// withoutTitles are the commands to a terminal that end with a bell.
var withoutTitles = regexp.MustCompile(`\x1b\][^\a\x1b]*\a`)

// lastTitle is what was written up to the end of the last title.
func lastTitle(raw string) string {
	i := strings.LastIndex(raw, "\x1b]2;")
	if i < 0 {
		return ""
	}
	end := strings.IndexByte(raw[i:], '\a')
	if end < 0 {
		return ""
	}
	return raw[i : i+end+1]
}

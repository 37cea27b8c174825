package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"stormtop/alerts"
	"stormtop/simfeed/lab/labcmd"
)

// TestTheCommandsOfTheREADMEAreUnderstood reads every command of the README as
// the program would: flags, settings, and the choice of screen or none.
func TestTheCommandsOfTheREADMEAreUnderstood(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, line := range commands(string(text)) {
		args := shellWords(line)
		if len(args) > 2 && args[0] == "go" && args[1] == "run" {
			args = args[2:]
		} else if args[0] != "stormtop" {
			continue
		}
		args = args[1:]
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "=URL", "=http://127.0.0.1:9090")
		}
		found++
		if len(args) > 0 && args[0] == "lab" {
			if status := labcmd.Command(t.Context(), args[1:], io.Discard, io.Discard); status != 0 {
				t.Errorf("%q ends with %d", line, status)
			}
			continue
		}
		all := options(groups(alerts.Documented()))
		flags, rest, err := readFlags(all, args)
		if err != nil || len(rest) > 0 {
			t.Errorf("%q: %v, left over %q", line, err, rest)
			continue
		}
		r, err := resolve(all, flags, environ{"HOME=" + t.TempDir()})
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		if _, err := r.chooseMode(true); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	if found < 10 {
		t.Errorf("only %d commands found", found)
	}
}

// commands are the lines of the shell blocks, continued lines joined.
func commands(markdown string) []string {
	var out []string
	for i, block := range strings.Split(markdown, "```") {
		if body, ok := strings.CutPrefix(block, "sh\n"); ok && i%2 == 1 {
			body = strings.ReplaceAll(body, "\\\n", " ")
			out = append(out, strings.Split(strings.TrimSpace(body), "\n")...)
		}
	}
	return out
}

// shellWords splits a line as a shell does, single quotes and comments included.
func shellWords(line string) []string {
	var out []string
	word, quoted := "", false
	for _, r := range line + " " {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			if word != "" {
				out = append(out, word)
			}
			word = ""
		default:
			word += string(r)
		}
	}
	if i := slices.Index(out, "#"); i >= 0 {
		out = out[:i]
	}
	return out
}

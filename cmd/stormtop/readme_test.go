package main

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"stormtop/alerts"
	"stormtop/collector/profile/profilecmd"
	"stormtop/simfeed/lab/labcmd"
	"stormtop/simfeed/scenario/scenariocmd"
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
		if len(args) > 0 && args[0] == "scenarios" {
			if status := scenariocmd.Command(args[1:], os.ReadFile, io.Discard, io.Discard); status != 0 {
				t.Errorf("%q ends with %d", line, status)
			}
			continue
		}
		if len(args) > 0 && args[0] == "simulate" {
			over, cancel := context.WithCancel(t.Context())
			cancel() // what is understood is interrupted at once
			if status := runSimulate(over, args[1:], io.Discard, io.Discard); status != 1 {
				t.Errorf("%q ends with %d", line, status)
			}
			continue
		}
		if len(args) > 0 && args[0] == "profiles" {
			if status := profilecmd.Command(args[1:], io.Discard, io.Discard); status != 0 {
				t.Errorf("%q ends with %d", line, status)
			}
			continue
		}
		if len(args) > 0 && args[0] == "doctor" { // its flags are those of the program
			args = args[1:]
		}
		all := options(groups(alerts.Documented()))
		for _, v := range []verbUsage{rulesUsage(), tuneUsage()} {
			if len(args) > 0 && args[0] == v.name {
				all, args = verbOptions(v.own), args[1:]
			}
		}
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

// TestTheConfigurationOfTheREADMEIsUnderstood reads the file with each of its
// contexts.
func TestTheConfigurationOfTheREADMEIsUnderstood(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := blocks(string(text), "yaml")
	if len(found) != 1 {
		t.Fatalf("%d configuration files found, want 1", len(found))
	}
	for arg, want := range map[string]string{
		"--context=eu1": "http://prometheus.eu1.example:9090", "--context=us1": "https://prometheus.us1.example", "--once": "http://prometheus.eu1.example:9090",
	} {
		r, err := settle(t, found[0], nil, arg)
		if err != nil {
			t.Fatal(err)
		}
		if r.settings.prom.url != want || len(r.settings.signals) != 2 || r.settings.rules.amplification.above != 2 {
			t.Errorf("%s: %+v", arg, r.settings)
		}
	}
}

// commands are the lines of the shell blocks, continued lines joined.
func commands(markdown string) []string {
	var out []string
	for _, body := range blocks(markdown, "sh") {
		body = strings.ReplaceAll(body, "\\\n", " ")
		out = append(out, strings.Split(strings.TrimSpace(body), "\n")...)
	}
	return out
}

// blocks are the blocks of a language.
func blocks(markdown, language string) []string {
	var out []string
	for i, block := range strings.Split(markdown, "```") {
		if body, ok := strings.CutPrefix(block, language+"\n"); ok && i%2 == 1 {
			out = append(out, body)
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

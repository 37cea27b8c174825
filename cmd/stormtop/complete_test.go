package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func script(t *testing.T, shell string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := runCompletion([]string{shell}, &out, &errs); status != exitOK || errs.Len() > 0 {
		t.Fatalf("status %d, %s", status, errs.String())
	}
	return out.String()
}

func TestCompletionKnowsEveryFlagAndVerb(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		text := script(t, shell)
		flags := allOptions()
		for _, v := range ofVerbs() {
			flags = append(flags, v.flags...)
		}
		for _, o := range flags {
			if !strings.Contains(text, o.name) {
				t.Errorf("%s does not know --%s", shell, o.name)
			}
		}
		for _, v := range verbs() {
			if !strings.Contains(text, v.name) {
				t.Errorf("%s does not know %s", shell, v.name)
			}
		}
	}
	for _, v := range ofVerbs() {
		if least := map[string]int{"lab": 10, "simulate": 7, "scenarios": 2}[v.verb]; len(v.flags) < least {
			t.Errorf("%d flags of %s were found, want %d or more", len(v.flags), v.verb, least)
		}
	}
}

// TestCompletionScriptsParse asks the shells that are there.
func TestCompletionScriptsParse(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		program, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed", shell)
			continue
		}
		cmd := exec.Command(program, "-n")
		if shell == "fish" {
			cmd = exec.Command(program, "--no-execute", "/dev/stdin")
		}
		cmd.Stdin = strings.NewReader(script(t, shell))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

func TestBashCompletes(t *testing.T) {
	program, err := exec.LookPath("bash")
	if err != nil {
		t.Logf("bash is not installed")
		return
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "eu1.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"stormtop l":                         "lab",
		"stormtop ":                          "doctor profiles scenarios simulate rules tune lab completion help",
		"stormtop help ":                     "doctor profiles scenarios simulate rules tune lab completion",
		"stormtop completion z":              "zsh",
		"stormtop --sp":                      "--speed= --span=",
		"stormtop --once --glyphs=b":         "braille block",
		"stormtop --glyphs ":                 "auto braille block ascii",
		"stormtop --glyphs":                  "--glyphs=",
		"stormtop --sim=lab:S":               "S1 S2 S3 S4 S5 S6",
		"stormtop --sim=d":                   "demo",
		"stormtop --span=1":                  "",
		"stormtop --signal=ingress=x --no":   "--no-bell --no-color",
		"stormtop lab --se":                  "--seeds=",
		"stormtop lab --cl":                  "--clients=",
		"stormtop lab --once":                "",
		"stormtop sim":                       "simulate",
		"stormtop simulate pay":              "payment-1945",
		"stormtop simulate payment-1945 --s": "--set= --seed=",
		"stormtop --sim=pay":                 "payment-1945",
		"stormtop --config=eu":               "eu1.yaml",
		"stormtop tune --inc":                "--incident= --incident-file= --incident-alert=",
		"stormtop tune --output eu":          "eu1.yaml",
		"stormtop rules --al":                "--alert-prefix=",
		"stormtop rules --once":              "",
	} {
		cmd := exec.Command(program, "--norc")
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(script(t, "bash") +
			"COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\nCOMP_LINE='" + line + "'\nCOMP_POINT=${#COMP_LINE}\n_stormtop\necho \"${COMPREPLY[*]}\"\n")
		out, err := cmd.Output()
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%q completes to %q (%v), want %q", line, strings.TrimSpace(string(out)), err, want)
		}
	}
}

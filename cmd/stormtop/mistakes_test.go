package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// say is what the program says of a mistake, for which it must exit with 2.
func say(t *testing.T, config string, env []string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	if config != "" {
		writeConfig(t, dir, config)
	}
	var out, errs bytes.Buffer
	env = append(env, "XDG_CONFIG_HOME="+dir)
	if status := run(t.Context(), append(args, "--print-config"), env, nil, &out, &errs); status != exitUsage || out.Len() > 0 {
		t.Errorf("%q %q %q: status %d, stdout %q, want %d and nothing", config, env, args, status, &out, exitUsage)
	}
	return errs.String()
}

func TestAFlagsNameInTheFileIsAnsweredWithItsField(t *testing.T) {
	for _, o := range allOptions() {
		for _, field := range []string{o.name, o.env(), strings.ReplaceAll(o.name, "-", "_"), strings.ReplaceAll(o.path, ".", "_")} {
			if field == o.path || field == "" || o.path == contextPath {
				continue
			}
			if field == "prom" || field == "rules" {
				continue // prom: URL and rules: FILE are taken as they are
			}
			want := ": it is " + o.path + " here, which is written as "
			if o.path == "" {
				want = ": it is a flag only, --" + o.name
			}
			for _, text := range []string{field + ": x", "contexts: {eu1: {" + field + ": x}}"} {
				if got := say(t, text, nil); !strings.Contains(got, `unknown field "`+field+`"`+want) {
					t.Errorf("%q: %s, want %q", text, got, want)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"amplification-threshold: 2":          "it is rules.amplification.threshold here, which is written as rules: {amplification: {threshold: ...}}",
		"rules.amplification.threshold: 2":    "written as rules: {amplification: {threshold: ...}}",
		"prom: {header: {a: b}}":              "it is prom.headers here, which is written as prom: {headers: ...}",
		"rules: {min-traffic: 2}":             "it is rules.min_traffic here",
		"rules: {amplification_threshold: 2}": `unknown field "rules.amplification_threshold"`,
	} {
		if got := say(t, text, nil); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %q", text, got, want)
		}
	}
}

func TestAFileMayStandBesideRulesInTheFile(t *testing.T) {
	for _, text := range []string{"rules: /a.yml", "rules: {file: /a.yml}"} {
		dir := t.TempDir()
		config := filepath.Join(dir, "c.yaml")
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{"--config=" + config, "--print-config"}, nil, nil, &out, &errs); status != exitOK || !strings.Contains(out.String(), "file: /a.yml") {
			t.Errorf("%s: status %d, %s%s", text, status, &out, &errs)
		}
	}
}

func TestAnAddressMayStandBesidePromInTheFile(t *testing.T) {
	for text, want := range map[string]string{
		"prom: http://a:9090":                            "http://a:9090",
		"prom: {url: http://a:9090}":                     "http://a:9090",
		"contexts: {eu1: {prom: b:9090}}\ncontext: eu1":  "b:9090",
		"x: &x http://c\nprom: *x":                       "",
		"prom: &p http://d\ncontexts: {eu1: {prom: *p}}": "http://d",
	} {
		r, err := settle(t, text, nil)
		switch {
		case want == "" && err == nil:
			t.Errorf("%q is accepted", text)
		case want != "" && (err != nil || r.settings.prom.url != want):
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := say(t, "prom: ftp://u:s3cret@h", nil); !strings.Contains(got, `config.yaml:1: prom "ftp://***@h" is neither http nor https`) {
		t.Error(got)
	}
}

func TestMistakesOfAllPlacesAreToldAtOnce(t *testing.T) {
	got := say(t, "span: 5\nsignals: {ingress: \"sum(rate(\", downstream: \")\"}\nby: [a b]\nprofile: nope\ncontexts: {eu1: {rate: x}}\n",
		[]string{"STORMTOP_RATE=fast", "STORMTOP_SIGNAL=ingress=a\ndownstream=sum("},
		"--context=nope", "--interval=5", "--signal=ingress=(", "--signal=downstream=[")
	for _, want := range []string{
		`stormtop: --interval "5" has no unit`, "stormtop: --signal ingress: malformed PromQL", "stormtop: --signal downstream: malformed PromQL",
		`stormtop: STORMTOP_RATE "fast" is no duration`, "stormtop: STORMTOP_SIGNAL downstream: malformed PromQL",
		`config.yaml:1: span "5" has no unit`, "config.yaml:2: signals.ingress: malformed PromQL", "config.yaml:2: signals.downstream: malformed PromQL",
		`config.yaml:3: by "a b" is no name of a label`, `config.yaml:4: profile "nope" is not known: stormtop profiles lists`, `config.yaml:5: rate "x" is no duration`,
		`stormtop: --context names the context "nope", which is not in `,
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is there %d times", want, strings.Count(got, want))
		}
	}
	if n := strings.Count(got, "\n"); n != 12 {
		t.Errorf("%d lines:\n%s", n, got)
	}
}

func TestAFileThatIsNoYAMLIsNotBlamedForItsContexts(t *testing.T) {
	if got := say(t, "a: b: c", nil, "--context=eu1"); strings.Count(got, "\n") != 1 || !strings.Contains(got, "this is no YAML") {
		t.Error(got)
	}
}

func TestAFlagWithoutAValueIsRefusedAndAnEmptyVariableIsNotSet(t *testing.T) {
	for _, name := range []string{"prom", "listen", "sim", "span", "interval", "baseline", "glyphs", "seed"} {
		if got := say(t, "", nil, "--"+name+"="); !strings.HasPrefix(got, "stormtop: --"+name+` "" is no`) {
			t.Errorf("--%s=: %q", name, got)
		}
	}
	var empty []string
	for _, o := range allOptions() {
		empty = append(empty, o.env()+"=")
	}
	if r, err := settle(t, "", empty); err != nil || len(r.notes) > 0 {
		t.Errorf("empty variables: %v, %q", err, r.notes)
	}
}

func TestNoErrorRepeatsCredentialsThatWereGivenInTheWrongPlace(t *testing.T) {
	for _, secret := range []string{"http://user:s3cret@h", "user:s3cret@h", "https://s3cret@h/?token=s3cret", "demo,http://user:s3cret@h"} {
		for _, o := range allOptions() {
			var all [][3]string // a file, a variable, an argument
			all = append(all, [3]string{"", "", "--" + o.name + "=" + secret}, [3]string{"", o.env() + "=" + secret, ""})
			if o.path != "" {
				levels := strings.Split(o.path, ".")
				all = append(all, [3]string{strings.Join(levels, ": {") + `: "` + secret + `"` + strings.Repeat("}", len(levels)-1), "", ""})
			}
			for _, c := range all {
				if strings.Contains(shownBy(t, c[0], c[1], c[2]), "s3cret") {
					t.Errorf("%q shows the secret: %s", c, shownBy(t, c[0], c[1], c[2]))
				}
			}
		}
		for _, arg := range []string{secret, "--sim=" + "lab:" + secret, "--signal=ingress=" + secret, "--signal=" + secret + "=up", "-" + secret, "--=" + secret, "--nope=" + secret} {
			if got := shownBy(t, "", "", arg); strings.Contains(got, "s3cret") {
				t.Errorf("%q shows the secret: %s", arg, got)
			}
		}
	}
}

// shownBy is what the program writes on standard error for a configuration
// file, a variable and an argument.
func shownBy(t *testing.T, config, variable, arg string) string {
	t.Helper()
	dir := t.TempDir()
	if config != "" {
		writeConfig(t, dir, config)
	}
	args := []string{"--print-config"}
	if arg != "" {
		args = append(args, arg)
	}
	var out, errs bytes.Buffer
	run(t.Context(), args, environ{variable, "XDG_CONFIG_HOME=" + dir}, nil, &out, &errs)
	return errs.String()
}

func TestOnlyAVariableThatIsReallyNearIsSuggested(t *testing.T) {
	r, err := settle(t, "", []string{"STORMTOP_BOGUS=1", "STORMTOP_ONCEE=1", "STORMTOP_PROM_HEADERS=a=b"})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(r.notes, "\n")
	want := "the variable STORMTOP_BOGUS sets nothing\n" +
		"the variable STORMTOP_ONCEE sets nothing: did you mean STORMTOP_ONCE?\n" +
		"the variable STORMTOP_PROM_HEADERS sets nothing: did you mean STORMTOP_PROM_HEADER?"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

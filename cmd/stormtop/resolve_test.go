package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// settle resolves flags, variables and the text of a configuration file.
func settle(t *testing.T, config string, env []string, args ...string) (*resolved, error) {
	t.Helper()
	home := t.TempDir()
	if config != "" {
		writeConfig(t, home, config)
	}
	all := allOptions()
	flags, _, err := readFlags(all, args)
	if err != nil {
		return nil, err
	}
	return resolve(all, flags, append(env, "XDG_CONFIG_HOME="+home))
}

// writeConfig puts a configuration file below the directory of all of them.
func writeConfig(t *testing.T, home, config string) {
	t.Helper()
	dir := filepath.Join(home, "stormtop")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFlagsGoBeforeVariablesBeforeTheFileBeforeDefaults(t *testing.T) {
	const config = "span: 10m\nbaseline: 2\nrate: 1m\n"
	env := []string{"STORMTOP_SPAN=20m", "STORMTOP_RATE=2m", "STORMTOP_BASELINE="}
	r, err := settle(t, config, env, "--span=30m")
	if err != nil {
		t.Fatal(err)
	}
	s := r.settings
	if s.span != 30*time.Minute || s.rate != 2*time.Minute || s.baseline.number != 2 || s.format != "text" {
		t.Errorf("span %v, rate %v, baseline %v, format %q", s.span, s.rate, s.baseline, s.format)
	}
	for name, want := range map[string]string{"span": "--span", "rate": "STORMTOP_RATE", "format": "default"} {
		if got := r.origins[name].at; got != want {
			t.Errorf("%s is from %q, want %q", name, got, want)
		}
	}
	if got := r.origins["baseline"].at; !strings.HasSuffix(got, "config.yaml:2") {
		t.Errorf("baseline is from %q", got)
	}
}

func TestAContextRanksBelowTheSettingsOfThePlaceThatNamedIt(t *testing.T) {
	const config = "context: a\nspan: 1m\nrate: 1m\ncontexts:\n  a: {span: 2m}\n  b: {span: 3m}\n"
	for _, test := range []struct {
		name string
		env  []string
		args []string
		want time.Duration
	}{
		{"named in the file, above the rest of it", nil, nil, 2 * time.Minute},
		{"named in the file, below the environment", []string{"STORMTOP_SPAN=9m"}, nil, 9 * time.Minute},
		{"named in the environment, below its settings", []string{"STORMTOP_CONTEXT=b", "STORMTOP_SPAN=9m"}, nil, 9 * time.Minute},
		{"named in the environment, above the file", []string{"STORMTOP_CONTEXT=b"}, nil, 3 * time.Minute},
		{"typed, above the environment", []string{"STORMTOP_SPAN=9m"}, []string{"--context=b"}, 3 * time.Minute},
		{"typed, below other flags", nil, []string{"--context=b", "--span=7m"}, 7 * time.Minute},
		{"typed as none", []string{"STORMTOP_CONTEXT=b"}, []string{"--context="}, time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := settle(t, config, test.env, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			if r.settings.span != test.want || r.settings.rate != time.Minute {
				t.Errorf("span %v, rate %v, want %v, 1m", r.settings.span, r.settings.rate, test.want)
			}
		})
	}
}

func TestAnUnknownContextNamesThoseThatExist(t *testing.T) {
	for _, test := range []struct{ config, want string }{
		{"contexts: {eu1: {}, us1: {}}", "did you mean eu1: it has eu1, us1"},
		{"span: 1m", "has none"},
		{"", "there is no configuration file"},
	} {
		_, err := settle(t, test.config, nil, "--context=eu2")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.config, err, test.want)
		}
	}
}

func TestTheStrongestPlaceNamesTheSource(t *testing.T) {
	for _, test := range []struct {
		name, config string
		env, args    []string
		prom, sim    string
		err          string
	}{
		{"a flag beats the file", "prom: {url: a}", nil, []string{"--sim=demo"}, "", "demo", ""},
		{"a flag beats the environment", "", []string{"STORMTOP_SIM=demo"}, []string{"--prom=a"}, "a", "", ""},
		{"a typed context beats the environment", "contexts: {x: {prom: {url: a}}}", []string{"STORMTOP_SIM=demo"}, []string{"--context=x"}, "a", "", ""},
		{"two flags contradict", "", nil, []string{"--sim=demo", "--prom=a"}, "", "", "--prom and --sim name two sources"},
		{"two variables contradict", "", []string{"STORMTOP_SIM=demo", "STORMTOP_PROM=a"}, nil, "", "", "STORMTOP_PROM and STORMTOP_SIM"},
		{"two variables are beaten by a flag", "", []string{"STORMTOP_SIM=demo", "STORMTOP_PROM=a"}, []string{"--prom=b"}, "b", "", ""},
		{"a file contradicts itself", "prom: {url: a}\nsim: demo", nil, nil, "", "", "config.yaml:1 and "},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := settle(t, test.config, test.env, test.args...)
			switch {
			case test.err != "":
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%v, want %q", err, test.err)
				}
			case err != nil:
				t.Error(err)
			case r.settings.prom.url != test.prom || r.settings.sim != test.sim:
				t.Errorf("prom %q, sim %q", r.settings.prom.url, r.settings.sim)
			}
		})
	}
}

func TestCredentialsStayWithTheServerTheyStandBeside(t *testing.T) {
	const config = `
prom: {url: "https://a:9090/x", headers: {T: s3cret}, params: {k: v}, http_config: /h.yaml}
contexts:
  same: {prom: {url: "https://a:9090/y"}}
  other: {prom: {url: "https://b:9090"}}
  own: {prom: {url: "https://b:9090", headers: {T: mine}}}
`
	for _, test := range []struct {
		name    string
		args    []string
		headers []pair
		file    string
	}{
		{"as configured", nil, []pair{{"T", "s3cret"}}, "/h.yaml"},
		{"another path of the same server", []string{"--prom=https://A:9090/z"}, []pair{{"T", "s3cret"}}, "/h.yaml"},
		{"another server", []string{"--prom=https://b:9090"}, nil, ""},
		{"another port", []string{"--prom=https://a:9091"}, nil, ""},
		{"the same server in clear text", []string{"--prom=http://a:9090"}, nil, ""},
		{"another server, header typed", []string{"--prom=https://b", "--prom.header=T=new"}, []pair{{"T", "new"}}, ""},
		{"header typed for the configured server", []string{"--prom.header=T=new"}, []pair{{"T", "new"}}, "/h.yaml"},
		{"a context of the same server", []string{"--context=same"}, []pair{{"T", "s3cret"}}, "/h.yaml"},
		{"a context of another server", []string{"--context=other"}, nil, ""},
		{"a context with its own header", []string{"--context=own"}, []pair{{"T", "mine"}}, ""},
		{"another server than that of the context", []string{"--context=own", "--prom=https://c"}, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := settle(t, config, nil, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			p := r.settings.prom
			if !slices.Equal(p.headers, test.headers) || p.httpConfig != test.file || (p.params == nil) != (test.file == "") {
				t.Errorf("headers %v, file %q, params %v; want %v, %q", p.headers, p.httpConfig, p.params, test.headers, test.file)
			}
			if strings.Contains(strings.Join(r.notes, "\n"), "s3cret") {
				t.Errorf("the notes show a secret: %q", r.notes)
			}
			if test.file == "" && len(r.notes) == 0 {
				t.Error("nothing was noted")
			}
		})
	}
}

func TestHeadersWithoutAnAddressBesideThemAreForAnyServer(t *testing.T) {
	r, err := settle(t, "prom: {headers: {X-Scope-OrgID: ops}}", nil, "--prom=b")
	if err != nil || len(r.settings.prom.headers) != 1 {
		t.Errorf("headers are %v, %v", r.settings.prom.headers, err)
	}
}

func TestVariables(t *testing.T) {
	r, err := settle(t, "", []string{
		"STORMTOP_SIGNAL=ingress=topk(1,b)\n\n downstream=c\n", "STORMTOP_BY=x,y", "STORMTOP_PLAIN=true",
		"STORMTOP_SPN=1m", "STORMTOP_COLOUR_BLIND=1", "STORMTOPSPAN=2m", "PATH=/bin",
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []pair{{"ingress", "topk(1,b)"}, {"downstream", "c"}}; !slices.Equal(r.settings.signals, want) {
		t.Errorf("signals are %v, want %v", r.settings.signals, want)
	}
	if !slices.Equal(r.settings.by, []string{"x", "y"}) || !r.settings.plain {
		t.Errorf("by %v, plain %v", r.settings.by, r.settings.plain)
	}
	want := []string{"the variable STORMTOP_COLOUR_BLIND sets nothing", "the variable STORMTOP_SPN sets nothing: did you mean STORMTOP_SPAN?"}
	if !slices.Equal(r.notes, want) {
		t.Errorf("notes are %q, want %q", r.notes, want)
	}
	if _, err := settle(t, "", []string{"STORMTOP_SPAN=5"}); err == nil || !strings.HasPrefix(err.Error(), `STORMTOP_SPAN "5" has no unit`) {
		t.Errorf("a bad variable: %v", err)
	}
}

func TestANamedFileMustExist(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.yaml")
	_, err := settle(t, "", []string{"STORMTOP_CONFIG=" + missing})
	if err == nil || !strings.Contains(err.Error(), "STORMTOP_CONFIG names ") {
		t.Errorf("%v", err)
	}
	if r, err := settle(t, "span: 1m", nil, "--config="); err != nil || r.settings.span != 15*time.Minute {
		t.Errorf("--config= does not leave the file aside: %v", err)
	}
	if _, err := settle(t, "", nil, "--config="+t.TempDir()); err == nil {
		t.Error("a directory is read as a file")
	}
}

func TestFlagErrorsNameTheRemedy(t *testing.T) {
	for arg, want := range map[string]string{
		"--spn=1m":           "unknown flag --spn: did you mean --span?",
		"--zzzzzz":           "stormtop --help lists",
		"--server-rules":     "--server-rules is a flag of stormtop tune: stormtop help tune lists what goes with it",
		"--helm":             "--helm is a flag of stormtop rules and of stormtop tune",
		"-once":              "did you mean --once?",
		"-x":                 "long names only",
		"--span":             "--span needs a value: write --span=DURATION",
		"--=x":               "is no flag",
		"--span=5":           "--span \"5\" has no unit",
		"--speed=2000x":      "1x to 1000x",
		"--sim=lab:S9":       "S9",
		"--sim=lap:S1":       "did you mean lab:S1",
		"--signal=ingress":   "--signal takes NAME=VALUE",
		"--signal=ingres=up": "the signals are ingress",
		"--glyphs=brail":     "did you mean braille",
		"--once=maybe":       "neither true nor false",
	} {
		_, err := settle(t, "", nil, arg)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
	_, err := settle(t, "", nil, "--signal=ingress=a", "--signal=ingress=b", "--span=5", "--rate=x")
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("not all errors come at once: %v", err)
	}
}

package profilecmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/collector/profile"
)

// run runs the verb; it must succeed and write nothing to stderr.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Command(args, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("stormtop profiles %s: status %d, %s", strings.Join(args, " "), status, &errs)
	}
	return out.String()
}

func TestText(t *testing.T) {
	for name, args := range map[string][]string{
		"list": nil,
		"help": {"--help"},
		"show": {"--show=traefik"},
	} {
		t.Run(name, func(t *testing.T) {
			text := run(t, args...)
			if name != "show" {
				for i, line := range strings.Split(text, "\n") {
					if utf8.RuneCountInString(line) > 100 || strings.TrimRight(line, " ") != line {
						t.Errorf("line %d is too wide or has spaces behind it: %q", i+1, line)
					}
				}
			}
			golden.RequireEqual(t, text)
		})
	}
}

func TestEveryProfileHasItsLine(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(run(t)), "\n")
	names := profile.Names()
	if len(lines) != len(names)+1 {
		t.Fatalf("%d lines for %d profiles", len(lines), len(names))
	}
	for i, name := range names {
		if first, _, _ := strings.Cut(lines[i+1], " "); first != name {
			t.Errorf("line %d is of %s, want %s", i+1, first, name)
		}
	}
}

func TestAProfileThatIsShownCanBeReadAgain(t *testing.T) {
	for _, name := range profile.Names() {
		p, err := profile.Parse("my.yaml", []byte(run(t, "--show", name)))
		if err != nil || p.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheLegendExplainsEveryField(t *testing.T) {
	_, err := profile.Parse("f", []byte("nosuch: 1"))
	_, list, ok := strings.Cut(err.Error(), "the fields are ")
	list, _, _ = strings.Cut(list, "\n")
	if fields := strings.Split(list, ", "); !ok || len(fields) < 15 {
		t.Fatalf("the error of an unknown field lists no fields: %v", err)
	}
	for _, field := range strings.Split(list, ", ") {
		if !strings.Contains(legend, "\n#   "+field+" ") {
			t.Errorf("the legend lacks %s", field)
		}
	}
}

func TestTheJSONHoldsEverything(t *testing.T) {
	var doc document
	if err := json.Unmarshal([]byte(run(t, "--format=json")), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "stormtop/profiles/v1" || len(doc.Profiles) != len(profile.Names()) {
		t.Errorf("%s with %d profiles", doc.Schema, len(doc.Profiles))
	}
	var one document
	if err := json.Unmarshal([]byte(run(t, "--format=json", "--show=envoy")), &one); err != nil || len(one.Profiles) != 1 {
		t.Fatalf("%v %+v", err, one)
	}
	e := one.Profiles[0]
	if e.Name != "envoy" || e.Status != "proven" || e.Trust != "approx" || e.Ratio != "hop" || e.Edge != nil ||
		e.Signals["downstream"] != (measure{"ingress + retries", "per_second"}) || e.Signals["pool_wait"].Unit != "per_second" ||
		!strings.Contains(e.Signals["ingress"].Template, "by ($by)") || len(e.ZeroFill) == 0 || e.Callers == nil {
		t.Errorf("%+v", e)
	}
	if text := run(t, "--format=json"); strings.Contains(text, `"callers": null`) || strings.Contains(text, `\u003c`) {
		t.Error("a list is null, or a query is escaped as for HTML")
	}
}

func TestAMistakeNamesTheFlagAndTheRemedy(t *testing.T) {
	for args, want := range map[string]string{
		"--nope":            "unknown flag --nope: stormtop profiles --help lists those that exist",
		"--shw=x":           "unknown flag --shw: did you mean --show?",
		"envoy":             `unexpected argument "envoy": name a profile with --show=NAME; see stormtop profiles --help`,
		"--show":            "--show needs a value: write --show=NAME",
		"--show=":           `--show unknown profile "": stormtop profiles lists those that exist`,
		"--show=haprxy":     `--show unknown profile "haprxy", did you mean haproxy: stormtop profiles lists those that exist`,
		"--format=yaml":     `--format "yaml" is not known: it is text, json`,
		"http://u:s3cret@h": `unexpected argument "http://***@h"`,
	} {
		var out, errs bytes.Buffer
		status := Command(strings.Fields(args), &out, &errs)
		if status != 2 || out.Len() > 0 || !strings.Contains(errs.String(), want) || strings.Count(errs.String(), "\n") != 1 || strings.Contains(errs.String(), "s3cret") {
			t.Errorf("%s: status %d, stdout %q, stderr %q, want 2 and %q", args, status, &out, &errs, want)
		}
	}
}

func TestAllMistakesComeAtOnce(t *testing.T) {
	var out, errs bytes.Buffer
	if status := Command([]string{"--show=x", "--format=y\x1b"}, &out, &errs); status != 2 || strings.Count(errs.String(), "\n") != 2 || strings.Contains(errs.String(), "\x1b") {
		t.Errorf("status %d, %q", status, &errs)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"--format=json"}, {"--show=envoy"}} {
		var errs bytes.Buffer
		if status := Command(args, full{}, &errs); status != 1 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: status %d, %q", args, status, &errs)
		}
	}
}

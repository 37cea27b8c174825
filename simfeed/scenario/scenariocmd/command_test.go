package scenariocmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/simfeed/scenario"
)

// run runs the verb; it must succeed and write nothing to stderr.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Command(args, noFile, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("stormtop scenarios %s: status %d, %s", strings.Join(args, " "), status, &errs)
	}
	return out.String()
}

func noFile(string) ([]byte, error) { return nil, os.ErrNotExist }

func TestText(t *testing.T) {
	for name, args := range map[string][]string{"list": nil, "help": {"--help"}, "show": {"--show=metastable-10s"}} {
		t.Run(name, func(t *testing.T) {
			text := run(t, args...)
			for i, line := range strings.Split(text, "\n") {
				if strings.TrimRight(line, " ") != line || len([]rune(line)) > 125 {
					t.Errorf("line %d is too wide or has spaces behind it: %q", i+1, line)
				}
			}
			golden.RequireEqual(t, text)
		})
	}
}

func TestEveryScenarioHasItsLineAndItsFile(t *testing.T) {
	list := run(t)
	for _, name := range scenario.Names() {
		if !strings.Contains(list, "\n"+name+" ") {
			t.Errorf("%s has no line", name)
		}
		text := run(t, "--show", name)
		s, err := scenario.Parse("shown", []byte(text))
		if err != nil || s.Name != name {
			t.Errorf("%s cannot be read again: %v", name, err)
		}
		for _, want := range append([]string{"look:", "source:"}, s.Fitted...) {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %s", name, want)
			}
		}
	}
}

// TestAFileIsCalledByItsPath: its name is no name that --sim and simulate know.
func TestAFileIsCalledByItsPath(t *testing.T) {
	const file = `name: mine
length: 10s
classes: {u: {path: a > b, rate: 10/s}}
services: {a: , b: }
edges: {a>b: {attempts: 2}}
variants: {once: {set: {edges.a>b.attempts: 1}}}
`
	for show, call := range map[string]string{"./my.yaml": "./my.yaml", "./my.yaml:once": "./my.yaml:once", "growth": "growth", "six-seconds:S2": "six-seconds:S2"} {
		var out, errs bytes.Buffer
		read := func(string) ([]byte, error) { return []byte(file), nil }
		if status := Command([]string{"--show", show}, read, &out, &errs); status != 0 {
			t.Fatalf("%s: %s", show, &errs)
		}
		head, _, _ := strings.Cut(out.String(), "\n\n")
		said := strings.Join(strings.Fields(strings.ReplaceAll(head, "\n#", "")), " ")
		for _, want := range []string{"--sim=" + call + ";", "simulate " + call} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q: %s", show, want, said)
			}
		}
		if own := strings.HasPrefix(show, "./"); own && !strings.Contains(head, "as ./my.yaml:once:") || own == strings.Contains(head, "save this") {
			t.Errorf("%s: %s", show, head)
		}
	}
}

func TestTheListAsData(t *testing.T) {
	var doc document
	if err := json.Unmarshal([]byte(run(t, "--format=json")), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "stormtop/scenarios/v1" || len(doc.Scenarios) != len(scenario.Names()) {
		t.Fatalf("%s with %d", doc.Schema, len(doc.Scenarios))
	}
	for _, e := range doc.Scenarios {
		if e.Name != "payment-1945" {
			continue
		}
		if e.Class != "payments" || e.Service != "channel" || len(e.Fitted) != 10 || len(e.Actions) != 8 || !e.Actions[4].Wrong || e.Actions[0].At != "7m" || e.Length != "12m" {
			t.Errorf("%+v", e)
		}
	}
	if text := run(t, "--format=json", "--show=slow-burn"); strings.Contains(text, "null") || strings.Count(text, `"look"`) != 1 {
		t.Errorf("%s", text)
	}
}

func TestAMistakeNamesTheFlagAndTheRemedy(t *testing.T) {
	for args, want := range map[string]string{
		"--show=nosuch":   `--show unknown scenario "nosuch": stormtop scenarios lists those that are built in`,
		"--show=x.yaml":   "the scenario file does not exist",
		"--show=":         "--show needs a name",
		"--shw=x":         "unknown flag --shw: did you mean --show?",
		"--format=yaml":   `--format "yaml" is not known: it is text, json`,
		"payment-1945":    "unexpected argument \"payment-1945\": name a scenario with --show=NAME",
		"--show=growth:x": "scenario growth has no variants",
	} {
		var out, errs bytes.Buffer
		if status := Command(strings.Fields(args), noFile, &out, &errs); status != 2 || out.Len() > 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d, stderr %q, want %q", args, status, &errs, want)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"--format=json"}, {"--show=growth"}} {
		var errs bytes.Buffer
		if status := Command(args, noFile, full{}, &errs); status != 1 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: status %d, %q", args, status, &errs)
		}
	}
}

package labcmd

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"stormtop/simfeed/lab"
)

// run runs the verb; it must succeed and write nothing to stderr.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Command(t.Context(), args, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("stormtop lab %s: status %d, %s", strings.Join(args, " "), status, &errs)
	}
	return out.String()
}

func TestText(t *testing.T) {
	for name, args := range map[string][]string{
		"published":   nil,
		"help":        {"--help"},
		"seeds":       {"--strategy=S3,S4", "--seeds=4242,1"},
		"overridden":  {"--strategy=S6", "--clients=200000", "--capacity=240000", "--breaker-threshold=400000", "--duration=30s", "--outage=5s..9s", "--retries=2", "--base=1s", "--jitter=none", "--budget=5.5%", "--deadline=1500ms"},
		"no outage":   {"--strategy=S1..S2", "--outage=none"},
		"all is down": {"--strategy=S5", "--outage=0s..60s", "--breaker"},
		"no recovery": {"--strategy=S3", "--outage=58s..59s", "--breaker=false"},
	} {
		t.Run(name, func(t *testing.T) {
			text := run(t, args...)
			for i, line := range strings.Split(text, "\n") {
				if utf8.RuneCountInString(line) > 84 || strings.TrimRight(line, " ") != line {
					t.Errorf("line %d is too wide or has spaces behind it: %q", i+1, line)
				}
			}
			golden.RequireEqual(t, text)
		})
	}
}

func decode(t *testing.T, text string) (runs []map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &runs); err != nil {
		t.Fatal(err)
	}
	return runs
}

func TestJSONWithoutFlagsIsThePublishedResults(t *testing.T) {
	want, err := os.ReadFile("../testdata/outage-lab.json")
	if err != nil {
		t.Fatal(err)
	}
	text := run(t, "--format=json")
	if diff := cmp.Diff(decode(t, string(want)), decode(t, text)); diff != "" {
		t.Errorf("(-published +got):\n%s", diff)
	}
	if !strings.Contains(text, `"seed":9007199254740993,`) {
		t.Error("a large seed lost digits")
	}
}

func TestEveryPublishedRunCanBeAskedForAlone(t *testing.T) {
	all := decode(t, run(t, "--format=json"))
	var byName []map[string]any
	seeds := "--seeds=4242,1,7,42,2026,31337,-5,9007199254740993"
	byName = append(byName, decode(t, run(t, "--format=json", "--strategy=S1,S2,S3,S4,S5,S6", seeds))...)
	var ids []string
	for _, s := range lab.Controls() {
		ids = append(ids, s.ID)
	}
	byName = append(byName, decode(t, run(t, "--format=json", "--strategy="+strings.Join(ids, ",")))...)
	if diff := cmp.Diff(all, byName); diff != "" {
		t.Errorf("(-all +by name):\n%s", diff)
	}
	if diff := cmp.Diff(all[:48], decode(t, run(t, "--format=json", seeds))); diff != "" {
		t.Errorf("(-all +by seed):\n%s", diff)
	}
}

func TestParametersMakeAControlOfAStrategy(t *testing.T) {
	for control, args := range map[string]string{
		"S4-budget-off":                          "--strategy=S4 --budget=100%",
		"S5-budget-off":                          "--strategy=S5 --budget=100",
		"breaker-alone":                          "--strategy=S3 --breaker",
		"no-breaker-budget-deadline3s":           "--strategy=S6 --breaker=false",
		"breaker-budget-deadline3s-threshold100": "--strategy=S6 --breaker-threshold=100",
		"breaker-budget-deadline30s":             "--strategy=S1 --retries=5 --base=500ms --jitter=full --budget=20% --deadline=30s --breaker",
	} {
		want := decode(t, run(t, "--format=json", "--strategy="+control))
		got := decode(t, run(t, append(strings.Fields(args), "--format=json")...))
		got[0]["id"] = control
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-control +%s):\n%s", control, args, diff)
		}
	}
}

func TestCSVHasTheNamesAndNumbersOfTheJSON(t *testing.T) {
	for _, args := range [][]string{nil, {"--strategy=S5", "--outage=0s..60s"}} {
		runs := decode(t, run(t, append(args, "--format=json")...))
		rows, err := csv.NewReader(strings.NewReader(run(t, append(args, "--format=csv")...))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != len(runs)+1 {
			t.Fatalf("%d rows for %d runs", len(rows), len(runs))
		}
		for i, cells := range rows[1:] {
			if len(cells) != len(runs[i]) {
				t.Fatalf("row %d has %d columns, the JSON %d fields", i, len(cells), len(runs[i]))
			}
			for c, cell := range cells {
				name := rows[0][c]
				value, ok := runs[i][name]
				if !ok {
					t.Fatalf("column %q is no field of the JSON", name)
				}
				text, err := json.Marshal(value)
				if err != nil {
					t.Fatal(err)
				}
				want := strings.NewReplacer("[", "", "]", "", ",", " ", `"`, "", "null", "").Replace(string(text))
				if name == "seed" { // too large for a float64
					continue
				}
				if cell != want {
					t.Errorf("row %d, %s is %q, want %q", i, name, cell, want)
				}
			}
		}
	}
}

func TestAMistakeNamesTheFlagAndTheRemedyAndRunsNothing(t *testing.T) {
	for args, want := range map[string]string{
		"--nope":                                 "unknown flag --nope: stormtop lab --help lists those that exist",
		"S3":                                     `unexpected argument "S3": choose strategies with --strategy`,
		"--format=xml":                           `--format "xml" is not known: it is text, json, csv`,
		"--strategy=S7":                          `--strategy unknown strategy "S7": there are S1 to S6, and the controls that stormtop lab --help lists`,
		"--strategy=S3,S3":                       "named twice",
		"--seeds=one":                            "whole numbers of at most 64 bits",
		"--seeds=9223372036854775808":            "at most 64 bits",
		"--clients=many":                         `--clients "many" is no whole number: write it like 200`,
		"--clients=0":                            "--clients is 0: it must be 1 or more",
		"--clients=100000000":                    "--clients is 100000000 for 60s",
		"--duration=60":                          `--duration "60" has no unit: write 60s for seconds, 60m for minutes`,
		"--duration=1500ms":                      "is no whole number of seconds",
		"--duration=0s":                          "--duration is 0s",
		"--duration=10s":                         "--outage is 20s..26s: it must end within the duration of 10s",
		"--capacity=-1":                          "--capacity is -1",
		"--outage=20..26":                        "write it like 20s..26s, or none",
		"--outage=26s..20s":                      "must begin before it ends",
		"--retries=31":                           "--retries is 31: it must be from 0 to 30",
		"--base=5":                               `--base "5" has no unit: write 5s for seconds`,
		"--base=100us":                           "whole milliseconds",
		"--jitter=half":                          "it is none, full",
		"--budget=lots":                          "is no percentage: write it like 20%",
		"--budget=-1%":                           "--budget is -1%",
		"--deadline=2h":                          "--deadline is 2h: it must be whole milliseconds from 0s to 1h\n",
		"--breaker=maybe":                        `--breaker "maybe" is neither true nor false`,
		"--duraton=60s":                          "unknown flag --duraton: did you mean --duration?",
		"--clients":                              "--clients needs a value: write --clients=N",
		"--strategy=S4-budget-of":                "did you mean S4-budget-off",
		"--seeds=http://u:s3cret@h":              `"http://***@h" is no list of seeds`,
		"--strategy=http://u:s3cret@h":           `unknown strategy "http://***@h"`,
		"http://u:s3cret@h":                      `unexpected argument "http://***@h"`,
		"--duration=2d":                          "--duration is 172800s: it must be from 1s to 24h",
		"--breaker-threshold=-1":                 "--breaker-threshold is -1",
		"--strategy=S3 --capacity=0 --retries=2": "strategy S3: --capacity is 0",
	} {
		var out, errs bytes.Buffer
		status := Command(t.Context(), strings.Fields(args), &out, &errs)
		if status != 2 || out.Len() > 0 || !strings.Contains(errs.String(), want) || strings.Count(errs.String(), "\n") != 1 || strings.Contains(errs.String(), "s3cret") {
			t.Errorf("%s: status %d, stdout %q, stderr %q, want 2 and %q", args, status, &out, &errs, want)
		}
	}
}

func TestAllMistakesComeAtOnce(t *testing.T) {
	var out, errs bytes.Buffer
	status := Command(t.Context(), []string{"--clients=x", "--base=5", "--format=xml"}, &out, &errs)
	if lines := strings.Split(strings.TrimSpace(errs.String()), "\n"); status != 2 || len(lines) != 3 || !strings.HasPrefix(lines[2], "stormtop lab: --format ") {
		t.Errorf("status %d, %q", status, &errs)
	}
}

func TestDurationsAreThoseOfTheRestOfTheProgram(t *testing.T) {
	if day, hours := run(t, "--strategy=S1", "--duration=1d", "--clients=1"), run(t, "--strategy=S1", "--duration=24h", "--clients=1"); day != hours {
		t.Errorf("1d is not 24h:\n%s\n%s", day, hours)
	}
}

func TestTerminalCodesInAnArgumentAreNotEchoed(t *testing.T) {
	var out, errs bytes.Buffer
	Command(t.Context(), []string{"--strategy=\x1b[31m\nS3"}, &out, &errs)
	if strings.ContainsAny(strings.TrimSuffix(errs.String(), "\n"), "\x1b\n") {
		t.Errorf("stderr %q", &errs)
	}
}

func TestAnInterruptedRunWritesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if status := Command(ctx, nil, &out, &errs); status != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "canceled") {
		t.Errorf("status %d, stdout %q, stderr %q", status, &out, &errs)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"--format=csv"}} {
		var errs bytes.Buffer
		if status := Command(t.Context(), args, full{}, &errs); status != 1 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: status %d, %q", args, status, &errs)
		}
	}
}

package alerts_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/collector"
	"stormtop/collector/promtest"
)

// course is one random course of one rule.
type course struct {
	spec   collector.RuleSpec
	series map[collector.Signal][]string // one token a step, in the notation of alertstest
	states []alerts.State
	pair   bool // a RetryStorm of it and of a rule on at_limit comes with it
	storm  []alerts.State
	limit  []alerts.State
}

const (
	courseStep  = 15 * time.Second
	courseSteps = 40
)

// moods are the kinds of stretches that a course is made of: ingress,
// downstream and at_limit.
var moods = [][3]string{
	{"100", "120", "0"}, {"100", "100", "0"}, {"100", "150", "0"}, {"2.4", "3.6", "0.1"}, // calm and exactly on the threshold
	{"100", "200", "7"}, {"100", "200", "0"}, {"100", "151", "2"}, {"100", "480", "40"}, {"100", "200", "_"}, // in breach
	{"_", "_", "_"}, {"_", "200", "7"}, {"100", "_", "7"}, {"_", "_", "7"}, // gaps
	{"0", "0", "0"}, {"0", "50", "5"}, {"0", "0.5", "0.5"}, {"0.2", "0.4", "0.2"}, {"0.9", "1", "1"}, // idle, infinite, low
}

func randomCourse(rnd *rand.Rand, i int) *course {
	holds := []time.Duration{0, time.Second, 10 * time.Second, courseStep, 20 * time.Second, 2 * courseStep, time.Minute}
	keeps := []time.Duration{0, 0, time.Second, courseStep, 2 * courseStep, 40 * time.Second}
	c := &course{series: map[collector.Signal][]string{}, pair: i%4 == 0}
	c.spec = rule(alerts.RetryAmplificationHigh, func(r *collector.RuleSpec) {
		r.Name = fmt.Sprintf("Rule%d", i)
		r.For, r.KeepFiring = holds[i%len(holds)], keeps[i/len(holds)%len(keeps)]
		r.MinTraffic = []float64{0, 1}[i%2]
		r.Compare = []collector.Comparison{collector.Above, collector.Above, collector.AtLeast}[i%3]
	})
	for len(c.series[collector.Ingress]) < courseSteps {
		mood := moods[rnd.IntN(len(moods))]
		if rnd.IntN(2) == 0 {
			mood = moods[4+rnd.IntN(5)] // more breaches, so that holds are reached
		}
		for range min(1+rnd.IntN(6), courseSteps-len(c.series[collector.Ingress])) {
			for k, sig := range []collector.Signal{collector.Ingress, collector.Downstream, collector.AtLimit} {
				c.series[sig] = append(c.series[sig], mood[k])
			}
		}
	}
	return c
}

// judge fills in the states of our engine.
func (c *course) judge(t *testing.T) {
	t.Helper()
	var text strings.Builder
	for sig, tokens := range c.series {
		fmt.Fprintf(&text, "t %s %s\n", sig, strings.Join(tokens, " "))
	}
	limit := rule(alerts.AttemptLimitReached, func(r *collector.RuleSpec) { r.Name += "x"; r.MinTraffic = c.spec.MinTraffic })
	storm := rule(alerts.RetryStorm, func(r *collector.RuleSpec) { r.Both = [2]string{c.spec.Name, limit.Name} })
	e := alerts.New([]collector.RuleSpec{c.spec, limit, storm})
	for _, r := range readings(t, alertstest.Input{Step: courseStep}, text.String()) {
		e.Eval(r)
		c.states = append(c.states, status(e, c.spec.Name, "t").State)
		c.limit = append(c.limit, status(e, limit.Name, "t").State)
		c.storm = append(c.storm, status(e, storm.Name, "t").State)
	}
}

// promFiles writes courses as a rule file and its unit test.
func promFiles(t *testing.T, dir string, courses []*course) (test string) {
	t.Helper()
	var rules, input strings.Builder
	fmt.Fprintf(&rules, "groups:\n- name: g\n  interval: %s\n  rules:\n", courseStep)
	expect := make([]strings.Builder, courseSteps)
	for i, c := range courses {
		name := func(sig collector.Signal) string { return fmt.Sprintf("%s_%d", sig, i) }
		floor := ""
		if c.spec.MinTraffic > 0 {
			floor = fmt.Sprintf(" and (%s >= %g or %s >= %g)", name(collector.Ingress), c.spec.MinTraffic, name(collector.Downstream), c.spec.MinTraffic)
		}
		promRule(&rules, c.spec.Name, fmt.Sprintf("(%s / %s %s %g)%s", name(collector.Downstream), name(collector.Ingress),
			c.spec.Compare, c.spec.Threshold, floor), c.spec.For, c.spec.KeepFiring)
		expectStates(expect, c.spec.Name, c.states)
		if c.pair {
			limit, storm := fmt.Sprintf("Limit%d", i), fmt.Sprintf("Storm%d", i)
			promRule(&rules, limit, fmt.Sprintf("(%s > 0)%s", name(collector.AtLimit), floor), 0, 0)
			promRule(&rules, storm, fmt.Sprintf("ALERTS{alertname=%q,alertstate=\"firing\"} and ignoring(alertname) ALERTS{alertname=%q,alertstate=\"firing\"}",
				c.spec.Name, limit), 0, 0)
			expectStates(expect, limit, c.limit)
			expectStates(expect, storm, c.storm)
		}
		for sig, tokens := range c.series {
			fmt.Fprintf(&input, "  - series: %s\n    values: '%s'\n", name(sig), promValues(tokens))
		}
	}
	rulesFile, testFile := filepath.Join(dir, "rules.yml"), filepath.Join(dir, "test.yml")
	write(t, rulesFile, rules.String())
	var out strings.Builder
	fmt.Fprintf(&out, "rule_files: [%s]\nevaluation_interval: %s\ntests:\n- interval: %s\n  input_series:\n%s  promql_expr_test:\n",
		"rules.yml", courseStep, courseStep, input.String())
	for i := range expect {
		fmt.Fprintf(&out, "  - expr: ALERTS\n    eval_time: %s\n    exp_samples:\n%s", time.Duration(i)*courseStep, expect[i].String())
	}
	write(t, testFile, out.String())
	return testFile
}

func promRule(b *strings.Builder, name, expr string, hold, keep time.Duration) {
	fmt.Fprintf(b, "  - alert: %s\n    expr: %s\n    for: %s\n", name, strconv.Quote(expr), hold)
	if keep > 0 {
		fmt.Fprintf(b, "    keep_firing_for: %s\n", keep)
	}
}

func expectStates(expect []strings.Builder, name string, states []alerts.State) {
	for i, s := range states {
		if s >= alerts.Pending {
			fmt.Fprintf(&expect[i], "    - labels: 'ALERTS{alertname=%q,alertstate=%q}'\n      value: 1\n", name, s)
		}
	}
}

// promValues spells tokens for promtool: a sample that is not there needs a
// staleness marker, else Prometheus would look back five minutes.
func promValues(tokens []string) string {
	out := make([]string, len(tokens))
	for i, token := range tokens {
		if out[i] = token; token == "_" {
			out[i] = "stale"
		}
	}
	return strings.Join(out, " ")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestStateAgreesWithPromtool has promtool confirm our states at every step of
// random courses, and makes sure that it would have noticed a wrong one.
func TestStateAgreesWithPromtool(t *testing.T) {
	tools := promtest.Tools(t)
	rnd := rand.New(rand.NewPCG(1945, 7))
	courses := make([]*course, 252)
	firing, kept := 0, 0
	for i := range courses {
		courses[i] = randomCourse(rnd, i)
		courses[i].judge(t)
		for _, s := range courses[i].states {
			if s == alerts.Firing {
				firing++
				break
			}
		}
		if courses[i].spec.KeepFiring > 0 {
			kept++
		}
	}
	if firing < len(courses)/2 || kept < len(courses)/3 {
		t.Fatalf("only %d courses fire and %d keep firing: they prove too little", firing, kept)
	}
	dir := t.TempDir()
	right := promFiles(t, dir, courses)
	wrongDir := t.TempDir()
	courses[17].states = invert(courses[17].states)
	wrong := promFiles(t, wrongDir, courses)
	for _, tool := range tools {
		t.Run(filepath.Base(filepath.Dir(tool)), func(t *testing.T) {
			if out, err := promtool(tool, dir, right); err != nil {
				t.Errorf("promtool does not agree: %v\n%s", err, first(out, 4000))
			}
			out, err := promtool(tool, wrongDir, wrong)
			if _, failed := err.(*exec.ExitError); !failed || !bytes.Contains(out, []byte("FAILED")) {
				t.Errorf("a wrong state went unnoticed: %v\n%s", err, first(out, 1000))
			}
		})
	}
}

// invert makes the last state of a course wrong.
func invert(states []alerts.State) []alerts.State {
	out := append([]alerts.State(nil), states...)
	last := len(out) - 1
	if out[last] = alerts.Firing; states[last] == alerts.Firing {
		out[last] = alerts.Inactive
	}
	return out
}

func promtool(tool, dir, file string) ([]byte, error) {
	cmd := exec.Command(tool, "test", "rules", file)
	cmd.Dir = dir
	return cmd.CombinedOutput()
}

func first(b []byte, n int) string { return string(b[:min(n, len(b))]) }

package export

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/rulefile"
)

// Episode is a stretch of readings that becomes a test.
type Episode struct {
	Readings []*collector.Reading
	Step     time.Duration   // between two of them
	Targets  map[string]bool // by Target.ID; nil: all
	Rules    string          // the name of the rule file, beside the test
	Said     string          // where it is from, one sentence
}

// Test makes a file for "promtool test rules" of an episode: the measured
// signals as input, and the states that alerts.Engine comes to, at each instant
// at which one of them changes. What could not be read is left out, as if time
// had stood still.
func (b *Built) Test(rules []collector.RuleSpec, prefix string, e Episode) []byte {
	var w testWriter
	if e.Said != "" {
		fmt.Fprintf(&w, "# %s\n", strings.TrimSpace(cleanLine(e.Said)))
	}
	fmt.Fprintf(&w, "rule_files: [%s]\nevaluation_interval: %s\ntests:\n- interval: %s\n  input_series:\n",
		quoted(e.Rules), rulefile.Duration(e.Step), rulefile.Duration(e.Step))
	readings := seenOnly(e.Readings)
	header := w.Len()
	var tests bytes.Buffer
	for _, bases := range b.bases {
		if len(bases) == 0 {
			continue
		}
		t := &tester{system: bases[0].system, bases: bases, step: e.Step, prefix: prefix}
		t.read(readings, e.Targets)
		t.input(&w)
		t.expect(&tests, rules)
	}
	if w.Len() == header || tests.Len() == 0 {
		return nil
	}
	w.WriteString("  promql_expr_test:\n")
	w.Write(tests.Bytes())
	return w.Bytes()
}

// Judges reports whether rules of the file are of such a target: of its system, and
// of the same ratio. The total is that of every system.
func (b *Built) Judges(target collector.Target) bool {
	return target.ID == collector.TotalID || slices.ContainsFunc(b.bases, func(bases []recorded) bool {
		return len(bases) > 0 && bases[0].system.holds(target)
	})
}

// holds reports whether a target is one of the system.
func (s *system) holds(target collector.Target) bool {
	return (target.System == s.Profile || target.System == "") && (target.Kind == collector.Edge) == (s.Kind == collector.Edge)
}

type testWriter struct{ bytes.Buffer }

// seenOnly leaves out readings in which nothing could be read.
func seenOnly(list []*collector.Reading) []*collector.Reading {
	return slices.DeleteFunc(slices.Clone(list), func(r *collector.Reading) bool { return r.Blind() || len(r.Failures) > 0 })
}

// tester makes the part of a test that is of one system.
type tester struct {
	system  *system
	bases   []recorded
	step    time.Duration
	prefix  string
	targets []collector.Target
	rows    []map[string]collector.Values // by reading and target: the measured signals alone
}

// read takes the measured signals of the targets of the system. Of targets that are
// one series to a server the first is taken.
func (t *tester) read(readings []*collector.Reading, only map[string]bool) {
	known, taken := map[string]bool{}, map[string]bool{}
	for _, r := range readings {
		rows := map[string]collector.Values{}
		for i := range r.Targets {
			row := &r.Targets[i]
			if !t.system.holds(row.Target) || only != nil && !only[row.Target.ID] {
				continue
			}
			if !known[row.Target.ID] {
				labels := series("", t.labels(row.Target))
				if taken[labels] {
					continue
				}
				known[row.Target.ID], taken[labels] = true, true
				t.targets = append(t.targets, row.Target)
			}
			var v collector.Values
			for _, base := range t.bases {
				v[base.signal] = row.Values[base.signal]
			}
			rows[row.Target.ID] = v
		}
		t.rows = append(t.rows, rows)
	}
}

// labels are those that a series of the target has.
func (t *tester) labels(target collector.Target) []rulefile.Pair {
	var out []rulefile.Pair
	for _, l := range target.Labels {
		if t.system.By == nil || slices.Contains(t.system.By, l.Name) {
			out = append(out, rulefile.Pair{Name: l.Name, Value: l.Value})
		}
	}
	return out
}

// input writes the series of the measured signals.
func (t *tester) input(w *testWriter) {
	for _, target := range t.targets {
		for _, base := range t.bases {
			values, any := t.values(target, base.signal)
			if any {
				fmt.Fprintf(w, "  - series: %s\n    values: %s\n", quoted(series(base.name, t.labels(target))), quoted(values))
			}
		}
	}
}

// values are the samples of a signal in the notation of promtool: what is not
// there is marked as stale, else it would be looked back for.
func (t *tester) values(target collector.Target, sig collector.Signal) (text string, any bool) {
	out, there := make([]string, len(t.rows)), false
	for i, rows := range t.rows {
		v := rows[target.ID][sig]
		f, ok := v.Float()
		switch {
		case ok:
			out[i] = sample(f)
		case there:
			out[i] = "stale"
		default:
			out[i] = "_"
		}
		there = ok
		any = any || ok
	}
	return strings.Join(out, " "), any
}

func sample(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// expect writes what ALERTS is at each instant at which a state changes.
func (t *tester) expect(w *bytes.Buffer, rules []collector.RuleSpec) {
	on := t.rules(rules)
	engine := alerts.New(on)
	was := map[string]string{}
	for i := range t.rows {
		engine.Eval(t.reading(i))
		for _, r := range on {
			if r.Off {
				continue
			}
			is := t.states(engine, &r)
			if i > 0 && is == was[r.Name] || i == 0 && is == "" {
				continue
			}
			was[r.Name] = is
			fmt.Fprintf(w, "  - expr: %s\n    eval_time: %s\n", quoted(series("ALERTS", []rulefile.Pair{{Name: "alertname", Value: t.prefix + r.Name}, {Name: "profile", Value: t.system.profile()}, {Name: "ratio", Value: t.system.ratio()}})),
				rulefile.Duration(time.Duration(i)*t.step))
			if is == "" {
				w.WriteString("    exp_samples: []\n")
				continue
			}
			fmt.Fprintf(w, "    exp_samples:\n%s", is)
		}
	}
}

// rules are those that the system was given alerts for; the others are off.
func (t *tester) rules(rules []collector.RuleSpec) []collector.RuleSpec {
	out := slices.Clone(rules)
	made := map[string]bool{}
	for i := range out {
		r := &out[i]
		if r.Both == ([2]string{}) {
			r.Off = r.Off || !t.system.looks(r) || !t.system.judged(r) || !t.system.has[r.Signal] && r.Scope != collector.ScopeTotal
			made[r.Name] = !r.Off
		}
	}
	for i := range out {
		if r := &out[i]; r.Both != ([2]string{}) {
			r.Off = r.Off || !made[r.Both[0]] || !made[r.Both[1]]
		}
	}
	return out
}

// states are the samples of ALERTS that are expected of a rule, in the order of
// the targets.
func (t *tester) states(e *alerts.Engine, r *collector.RuleSpec) string {
	var b strings.Builder
	targets := t.targets
	if r.Scope == collector.ScopeTotal {
		targets = []collector.Target{{ID: collector.TotalID}}
	}
	for _, target := range targets {
		for _, s := range e.For(target.ID) {
			if s.Rule.Name != r.Name || s.State < alerts.Pending {
				continue
			}
			labels := append(t.labels(target), rulefile.Pair{Name: "alertname", Value: t.prefix + r.Name}, rulefile.Pair{Name: "alertstate", Value: s.State.String()})
			labels = append(labels, t.system.labels(r.Severity)...)
			fmt.Fprintf(&b, "    - labels: %s\n      value: 1\n", quoted(series("ALERTS", labels)))
		}
	}
	return b.String()
}

// reading is step i as the recording rules see it: what is measured, and what
// follows from it.
func (t *tester) reading(i int) *collector.Reading {
	r := &collector.Reading{At: time.Unix(0, 0).UTC().Add(time.Duration(i) * t.step), Origin: &collector.Origin{Interval: t.step}}
	for _, target := range t.targets {
		v, there := t.rows[i][target.ID]
		if !there {
			continue
		}
		in, hasIngress := v[collector.Ingress].Float()
		for sig := range collector.Amplification {
			if _, ok := v[sig].Float(); !ok && hasIngress && t.system.Fills(sig) && t.system.Has(sig) && sig != collector.Ingress {
				v[sig] = collector.Num(0*in, sig.Unit(), collector.Exact)
			}
		}
		if t.system.Sum {
			v[collector.Downstream] = collector.Plus(v[collector.Ingress], v[collector.Retries])
		}
		baseline := t.system.baselines.For(collector.Target{})
		for _, f := range t.system.fanouts {
			if f.Target.ID == target.ID {
				baseline = f.Number
			}
		}
		for sig := range v {
			if v[sig].State == collector.Stale || v[sig].State == collector.Partial {
				v[sig].State = collector.Ok // to a server they are numbers
			}
		}
		v.Derive(baseline)
		r.Targets = append(r.Targets, collector.Row{Target: target, Values: v, Baseline: baseline})
	}
	r.Total = collector.Total(r.Targets)
	return r
}

// series is a metric with its labels, as PromQL writes it.
func series(metric string, labels []rulefile.Pair) string {
	slices.SortFunc(labels, func(a, b rulefile.Pair) int { return strings.Compare(a.Name, b.Name) })
	var parts []string
	for _, l := range labels {
		name := l.Name
		if !plain.MatchString(name) {
			name = strconv.Quote(name)
		}
		parts = append(parts, name+"="+strconv.Quote(l.Value))
	}
	if len(parts) == 0 {
		return metric
	}
	return metric + "{" + strings.Join(parts, ",") + "}"
}

// quoted is a text as a YAML scalar in quotation marks.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func cleanLine(text string) string { return strings.ReplaceAll(collector.Clean(text), "\n", " ") }

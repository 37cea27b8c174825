package export_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/export"
	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
	"stormtop/collector/promtest"
	"stormtop/collector/rulefile"
)

// variants are exports of every kind that C8 and the issue name.
func variants(t testing.TB) map[string]*export.Built {
	t.Helper()
	out := map[string]*export.Built{}
	add := func(name string, systems []collector.Expressions, rules []collector.RuleSpec, o export.Options) {
		b, err := export.Build(systems, rules, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = b
	}
	service := systemsOf(t, time.Minute, "stormtop")
	for i, threshold := range []float64{1.5, 1e-5, 500} {
		for _, hold := range []time.Duration{0, 10 * time.Second, 90 * time.Second, 24 * time.Hour} {
			add(fmt.Sprintf("threshold %d for %s", i, hold), service, documented(func(r *collector.RuleSpec) {
				r.Threshold, r.For, r.KeepFiring = threshold, hold, hold/2
			}), export.Options{Interval: 15 * time.Second})
		}
	}
	for i, value := range nasty {
		add(fmt.Sprintf("selector %d", i), service, documented(selecting(value)), export.Options{})
		target := collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: value}).In("stormtop")
		add(fmt.Sprintf("fan-out %d", i), service, documented(), export.Options{Fanouts: []export.Fanout{{Target: target, Number: 3.63}}})
	}
	add("baseline", systemsOf(t, 5*time.Minute, "envoy"), documented(), export.Options{Baselines: collector.Baselines{Number: 3.63}, Prefix: "Shop_"})
	add("several", systemsOf(t, 2*time.Minute, "envoy", "istio_telemetry", "linkerd_http_route", "haproxy", "grpc_otel"), documented(), export.Options{Evidence: []string{"found 1 of 1", "lead 44s"}})
	add("edges", systemsAnd(t, time.Minute, true, "istio_telemetry", "haproxy"), documented(), export.Options{Baselines: collector.Baselines{Number: 2}})
	pair := systemsBy(t, prom.Config{Rate: time.Minute, ReplicaLabels: []string{"replica", "prometheus_replica"}}, false, "envoy")
	add("a pair of servers", pair, documented(), export.Options{})
	add("total", service, documented(func(r *collector.RuleSpec) { r.Scope = collector.ScopeTotal })[:3], export.Options{})
	return out
}

// TestExportedRulesLoadEverywhere is case C8: every export passes promtool check
// rules of every version, as a plain file and rendered by Helm, and no field is
// empty.
func TestExportedRulesLoadEverywhere(t *testing.T) {
	all := variants(t)
	dir := t.TempDir()
	for name, b := range all {
		file := strings.ReplaceAll(name, " ", "_") + ".yml"
		text := rulefile.Render(b.File, rulefile.Style{})
		writeFile(t, dir, file, text)
		var back any
		if err := yaml.Unmarshal(text, &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if empty := emptyField(back, ""); empty != "" {
			t.Errorf("%s: %s is empty", name, empty)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "for: 1d") || strings.Contains(line, "1m30s") {
				t.Errorf("%s: a duration that not every ruler reads: %s", name, line)
			}
		}
	}
	for _, tool := range promtest.Tools(t) {
		args := []string{"check", "rules", "--lint=all", "--lint-fatal"}
		for name := range all {
			args = append(args, strings.ReplaceAll(name, " ", "_")+".yml")
		}
		if out, err := promtool(t, tool, dir, args...); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Dir(tool), err, out)
		}
	}
}

// TestCountsOfAPairOfServersAreTakenOnce is case A1 as far as it concerns rules:
// every count that a file is made of, and none of them twice.
func TestCountsOfAPairOfServersAreTakenOnce(t *testing.T) {
	text := string(rulefile.Render(variants(t)["a pair of servers"].File, rulefile.Style{}))
	rates := strings.Count(text, "(rate(")
	if once := strings.Count(text, "(max without (replica, prometheus_replica) (rate("); rates < 3 || once != rates {
		t.Errorf("%d of %d counts are taken once:\n%s", once, rates, text)
	}
}

// emptyField names a field that is null, or an empty text, list or mapping.
func emptyField(v any, at string) string {
	switch v := v.(type) {
	case nil:
		return at
	case string:
		if v == "" {
			return at
		}
	case []any:
		for i, e := range v {
			if bad := emptyField(e, fmt.Sprintf("%s[%d]", at, i)); bad != "" {
				return bad
			}
		}
		if len(v) == 0 {
			return at
		}
	case map[string]any:
		for k, e := range v {
			if bad := emptyField(e, at+"."+k); bad != "" {
				return bad
			}
		}
		if len(v) == 0 {
			return at
		}
	}
	return ""
}

// TestImportAndExportAreStable: what is read back is what was written, and is
// written again byte for byte; also through stormtop's own form and through the
// wrapper of the operator.
func TestImportAndExportAreStable(t *testing.T) {
	service := systemsOf(t, time.Minute, "stormtop")
	for i, rules := range [][]collector.RuleSpec{
		documented(),
		documented(func(r *collector.RuleSpec) {
			r.Threshold, r.For, r.KeepFiring, r.MinTraffic = 1e-5, 90*time.Second, time.Hour, 0
		}),
		documented(func(r *collector.RuleSpec) { r.Threshold, r.Compare = 500, collector.AtMost }),
		documented(func(r *collector.RuleSpec) {
			r.Threshold, r.Compare, r.Scope = 500, collector.AtMost, collector.ScopeTotal
		})[:3],
		documented(selecting(nasty[0])), documented(selecting(nasty[1])), documented(selecting(nasty[3])),
		tunings(rand.New(rand.NewPCG(1, 2)), 20, []float64{1.2, 1.5, 3}, []time.Duration{0, time.Minute}, []time.Duration{0, time.Second}),
	} {
		o := export.Options{Prefix: []string{"", "Shop_"}[i%2], Evidence: []string{"one", "two"}[:i%3%2+1], Interval: 15 * time.Second}
		b, err := export.Build(service, rules, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, style := range []rulefile.Style{{}, {Resource: &rulefile.Resource{Name: "stormtop", Namespace: "monitoring", Labels: []rulefile.Pair{{Name: "release", Value: "{{ x }}"}}}}} {
			text := rulefile.Render(b.File, style)
			f, err := rulefile.Parse(text)
			if err != nil {
				t.Fatalf("%d: %v\n%s", i, err, text)
			}
			got := export.Read(f)
			if len(got.Own) > 0 || len(got.Notes) > 0 || got.Prefix != o.Prefix || got.Interval != o.Interval || got.NoData != 5*time.Minute || cmp.Diff(got.Resource, style.Resource) != "" {
				t.Errorf("%d: own %+v, notes %q, prefix %q", i, got.Own, got.Notes, got.Prefix)
			}
			same := cmp.Comparer(func(a, b collector.RuleSpec) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
			if diff := cmp.Diff(rules, got.Rules, same); diff != "" {
				t.Errorf("%d: rules (-written +read):\n%s", i, diff)
			}
			o.Evidence = got.Evidence
			again, err := export.Build(service, got.Rules, o)
			if err != nil {
				t.Fatal(err)
			}
			if second := rulefile.Render(again.File, style); !bytes.Equal(text, second) {
				t.Errorf("%d: (-first +second)\n%s", i, cmp.Diff(string(text), string(second)))
			}
		}
		native := rulefile.RenderNative(rules)
		back, err := rulefile.ParseNative(native)
		if err != nil || !rulefile.IsNative(native) {
			t.Fatalf("%d: %v\n%s", i, err, native)
		}
		if second := rulefile.RenderNative(back); !bytes.Equal(native, second) {
			t.Errorf("%d:\n%s", i, cmp.Diff(string(native), string(second)))
		}
	}
}

// TestEverySystemReadsBack: what is written for it is written again, byte for
// byte, whatever of the rules it lacks, and every recording rule is used.
func TestEverySystemReadsBack(t *testing.T) {
	n := 0
	for _, p := range profile.Builtin() {
		systems := systemsOf(t, 5*time.Minute, p.Name)
		o := export.Options{Rate: 5 * time.Minute, Baselines: collector.Baselines{Number: 2}}
		b, err := export.Build(systems, documented(), o)
		if err != nil {
			continue // it has pools and queues only
		}
		n++
		text := rulefile.Render(b.File, rulefile.Style{})
		f, err := rulefile.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		got := export.Read(f)
		again, err := export.Build(systems, got.Rules, o)
		if err != nil || len(got.Own) > 0 || len(got.Notes) > 0 {
			t.Fatalf("%s: %v, %+v", p.Name, err, got)
		}
		if second := rulefile.Render(again.File, rulefile.Style{}); !bytes.Equal(text, second) {
			t.Errorf("%s: (-first +second)\n%s", p.Name, cmp.Diff(string(text), string(second)))
		}
		for _, r := range f.Groups[0].Rules {
			if r.Record != "" && bytes.Count(text, []byte(r.Record)) < 2 {
				t.Errorf("%s: nothing uses %s", p.Name, r.Record)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d systems have rules", n)
	}
}

// TestAnEdgeReadsBackBesideItsHops: rules that both have are one.
func TestAnEdgeReadsBackBesideItsHops(t *testing.T) {
	systems := systemsAnd(t, time.Minute, true, "haproxy", "istio_telemetry")
	o := export.Options{Baselines: collector.Baselines{Number: 2}}
	rules := append(documented(), documented()[0])
	rules[4].Name, rules[4].Scope = "EdgeHigh", collector.ScopeEdge
	b, err := export.Build(systems, rules, o)
	if err != nil {
		t.Fatal(err)
	}
	text := rulefile.Render(b.File, rulefile.Style{})
	f, err := rulefile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	got := export.Read(f)
	if len(got.Rules) != 5 || len(got.Notes) > 0 || got.Rules[4].Scope != collector.ScopeEdge || got.Rules[0].Scope != collector.ScopeTarget {
		t.Fatalf("%+v, %q", got.Rules, got.Notes)
	}
	again, err := export.Build(systems, got.Rules, o)
	if err != nil {
		t.Fatal(err)
	}
	if second := rulefile.Render(again.File, rulefile.Style{}); !bytes.Equal(text, second) {
		t.Errorf("%s", cmp.Diff(string(text), string(second)))
	}
}

// TestHelmGivesBackWhatWasWritten: with the braces escaped, rendering the file
// as a template yields the file without.
func TestHelmGivesBackWhatWasWritten(t *testing.T) {
	for name, b := range variants(t) {
		escaped, plain := rulefile.Render(b.File, rulefile.Style{Helm: true}), rulefile.Render(b.File, rulefile.Style{})
		tmpl, err := template.New(name).Parse(string(escaped))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var out bytes.Buffer
		if err := tmpl.Execute(&out, nil); err != nil || !bytes.Equal(out.Bytes(), plain) {
			t.Errorf("%s: %v\n%s", name, err, cmp.Diff(string(plain), out.String()))
		}
	}
}

// TestWhatIsChangedByHandIsKept: an alert of ours whose expression is another
// one becomes one of the person's own, with a note.
func TestWhatIsChangedByHandIsKept(t *testing.T) {
	b, err := export.Build(systemsOf(t, time.Minute, "stormtop"), documented(), export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(rulefile.Render(b.File, rulefile.Style{})), "service:stormtop_downstream_per_ingress:ratio_rate1m > 1.5", "vector(2) > 1.5", 1)
	f, err := rulefile.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got := export.Read(f)
	if len(got.Notes) != 1 || len(got.Own) != 1 || got.Own[0].Rules[0].Alert != alerts.RetryAmplificationHigh || len(got.Rules) != 3 {
		t.Errorf("%+v", got)
	}
}

func TestWhatASystemLacksIsLeftOutAndSaid(t *testing.T) {
	for _, tt := range []struct{ profile, note string }{
		{"otel_http", "AttemptLimitReached is left out for otel_http: at_limit is not exported by otel_http"},
		{"grpc_otel_utf8", "the rules for grpc_otel_utf8 need a Prometheus 3: its labels are quoted"},
		{"spring", "RetryAmplificationHigh is left out for spring: needs a baseline, since fan-out is in it"},
	} {
		b, err := export.Build(systemsOf(t, time.Minute, tt.profile, "stormtop"), documented(), export.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(b.Notes, tt.note) {
			t.Errorf("%s: notes are %q", tt.profile, b.Notes)
		}
	}
	if _, err := export.Build(systemsOf(t, time.Minute, "spring"), documented(), export.Options{}); err == nil {
		t.Error("a file without any rule was made")
	}
	if _, err := export.Build(nil, documented(), export.Options{Prefix: "x y"}); err == nil || !strings.Contains(err.Error(), "letters") {
		t.Errorf("prefix: %v", err)
	}
}

// moods are stretches of ingress, downstream, retries and at_limit.
var moods = [][4]string{
	{"100", "120", "20", "0"}, {"100", "100", "0", "0"}, {"100", "150", "50", "0"}, {"2.4", "3.6", "1.2", "0.1"},
	{"100", "200", "100", "7"}, {"100", "200", "100", "0"}, {"100", "151", "51", "2"}, {"100", "480", "380", "40"}, {"100", "200", "_", "_"},
	{"_", "_", "_", "_"}, {"_", "200", "7", "7"}, {"100", "_", "7", "7"},
	{"0", "0", "0", "0"}, {"0", "50", "5", "5"}, {"0", "0.5", "0.5", "0.5"}, {"0.2", "0.4", "0.2", "0.2"},
}

// randomReadings are readings of three targets, one of a name that is hard to write.
func randomReadings(t testing.TB, rnd *rand.Rand, steps int, step time.Duration) []*collector.Reading {
	t.Helper()
	values := map[string][4][]string{}
	for _, name := range []string{"a", `b"\{{`, "c"} {
		var s [4][]string
		for len(s[0]) < steps {
			mood := moods[rnd.IntN(len(moods))]
			for range 1 + rnd.IntN(6) {
				for k := range s {
					s[k] = append(s[k], mood[k])
				}
			}
		}
		values[name] = s
	}
	var out []*collector.Reading
	signals := []collector.Signal{collector.Ingress, collector.Downstream, collector.Retries, collector.AtLimit}
	for i := range steps {
		r := &collector.Reading{At: alertstest.Start.Add(time.Duration(i) * step), Origin: &collector.Origin{Interval: step}}
		for _, name := range []string{"a", `b"\{{`, "c"} {
			var v collector.Values
			there := false
			for k, sig := range signals {
				if token := values[name][k][i]; token != "_" {
					list, err := alertstest.Series(sig, token)
					if err != nil {
						t.Fatal(err)
					}
					v[sig], there = list[0], true
				}
			}
			if there {
				target := collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: name}).In("stormtop")
				r.Targets = append(r.Targets, collector.Row{Target: target, Values: v, Baseline: 1})
			}
		}
		r.Total = collector.Total(r.Targets)
		out = append(out, r)
	}
	return out
}

// TestPromtoolAgreesOnGeneratedSeries is C1, C3, C4, C5 and C10 at once: for
// random series and tunings promtool test rules comes to the states of our
// engine with the exported file, and would have noticed a wrong one.
func TestPromtoolAgreesOnGeneratedSeries(t *testing.T) {
	tools := promtest.Tools(t)
	const step = 15 * time.Second
	holds := []time.Duration{0, time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 90 * time.Second}
	keeps := []time.Duration{0, 0, time.Second, 15 * time.Second, 40 * time.Second}
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 88))
		rules := tunings(rnd, 20, []float64{1e-5, 1.2, 1.5, 2, 500, math.Nextafter(1.5, 2)}, holds, keeps)
		o := export.Options{Prefix: []string{"", "P_"}[seed%2]}
		if seed == 3 {
			o.Baselines.Number = 1.25
		}
		b, err := export.Build(systemsOf(t, time.Minute, "stormtop"), rules, o)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		writeFile(t, dir, "rules.yml", rulefile.Render(b.File, rulefile.Style{}))
		test := b.Test(rules, o.Prefix, export.Episode{Readings: randomReadings(t, rnd, 60, step), Step: step, Rules: "rules.yml", Said: "generated"})
		writeFile(t, dir, "test.yml", test)
		if n := bytes.Count(test, []byte(`alertstate="firing"`)); n < 30 {
			t.Errorf("only %d firing samples are expected: this proves too little", n)
		}
		wrong := bytes.Replace(test, []byte(`alertstate="firing"`), []byte(`alertstate="pending"`), 1)
		writeFile(t, dir, "wrong.yml", wrong)
		for _, tool := range tools {
			if out, err := promtool(t, tool, dir, "test", "rules", "test.yml"); err != nil {
				t.Errorf("seed %d: %s does not agree: %v\n%s", seed, filepath.Dir(tool), err, out)
			}
			if out, err := promtool(t, tool, dir, "test", "rules", "wrong.yml"); err == nil || !strings.Contains(out, "FAILED") {
				t.Errorf("seed %d: a wrong state went unnoticed: %v\n%s", seed, err, out)
			}
		}
	}
}

// TestATestHoldsWhatTheRulesOfTheFileSee: an episode of what they do not judge makes
// no test, since one without input passes with any rules; and of targets that are
// one series to a server one is taken, else the series would be there twice.
func TestATestHoldsWhatTheRulesOfTheFileSee(t *testing.T) {
	target := func(id string, kind collector.RatioKind, labels ...collector.Label) collector.Target {
		return collector.Target{ID: id, Name: id, System: "stormtop", Kind: kind, Labels: labels}
	}
	order := collector.Label{Name: "service", Value: "order"}
	hop := target("hop", collector.Hop, order)
	ofWeb := target("web", collector.Hop, order, collector.Label{Name: "caller", Value: "web"})
	other := target("other", collector.Hop, collector.Label{Name: "service", Value: "cart"})
	edge := target("edge", collector.Edge, order)
	foreign := hop
	foreign.System = "envoy"
	b, err := export.Build(systemsOf(t, time.Minute, "stormtop"), documented(), export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		targets []collector.Target
		judged  bool
		series  int // of the ingress
	}{
		{"one", []collector.Target{hop}, true, 1},
		{"two", []collector.Target{hop, other}, true, 2},
		{"one series", []collector.Target{ofWeb, hop}, true, 1},
		{"an edge", []collector.Target{edge}, false, 0},
		{"an edge and a hop", []collector.Target{edge, other}, true, 1},
		{"of another system", []collector.Target{foreign}, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := slices.ContainsFunc(tt.targets, b.Judges); got != tt.judged {
				t.Errorf("judged: %v, want %v", got, tt.judged)
			}
			e := export.Episode{Step: time.Second, Rules: "rules.yml"}
			for i := range 5 {
				r := &collector.Reading{At: time.Unix(int64(i), 0), Origin: &collector.Origin{Interval: time.Second}}
				for _, one := range tt.targets {
					var v collector.Values
					v[collector.Ingress] = collector.Num(100, collector.PerSecond, collector.Exact)
					v[collector.Downstream] = collector.Num(100+float64(100*i), collector.PerSecond, collector.Exact)
					v[collector.Retries] = collector.Num(float64(100*i), collector.PerSecond, collector.Exact)
					r.Targets = append(r.Targets, collector.Row{Target: one, Values: v, Baseline: 1})
				}
				e.Readings = append(e.Readings, r)
			}
			test := string(b.Test(documented(), "", e))
			if got := strings.Count(test, "- series: 'service:stormtop_ingress:"); got != tt.series {
				t.Errorf("%d series of the ingress, want %d:\n%s", got, tt.series, test)
			}
			if (test != "") != tt.judged || tt.judged && !strings.Contains(test, `alertstate="firing"`) {
				t.Errorf("judged %v, and the test is\n%s", tt.judged, test)
			}
		})
	}
}

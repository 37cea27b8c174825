package rulefile_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/collector"
	"stormtop/collector/rulefile"
)

const sample = `# Our own rules.
groups:
- name: orders
  interval: 30s
  rules:
  - record: service:orders_latency:p99
    expr: histogram_quantile(0.99, sum by (le) (rate(orders_seconds_bucket[5m])))
  - alert: OrdersHighLatency
    expr: service:orders_latency:p99 > 1.5
    for: 5m
    labels: {severity: critical, team: orders}
    annotations:
      summary: Orders are slow
      description: '{{ $labels.service }}: {{ $value }}'
  - alert: OrdersDown
    expr: up{job="orders"} == 0 or absent(up{job="orders"})
    for: 1d
    keep_firing_for: 90
`

func TestARuleFileIsReadWithItsLines(t *testing.T) {
	text := strings.Replace(sample, "keep_firing_for: 90", "keep_firing_for: 90s", 1)
	f, err := rulefile.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	own := rulefile.Own(f.Groups, "rules.yml")
	want := []collector.OwnRule{
		{
			Name: "OrdersHighLatency", Group: "orders", Expr: "service:orders_latency:p99 > 1.5", For: 5 * time.Minute, Severity: "critical",
			Interval: 30 * time.Second, From: "rules.yml:8", Tunable: true, Left: "service:orders_latency:p99", Threshold: 1.5,
		},
		{
			Name: "OrdersDown", Group: "orders", Expr: `up{job="orders"} == 0 or absent(up{job="orders"})`, For: 24 * time.Hour, Keep: 90 * time.Second,
			Interval: 30 * time.Second, From: "rules.yml:15",
		},
	}
	if diff := cmp.Diff(want, own); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	first := rulefile.Render(f, rulefile.Style{})
	again, err := rulefile.Parse(first)
	if err != nil {
		t.Fatalf("%v\n%s", err, first)
	}
	if second := rulefile.Render(again, rulefile.Style{}); !bytes.Equal(first, second) {
		t.Errorf("written again it is another one:\n%s", cmp.Diff(string(first), string(second)))
	}
	if !strings.Contains(string(first), "for: 24h\n") || !strings.Contains(string(first), "team: orders") {
		t.Errorf("%s", first)
	}
}

// TestAnInvalidFileIsRefusedWithItsLine: all that is wrong at once.
func TestAnInvalidFileIsRefusedWithItsLine(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a number without a unit", sample, []string{`line 18: keep_firing_for: "90" has no unit`}},
		{"no YAML", "groups:\n- name: [", []string{"line 2: no YAML"}},
		{"empty", "", []string{"line 1: the file is empty"}},
		{"no groups", "{}", []string{"line 1: it has no groups"}},
		{"a second document", "groups:\n- name: a\n  rules:\n  - alert: A\n    expr: x > 1\n---\ngroups:\n- name: b\n", []string{"line 7: a second document begins, which a server does not read"}},
		{"a second document that is no YAML", "groups:\n- name: a\n---\n[", []string{"line 4: no YAML"}},
		{"a stray field", "groups:\n- name: a\n  rules:\n  - alert: A\n    expr: x > 1\n    fro: 1m\n", []string{`line 6: a rule has no field "fro"`}},
		{"two mistakes", "groups:\n- name: a\n  rules:\n  - alert: A\n    expr: x >\n  - record: b\n- name: a\n",
			[]string{`line 5: "A": malformed PromQL at character 4`, `line 6: "b" has no expr`, `line 7: the group "a" is there already, in line 2`}},
		{"both record and alert", "groups:\n- name: a\n  rules:\n  - alert: A\n    record: b\n    expr: x", []string{"line 4: a rule has either record or alert"}},
		{"another kind", "kind: ConfigMap\n", []string{`line 1: it is a "ConfigMap", not a PrometheusRule`}},
		{"a template that cannot be filled in", "groups:\n- name: a\n  rules:\n  - alert: A\n    expr: x > 1\n    labels: {l: '{{ $nosuch }}'}\n    annotations:\n      ok: '{{ $labels.a }} {{ $value | humanize }} {{ nosuch 1 }}'\n      bad: '{{ $labels.a '\n",
			[]string{`line 6: labels: l: the template cannot be read: undefined variable "$nosuch"`, "line 9: annotations: bad: the template cannot be read: unclosed action"}},
		{"names that cannot be", "groups:\n- name: a\n  labels: {'': x}\n  rules:\n  - alert: A\n    expr: x > 1\n    labels:\n      __name__: b\n    annotations: {'': x}\n  - record: 'a{b=\"c\"}'\n    expr: x\n",
			[]string{"line 3: labels: a name is empty", "line 8: labels: __name__ is the name of the metric", "line 9: annotations: a name is empty", `line 10: the recording rule "a{b=\"c\"}" has braces in its name`}},
		{"a merge of what is no mapping", "groups:\n- name: a\n  rules:\n  - alert: A\n    expr: x > 1\n    labels: {<<: [b]}\n", []string{"line 6: what is merged with << is a mapping"}},
		{"what is merged is checked, too", "groups:\n- name: a\n  rules:\n  - &a\n    alert: A\n    expr: x >\n  - <<: *a\n    alert: B\n", []string{`line 6: "A": malformed`, `line 6: "B": malformed`}},
		{"what merges itself", "groups:\n- name: a\n  rules:\n  - &a\n    alert: A\n    expr: x > 1\n    <<: [*a, *a, *a]\n", []string{"line 4: more is merged into it than can be read"}},
		{"a field twice", "groups:\n- name: a\n  name: b\n", []string{"line 3: name is there twice"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := rulefile.Parse([]byte(tt.text))
			if err == nil {
				t.Fatal("it was taken")
			}
			for i, line := range strings.Split(err.Error(), "\n") {
				if i >= len(tt.want) || !strings.HasPrefix(line, tt.want[i]) {
					t.Errorf("%q, want %q", err, tt.want)
					break
				}
			}
			if n := len(strings.Split(err.Error(), "\n")); n != len(tt.want) {
				t.Errorf("%d problems, want %d: %v", n, len(tt.want), err)
			}
		})
	}
}

// TestAnchorsAndMergesAreFollowed: what is nearer hides what is farther, as in the
// files that a server reads.
func TestAnchorsAndMergesAreFollowed(t *testing.T) {
	const text = `groups:
- name: a
  rules:
  - &first
    alert: A
    expr: &expr x > 1
    for: &for 5m
    labels: &labels {severity: page, team: shop}
  - alert: B
    expr: *expr
    for: *for
    labels:
      <<: *labels
      team: other
  - <<: *first
    alert: C
    annotations: {<<: [{a: near}, {a: far, b: '2'}]}
`
	f, err := rulefile.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []rulefile.Rule
	for _, r := range f.Groups[0].Rules {
		r.Line = 0
		got = append(got, r)
	}
	page, shop := rulefile.Pair{Name: "severity", Value: "page"}, rulefile.Pair{Name: "team", Value: "shop"}
	want := []rulefile.Rule{
		{Alert: "A", Expr: "x > 1", For: 5 * time.Minute, Labels: []rulefile.Pair{page, shop}},
		{Alert: "B", Expr: "x > 1", For: 5 * time.Minute, Labels: []rulefile.Pair{page, {Name: "team", Value: "other"}}},
		{Alert: "C", Expr: "x > 1", For: 5 * time.Minute, Labels: []rulefile.Pair{page, shop}, Annotations: []rulefile.Pair{{Name: "a", Value: "near"}, {Name: "b", Value: "2"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestWhatIsLeftEmptyIsNotThere, as to a server.
func TestWhatIsLeftEmptyIsNotThere(t *testing.T) {
	f, err := rulefile.Parse([]byte("groups:\n- name: a\n  interval:\n  limit:\n  rules:\n  - alert: A\n    record:\n    expr: x > 1\n    for:\n    keep_firing_for: ~\n    labels:\n    annotations: {a: null}\n"))
	if err != nil {
		t.Fatal(err)
	}
	g := f.Groups[0]
	if r := g.Rules[0]; g.Interval != 0 || g.Limit != 0 || r.For != 0 || r.Keep != 0 || len(r.Labels) != 0 || rulefile.Value(r.Annotations, "a") != "" {
		t.Errorf("%+v", g)
	}
}

func TestWhatCanBeTuned(t *testing.T) {
	for _, tt := range []struct {
		expr, left string
		compare    collector.Comparison
		threshold  float64
		with       string // with 2.5 instead
	}{
		{"x > 1.5", "x", collector.Above, 1.5, "x > 2.5"},
		{`sum by (a) (rate(x{b="1 > 2"}[5m])) / ignoring(c) y >= 1e-5 # why`, `sum by (a) (rate(x{b="1 > 2"}[5m])) / ignoring(c) y`, collector.AtLeast, 1e-5, `sum by (a) (rate(x{b="1 > 2"}[5m])) / ignoring(c) y >= 2.5 # why`},
		{"500 < x", "x", collector.Above, 500, "2.5 < x"},
		{"(x) <= -3", "(x)", collector.AtMost, -3, "(x) <= 2.5"},
		{"(x < (0.5))", "x", collector.Below, 0.5, "(x < 2.5)"},
		{"x > 1h", "x", collector.Above, 3600, "x > 2.5"},
		{"x > y", "", 0, 0, ""},
		{"x > bool 1", "", 0, 0, ""},
		{"x == 1", "", 0, 0, ""},
		{"x > 1 and y > 2", "", 0, 0, ""},
		{"x", "", 0, 0, ""},
		{"x > scalar(y)", "", 0, 0, ""},
		{"2 > bool 1", "", 0, 0, ""},
		{"x != 1", "", 0, 0, ""},
		{"x > NaN", "", 0, 0, ""},
		{"x > -Inf", "", 0, 0, ""},
		{"x < +Inf", "", 0, 0, ""},
		{"absent(x)", "", 0, 0, ""},
		{"x > 1 or absent(x)", "", 0, 0, ""},
		{"x > 1 unless on () y > 2", "", 0, 0, ""},
		{"(x > 0) < 5.5", "(x > 0)", collector.Below, 5.5, "(x > 0) < 2.5"},
		{"0 < x < 4", "0 < x", collector.Below, 4, "0 < x < 2.5"},
		{"-3 > x", "x", collector.Below, -3, "2.5 > x"},
		{"x > 1 > 2", "x > 1", collector.Above, 2, "x > 1 > 2.5"},
		{"sum(x > bool 3) > 0", "sum(x > bool 3)", collector.Above, 0, "sum(x > bool 3) > 2.5"},
		{"(x > bool 3) == 1", "", 0, 0, ""},
		{"max_over_time(x[5m:10s]) > 3", "max_over_time(x[5m:10s])", collector.Above, 3, "max_over_time(x[5m:10s]) > 2.5"},
		{"x * on () group_left () y > 3", "x * on () group_left () y", collector.Above, 3, "x * on () group_left () y > 2.5"},
		{"x offset 5m > 3", "x offset 5m", collector.Above, 3, "x offset 5m > 2.5"},
		{"x @ end() > 3", "x @ end()", collector.Above, 3, "x @ end() > 2.5"},
		{"x # y > 1\n > 0x1F # z", "x", collector.Above, 31, "x # y > 1\n > 2.5 # z"},
	} {
		c, ok := rulefile.ConditionOf(tt.expr)
		switch {
		case ok != (tt.left != ""):
			t.Errorf("%s: tunable %v", tt.expr, ok)
		case ok && (c.Left != tt.left || c.Compare != tt.compare || c.Threshold != tt.threshold):
			t.Errorf("%s: %q %s %v", tt.expr, c.Left, c.Compare, c.Threshold)
		case ok && (c.With(2.5) != tt.with || c.With(tt.threshold) != tt.expr):
			t.Errorf("%s: %q, %q", tt.expr, c.With(2.5), c.With(tt.threshold))
		}
	}
}

func TestWhatIsNoSecondDocumentIsTaken(t *testing.T) {
	const group = "groups:\n- name: a\n  rules:\n  - alert: A\n    expr: x > 1\n"
	for _, text := range []string{"---\n" + group, group + "---\n", group + "...\n", group + "---\n# no more\n---\n", "\xef\xbb\xbf" + group, strings.ReplaceAll(group, "\n", "\r\n")} {
		if f, err := rulefile.Parse([]byte(text)); err != nil || len(f.Alerts()) != 1 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTheMetricsOfAnExpression(t *testing.T) {
	for expr, want := range map[string]string{
		"a > 1": "a", `sum(rate(b{c="d"}[5m])) / on (e) job:f:rate5m unless absent(g)`: "b job:f:rate5m g", `{__name__=~"h.*"} > 1`: "", "vector(1) > 2": "", "a >": "",
	} {
		if got := strings.Join(rulefile.Metrics(expr), " "); got != want {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}

func TestDurationsAreOfOneWholeUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 10 * time.Second: "10s", 90 * time.Second: "90s", time.Minute: "1m", 24 * time.Hour: "24h", 36 * time.Hour: "36h",
		90 * time.Minute: "90m", 1500 * time.Millisecond: "1500ms",
	} {
		if got := rulefile.Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestNumbersAreThoseOfPromQL(t *testing.T) {
	for f, want := range map[float64]string{1.5: "1.5", 1e-5: "1e-05", 500: "500", 0: "0", 1234567: "1.234567e+06"} {
		if got := rulefile.Number(f); got != want {
			t.Errorf("%v: %q, want %q", f, got, want)
		}
	}
}

func TestTheDifferenceOfTwoFiles(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\ng\n"
	for _, tt := range []struct{ after, want string }{
		{before, ""},
		{"a\nb\nc\nd\nE\nf\ng\n", "  ... 2 lines\n c\n d\n-e\n+E\n f\n g\n"},
		{"a\nb\nc\nd\ne\nf\ng\nh\n", "  ... 5 lines\n f\n g\n+h\n"},
		{"", "-a\n-b\n-c\n-d\n-e\n-f\n-g\n"},
	} {
		if got := rulefile.Diff([]byte(before), []byte(tt.after)); got != tt.want {
			t.Errorf("%q:\n%s", tt.after, cmp.Diff(tt.want, got))
		}
	}
	if got := rulefile.Diff(nil, []byte("x\n")); got != "+x\n" {
		t.Errorf("%q", got)
	}
}

func TestANativeFileIsRefusedWithItsLine(t *testing.T) {
	_, err := rulefile.ParseNative([]byte("rules:\n- name: A\n  signal: amplificaton\n  threshold: 1,5\n- signal: retries\n"))
	for _, want := range []string{"line 3: unknown signal", "line 4: threshold is a number, with a point", "line 5: the rule has no name"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// FuzzParse: whatever is read does not panic, and what is taken is written and
// read again as the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(strings.Replace(sample, ": 90", ": 90s", 1)))
	f.Add([]byte("kind: PrometheusRule\nspec: {groups: [{name: a, rules: [{alert: \"x\\x00{{\", expr: 'y > 1', labels: {a: \"\\n- \"}}]}]}\n"))
	f.Add([]byte("groups: &a\n- name: *a\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := rulefile.Parse(text)
		if err != nil {
			return
		}
		for _, r := range file.Alerts() {
			if c, ok := rulefile.ConditionOf(r.Expr); ok {
				if again, ok := rulefile.ConditionOf(c.With(c.Threshold + 1)); !ok || again.Threshold != c.Threshold+1 {
					t.Fatalf("%q is not tuned: %q", r.Expr, c.With(c.Threshold+1))
				}
			}
		}
		first := rulefile.Render(file, rulefile.Style{})
		again, err := rulefile.Parse(first)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second := rulefile.Render(again, rulefile.Style{}); !bytes.Equal(first, second) {
			t.Fatalf("%s", cmp.Diff(string(first), string(second)))
		}
	})
}

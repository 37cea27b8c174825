package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/report"
)

// The schema as a consumer would write it down, from docs/formats.md alone.
type (
	reading struct {
		Schema    string           `json:"schema"`
		At        *time.Time       `json:"at"`
		Source    string           `json:"source"`
		Profile   string           `json:"profile"`
		Simulated bool             `json:"simulated"`
		Replay    bool             `json:"replay"`
		RateRange string           `json:"rate_range"`
		Systems   []system         `json:"systems"`
		Offered   []string         `json:"offered"`
		Reporters []side           `json:"reporters"`
		Newest    *time.Time       `json:"newest"`
		Age       *string          `json:"age"`
		Cause     *cause           `json:"cause"`
		Judged    judged           `json:"judged"`
		Total     map[string]value `json:"total"`
		TotalOf   totalOf          `json:"total_of"`
		Targets   []target         `json:"targets"`
		Rules     []rule           `json:"rules"`
		Failures  []failure        `json:"failures"`
		Warnings  []string         `json:"warnings"`
	}
	cause struct {
		Word     string     `json:"word"`
		Since    *time.Time `json:"since"`
		Attempts *float64   `json:"attempts"`
		Ingress  *float64   `json:"ingress"`
		Text     string     `json:"text"`
	}
	judged struct {
		Rules     int       `json:"rules"`
		Of        int       `json:"of"`
		Missing   []missing `json:"missing"`
		Elsewhere []missing `json:"elsewhere"`
	}
	missing struct {
		Rule     string   `json:"rule"`
		Signal   string   `json:"signal"`
		Reason   string   `json:"reason"`
		Profiles []string `json:"profiles"`
	}
	system struct {
		Profile   string  `json:"profile"`
		Title     string  `json:"title"`
		Kind      *string `json:"kind"`
		Trust     *string `json:"trust"`
		Unproven  bool    `json:"unproven"`
		CannotSee string  `json:"cannot_see"`
	}
	side struct {
		Profile string  `json:"profile"`
		Target  *string `json:"target"`
		Side    string  `json:"side"`
		Now     int     `json:"now"`
		Usual   *int    `json:"usual"`
	}
	totalOf struct {
		Profile *string `json:"profile"`
		Kind    *string `json:"kind"`
	}
	value struct {
		Value *float64 `json:"value"`
		State string   `json:"state"`
		Unit  string   `json:"unit"`
		Trust *string  `json:"trust"`
	}
	target struct {
		Name     string            `json:"name"`
		Profile  *string           `json:"profile"`
		Kind     *string           `json:"kind"`
		Labels   map[string]string `json:"labels"`
		Baseline *float64          `json:"baseline"`
		Signals  map[string]value  `json:"signals"`
	}
	rule struct {
		Name       string     `json:"name"`
		Signal     string     `json:"signal"`
		Target     *string    `json:"target"`
		Profile    *string    `json:"profile"`
		State      string     `json:"state"`
		Held       bool       `json:"held"`
		Evaluated  string     `json:"evaluated"`
		Since      *time.Time `json:"since"`
		Value      *float64   `json:"value"`
		ValueState string     `json:"value_state"`
		Threshold  *float64   `json:"threshold"`
		For        string     `json:"for"`
		Reason     string     `json:"reason"`
	}
	failure struct {
		Signal  *string    `json:"signal"`
		Profile *string    `json:"profile"`
		Kind    string     `json:"kind"`
		Text    string     `json:"text"`
		Retry   *time.Time `json:"retry"`
	}
	event struct {
		Schema     string     `json:"schema"`
		At         *time.Time `json:"at"`
		Kind       string     `json:"kind"`
		Rule       *string    `json:"rule"`
		Target     *string    `json:"target"`
		Value      *float64   `json:"value"`
		ValueState string     `json:"value_state"`
		Text       string     `json:"text"`
	}
)

var signalNames = []string{
	"ingress", "downstream", "amplification", "retry_rate", "rescued_share", "at_limit", "pool_wait", "queue_depth", "delivered",
}

// rareNames are the signals that are left out where no system exports them.
var rareNames = []string{"arrived", "overflow"}

// strict decodes and refuses every field that the schema does not name.
func strict(t interface{ Fatalf(string, ...any) }, b []byte, into any) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("decoding: %v\n%s", err, b)
	}
}

func jsonOf(t interface{ Fatalf(string, ...any) }, s watch.Snapshot) []byte {
	var b bytes.Buffer
	if err := report.JSON(&b, s); err != nil {
		t.Fatalf("encoding: %v", err)
	}
	return b.Bytes()
}

func TestJSONOfTellingMoments(t *testing.T) {
	for _, name := range []string{
		"waiting", "firing", "not-all-seen", "blind-in-storm", "partial", "idle", "infinite", "stale", "unknown",
		"one-signal-failed", "hostile",
	} {
		t.Run(name, func(t *testing.T) {
			golden.RequireEqual(t, jsonOf(t, moment(t, name).Snapshot))
		})
	}
}

func checkReading(t interface {
	Fatalf(string, ...any)
	Errorf(string, ...any)
}, b []byte) reading {
	var r reading
	strict(t, b, &r)
	if r.Schema != "stormtop/reading/v1" || r.Targets == nil || r.Rules == nil || r.Failures == nil || r.Warnings == nil || r.Judged.Missing == nil || r.Systems == nil || r.Offered == nil || r.Reporters == nil {
		t.Errorf("not a complete reading:\n%s", b)
	}
	all := []map[string]value{r.Total}
	for _, x := range r.Targets {
		all = append(all, x.Signals)
	}
	for _, signals := range all {
		rare := 0
		for _, name := range rareNames {
			if v, ok := signals[name]; ok {
				if rare++; v.State == "missing" {
					t.Errorf("%s is there although it is missing", name)
				}
			}
		}
		if len(signals) != len(signalNames)+rare {
			t.Errorf("%d signals, want %d", len(signals), len(signalNames)+rare)
		}
		for _, name := range signalNames {
			v := signals[name]
			_, errState := collector.ParseState(v.State)
			_, errUnit := collector.ParseUnit(v.Unit)
			number := v.State == "ok" || v.State == "stale" || v.State == "partial"
			if errState != nil || errUnit != nil || (v.Value != nil) != number {
				t.Errorf("%s is %+v", name, v)
			}
			if v.Trust != nil {
				if _, err := collector.ParseTrust(*v.Trust); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	return r
}

func TestJSONOfEveryMomentFollowsTheSchema(t *testing.T) {
	for _, m := range moments() {
		r := checkReading(t, jsonOf(t, m.Snapshot))
		firing := 0
		for _, x := range r.Rules {
			if x.State == "firing" {
				firing++
			}
		}
		if (firing > 0) != (report.ExitStatus(m.Snapshot) == report.ExitFiring) {
			t.Errorf("%s: %d rules firing, exit status %d", m.Name, firing, report.ExitStatus(m.Snapshot))
		}
		if r.Judged.Of != m.Snapshot.Coverage.Of || len(r.Judged.Missing) != r.Judged.Of-r.Judged.Rules {
			t.Errorf("%s: judged %+v", m.Name, r.Judged)
		}
	}
}

func TestJSONOfTheStorm(t *testing.T) {
	r := checkReading(t, jsonOf(t, moment(t, "firing").Snapshot))
	worst := r.Targets[0]
	numbers := map[string]float64{}
	for name, v := range worst.Signals {
		numbers[name] = math.Round(*v.Value*1000) / 1000
	}
	want := map[string]float64{
		"ingress": 1998, "downstream": 4955, "amplification": 2.48, "retry_rate": 0.597, "rescued_share": 0.597,
		"at_limit": 1328, "pool_wait": 0.24, "queue_depth": 1204, "delivered": 0.458,
	}
	if diff := cmp.Diff(want, numbers); worst.Name != watchtest.Payments || diff != "" {
		t.Errorf("%s: %s", worst.Name, diff)
	}
	if r.Cause == nil || r.Cause.Word != "retries" || math.Abs(*r.Cause.Attempts-1.48) > 0.005 {
		t.Errorf("cause %+v", r.Cause)
	}
	if r.Age == nil || *r.Age != "1s" || r.RateRange != "1m0s" || r.Newest == nil {
		t.Errorf("age %v, rate range %q", r.Age, r.RateRange)
	}
	for _, x := range r.Rules {
		if x.Name == alerts.RetryAmplificationHigh && (x.State != "firing" || x.Held || *x.Target != watchtest.Payments ||
			*x.Threshold != 1.5 || x.For != "1m0s" || x.Reason != "condition true" ||
			!x.Since.Equal(watchtest.Start.Add(watchtest.Fires))) {
			t.Errorf("rule %+v", x)
		}
	}
}

func TestJSONListsEachRuleOnceAndEveryTargetThatIsNotCalm(t *testing.T) {
	r := checkReading(t, jsonOf(t, moment(t, "hostile").Snapshot))
	if len(r.Rules) != 4 {
		t.Errorf("%d entries for 4 rules on one burning target", len(r.Rules))
	}
	burning := watchtest.EditAll(watchtest.Storm{Targets: 3}.Readings(0, watchtest.Step), func(row *collector.Row) {
		row.Values[collector.AtLimit].V = 5
	})
	r = checkReading(t, jsonOf(t, watchtest.Play(alerts.Documented(), burning...)))
	n := 0
	for _, x := range r.Rules {
		if x.Name == alerts.AttemptLimitReached {
			n++
		}
	}
	if n != 3 || len(r.Rules) != 6 {
		t.Errorf("%d entries of the rule that fires on 3 targets, %d in all", n, len(r.Rules))
	}
}

func TestJSONKeepsTrueLabelsButNothingATerminalObeys(t *testing.T) {
	b := jsonOf(t, moment(t, "hostile").Snapshot)
	for _, r := range string(b) {
		if r == 0x7f || r >= 0x80 && r < 0xa0 || r < 0x20 && r != '\n' || r == '\u202e' {
			t.Errorf("raw %U in the output", r)
		}
	}
	var r reading
	strict(t, b, &r)
	want := "pay\x1b[31m\x1b]52;c;eA==\a\r\nments\u202e\u009b\uFFFD" // JSON has no invalid UTF-8
	if got := r.Targets[0].Labels["envoy_cluster_name"]; got != want {
		t.Errorf("label %q, want %q", got, want)
	}
}

func TestJSONLineIsTheSameInOneLine(t *testing.T) {
	for _, m := range moments() {
		var line, compact bytes.Buffer
		if err := report.JSONLine(&line, m.Snapshot); err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&compact, jsonOf(t, m.Snapshot)); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(line.String(), "\n"); strings.Contains(got, "\n") || got != strings.TrimSuffix(compact.String(), "\n") {
			t.Errorf("%s differs:\n%s\n%s", m.Name, got, compact.String())
		}
	}
}

func TestEventJSON(t *testing.T) {
	for _, name := range []string{"resolved", "blind-in-storm", "partial"} {
		for _, e := range moment(t, name).Snapshot.Events {
			var b bytes.Buffer
			if err := report.EventJSON(&b, e); err != nil {
				t.Fatal(err)
			}
			var got event
			strict(t, b.Bytes(), &got)
			if strings.Count(b.String(), "\n") != 1 || got.Schema != "stormtop/event/v1" || got.Kind != e.Kind.String() ||
				!got.At.Equal(e.At) || got.Text != e.Text || (got.Rule != nil) != (e.Rule != "") {
				t.Errorf("%+v became %s", e, b.String())
			}
		}
	}
}

func TestSimulatedIsSaid(t *testing.T) {
	r := watchtest.Storm{Targets: 1}.Reading(0)
	o := *r.Origin
	o.Simulated = true
	r.Origin = &o
	s := watchtest.Play(alerts.Documented(), r)
	if got := checkReading(t, jsonOf(t, s)); !got.Simulated {
		t.Error("JSON does not say that it is simulated")
	}
	if text := textOf(t, report.Text{}, s); !strings.Contains(text, "SIMULATED") {
		t.Errorf("the text does not say that it is simulated:\n%s", text)
	}
}

func TestAReplayIsSaidInReportsAndNotInLines(t *testing.T) {
	r := watchtest.Storm{Targets: 1}.Reading(0)
	o := *r.Origin
	live := watchtest.Play(alerts.Documented(), r)
	o.Replay = true
	again := *r
	again.Origin = &o
	s := watchtest.Play(alerts.Documented(), &again)
	if !checkReading(t, jsonOf(t, s)).Replay || checkReading(t, jsonOf(t, live)).Replay {
		t.Error("JSON does not say that it is a replay, or says so of live data")
	}
	if text := textOf(t, report.Text{}, s); !strings.Contains(text, "REPLAY") {
		t.Errorf("the text does not say that it is a replay:\n%s", text)
	}
	var was, is bytes.Buffer
	if err := errors.Join(report.JSONLine(&was, live), report.JSONLine(&is, s)); err != nil || was.String() != is.String() ||
		report.Line(live) != report.Line(s) {
		t.Errorf("lines of a replay differ from those of what was recorded (%v):\n%s%s", err, &was, &is)
	}
}

// TestAnyReadingIsValidJSON includes values that no source should make: NaN and
// infinities said to be numbers, states, units and kinds that do not exist.
func TestAnyReadingIsValidJSON(t *testing.T) {
	float := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324}))
	valueOf := rapid.Custom(func(t *rapid.T) collector.Value {
		return collector.Value{
			V: float.Draw(t, "v"), State: collector.State(rapid.IntRange(0, 6).Draw(t, "state")),
			Unit: collector.Unit(rapid.IntRange(0, 5).Draw(t, "unit")), Trust: collector.Trust(rapid.IntRange(0, 4).Draw(t, "trust")),
		}
	})
	valuesOf := rapid.Custom(func(t *rapid.T) (out collector.Values) {
		for _, s := range collector.Signals() {
			out[s] = valueOf.Draw(t, s.String())
		}
		return out
	})
	rapid.Check(t, func(t *rapid.T) {
		w := watch.New(alerts.Documented(), time.Hour, 4)
		for i := range rapid.IntRange(1, 4).Draw(t, "readings") {
			r := &collector.Reading{At: watchtest.Start.Add(time.Duration(i) * time.Minute), Origin: watchtest.Origin()}
			r.Total.Values = valuesOf.Draw(t, "total")
			for range rapid.IntRange(0, 3).Draw(t, "targets") {
				label := collector.Label{Name: "service", Value: rapid.String().Draw(t, "label")}
				r.Targets = append(r.Targets, collector.Row{Target: collector.NewTarget(collector.Hop, label), Values: valuesOf.Draw(t, "values")})
			}
			if rapid.Bool().Draw(t, "failed") {
				r.Failures = []collector.Failure{{
					Signal: collector.Signal(rapid.IntRange(0, 12).Draw(t, "signal")),
					Kind:   collector.FailureKind(rapid.IntRange(0, 12).Draw(t, "kind")), Text: rapid.String().Draw(t, "text"),
				}}
			}
			w.Add(r)
		}
		s := w.Snapshot()
		b := jsonOf(t, s)
		if !json.Valid(b) {
			t.Fatalf("invalid JSON:\n%s", b)
		}
		checkReading(t, b)
		if err := report.Reading(&bytes.Buffer{}, s); err != nil {
			t.Error(err)
		}
		if line := report.Line(s); line == "" || strings.Contains(line, "NaN") {
			t.Errorf("line %q", line)
		}
	})
}

func BenchmarkReadingText(b *testing.B) {
	m, _ := watchtest.At("firing")
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		_ = report.Reading(&out, m.Snapshot)
	}
}

func BenchmarkJSONOf212Targets(b *testing.B) {
	m, _ := watchtest.At("firing")
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		_ = report.JSONLine(&out, m.Snapshot)
	}
}

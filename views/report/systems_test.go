package report_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/report"
)

// after is the snapshot after series in the notation of alertstest.
func after(t *testing.T, in alertstest.Input, text string) watch.Snapshot {
	t.Helper()
	rs, err := in.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	return watchtest.Play(alerts.Documented(), rs...)
}

// squeezed is the text with single blanks.
func squeezed(t *testing.T, s watch.Snapshot) string {
	t.Helper()
	return strings.Join(strings.Fields(textOf(t, report.Text{Rows: 100}, s)), " ")
}

func mustSay(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

// TestNamesSayWhichSystem where the same name stands for a target of two.
func TestNamesSayWhichSystem(t *testing.T) {
	s := watchtest.Play(alerts.Documented(), watchtest.Storm{Targets: 6}.Beside(0, watchtest.Plateau)...)
	mustSay(t, squeezed(t, s),
		"● FIRING 3m10s payments-channel (grpc_otel) 2.48x > 1.5",
		"payments-channel (grpc_otel) HOP: attempts per request at this hop",
		"● payments-channel (grpc_otel) 1,998/s", "payments-channel (envoy) 4,955/s 4,955/s 1.00x",
		"RetryAmplificationHigh warning payments-channel (grpc_otel) FIRING",
		"note envoy: sees proxy retries only", "note grpc_otel: sees the retries of gRPC clients only",
		"note has data here and is not judged: spring (--profile)")
	mustSay(t, report.Line(s), "payments-channel (grpc_otel) 2.48x FIRING 3m10s")
	for _, e := range s.Events {
		if e.Kind == collector.EventFiring {
			mustSay(t, report.EventLine(e), "payments-channel (grpc_otel)")
		}
	}
	r := checkReading(t, jsonOf(t, s))
	first := r.Targets[0]
	if first.Name != watchtest.Payments || *first.Profile != "grpc_otel" || *first.Kind != "hop" || *r.Rules[0].Profile != "grpc_otel" {
		t.Errorf("the worst is %s of %v", first.Name, first.Profile)
	}
	if r.TotalOf.Profile != nil || *r.TotalOf.Kind != "hop" {
		t.Errorf("the total is of %v, %v", r.TotalOf.Profile, r.TotalOf.Kind)
	}
	hop, exact := "hop", "exact"
	want := []system{
		{"envoy", "Envoy", &hop, &exact, false, "sees proxy retries only"},
		{"grpc_otel", "gRPC clients (OpenTelemetry)", &hop, &exact, false, "sees the retries of gRPC clients only"},
	}
	if diff := cmp.Diff(want, r.Systems); diff != "" || len(r.Offered) != 1 || r.Offered[0] != "spring" {
		t.Errorf("offered %v, systems: %s", r.Offered, diff)
	}
}

// TestD10RetriesInsideTheIngress is case D10: crates.io, 20 July 2023: 4,710 requests a
// second fail for 13 minutes, and the retries of the clients are requests like
// any other. The ratio reads 1.0x in a real storm, so that what it cannot see
// must be said.
func TestD10RetriesInsideTheIngress(t *testing.T) {
	const blindSpot = "retries by clients outside are requests like any other here"
	in := alertstest.Input{Systems: []collector.System{{
		Profile: "edge_proxy", Title: "Edge proxy", Kind: collector.Edge, Trust: collector.Exact, CannotSee: blindSpot,
	}}}
	text := "edge:downloads ingress 1600x20 4710x52\nedge:downloads downstream 1600x20 4710x52\n" +
		"edge:downloads successes 1600x20 0x52\nedge:downloads at_limit 0x72\n"
	s := after(t, in, text)
	if v := s.Worst.Values[collector.Amplification].String(); v != "1.00x" || s.Firing() != 0 {
		t.Errorf("the ratio is %s, %d firing", v, s.Firing())
	}
	mustSay(t, squeezed(t, s), "note "+blindSpot, "delivered 0.0%", "EDGE")
	r := checkReading(t, jsonOf(t, s))
	if len(r.Systems) != 1 || r.Systems[0].CannotSee != blindSpot {
		t.Errorf("systems %+v", r.Systems)
	}
	failed := 0.0
	for at := 20; at < 72; at++ {
		failed += 4710 * 15
	}
	if math.Abs(failed-3.67e6) > 0.01e6 {
		t.Errorf("%.0f requests failed: not the incident", failed)
	}
}

// TestE9ARetryCounterThatIsNotEnabled is case E9: constantly 0 beside 1.8 attempts for a
// request is no "0 % retries".
func TestE9ARetryCounterThatIsNotEnabled(t *testing.T) {
	s := after(t, alertstest.Input{}, "reviews ingress 100x9\nreviews downstream 180x9\nreviews retries 0x9")
	text := squeezed(t, s)
	mustSay(t, text, "retry rate ? the retry counter stays at 0 beside an amplification of 1.80x: probably not enabled")
	if strings.Contains(text, "retry rate 0.0%") {
		t.Errorf("it says 0 %% retries:\n%s", text)
	}
	s = after(t, alertstest.Input{}, "reviews ingress 100x9\nreviews downstream 101x9\nreviews retries 0x9")
	mustSay(t, squeezed(t, s), "retry rate 0.0%")
}

// TestWhatIsSaidOfANumber: the second ratio of a proxy, at limit and overflow as
// two things, the baseline, and how far a heuristic is to be trusted.
func TestWhatIsSaidOfANumber(t *testing.T) {
	proxy := "t ingress 100x5\nt downstream 250x5\nt arrived 210x5\nt retries 150x5\nt at_limit 20x5\nt overflow 35x5"
	tests := []struct {
		name, text string
		in         alertstest.Input
		edit       func(r *collector.Reading)
		want       []string
	}{
		{"two ratios", proxy, alertstest.Input{}, nil, []string{
			"attempts 250/s", "arrived 210/s attempts that got a connection",
			"amplification 2.50x 2.10x of attempts that got a connection, threshold > 1.5"}},
		{"at limit and overflow", proxy, alertstest.Input{}, nil, []string{
			"at limit 20/s 20.0% of requests used their last attempt", "overflow 35/s retries that a budget or a breaker did not permit"}},
		{"a number as the baseline", "t ingress 100x5\nt downstream 900x5", alertstest.Input{Baseline: 3.63}, nil, []string{
			"amplification 2.48x 9.00x / 3.63, baseline, threshold > 1.5"}},
		{"a learned baseline", "t ingress 100x5\nt downstream 900x5", alertstest.Input{Baseline: 3.63}, func(r *collector.Reading) {
			o := *r.Origin
			o.Baselines.Learned = map[string]float64{alertstest.Target("t").ID: 3.63}
			o.Baselines.From = "median of 1h, 1d before"
			r.Origin = &o
		}, []string{"amplification 2.48x 9.00x / 3.63, baseline learned: median of 1h, 1d before, threshold > 1.5"}},
		{"a heuristic without a baseline", "t ingress 100x5\nt downstream 363x5", alertstest.Input{}, heuristic, []string{
			"amplification ~3.63x fan-out is in it: give a baseline, threshold > 1.5"}},
		{"a heuristic with one", "t ingress 100x5\nt downstream 363x5", alertstest.Input{Baseline: 3.63}, heuristic, []string{
			"amplification ~1.00x a hint: fan-out is in it, ~3.63x / 3.63, baseline, threshold > 1.5"}},
		{"a system that cannot say it", "a@proxy ingress 9x5\na@proxy downstream 9x5\nb@lib ingress 9x5\nb@lib downstream 9x5\nb@lib at_limit 0x5",
			alertstest.Input{}, nil, []string{"3 rules judged", "note at limit: not exported by proxy"}},
		{"no system can say it", "a@istio_telemetry ingress 9x5\na@istio_telemetry downstream 9x5", alertstest.Input{}, nil,
			[]string{"2 of 3 rules judged; at limit: not exported by istio_telemetry"}},
		{"reporters of a target", "a ingress 100x5\na downstream 100x5", alertstest.Input{}, func(r *collector.Reading) {
			r.Reporters = []collector.Reporters{{Side: collector.Ingress, Target: alertstest.Target("a").ID, Now: 1, Usual: 4}}
		}, []string{"partial a: 1 of 4 reporters of the ingress side answered"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rs, err := tt.in.Readings(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rs {
				if tt.edit != nil {
					tt.edit(r)
				}
			}
			mustSay(t, squeezed(t, watchtest.Play(alerts.Documented(), rs...)), tt.want...)
		})
	}
}

func heuristic(r *collector.Reading) {
	for i := range r.Targets {
		r.Targets[i].Values[collector.Amplification].Trust = collector.Heuristic
	}
}

// TestJSONTellsRareSignalsAndBaselines only where they are there.
func TestJSONTellsRareSignalsAndBaselines(t *testing.T) {
	s := after(t, alertstest.Input{Baseline: 2}, "a ingress 100\na downstream 250\na overflow 3\nb@x ingress 5\nb@x downstream 5\nreporters@x ingress 1/4")
	r := checkReading(t, jsonOf(t, s))
	byName := map[string]target{}
	for _, x := range r.Targets {
		byName[x.Name] = x
	}
	if v, ok := byName["a"].Signals["overflow"]; !ok || *v.Value != 3 || *byName["a"].Baseline != 2 {
		t.Errorf("a is %+v", byName["a"])
	}
	if _, ok := byName["b"].Signals["overflow"]; ok {
		t.Error("b has an overflow")
	}
	four := 4
	if diff := cmp.Diff([]side{{"x", nil, "ingress", 1, &four}}, r.Reporters); diff != "" {
		t.Error(diff)
	}
	plain := after(t, alertstest.Input{}, "a ingress 100\na downstream 250")
	if b := jsonOf(t, plain); bytes.Contains(b, []byte("baseline")) || bytes.Contains(b, []byte("overflow")) {
		t.Errorf("%s", b)
	}
}

// TestASystemThatIsLostIsNoSuccess: the exit status says that something is not
// judged any more, though another system judges the rule.
func TestASystemThatIsLostIsNoSuccess(t *testing.T) {
	calm := "a@x ingress 9x5\na@x downstream 9x5\na@x at_limit 0x5\n"
	for text, want := range map[string]int{
		calm: report.ExitOk,
		calm + "b@y ingress 9x5\nb@y downstream 9x5":     report.ExitOk,
		calm + "b@y ingress 9x2 _x3\nb@y downstream 9x5": report.ExitUnjudged,
		calm + "b@y ingress 9x5\nb@y downstream 90x5":    report.ExitFiring,
		calm + "db@go_sql pool_wait 0.2x5":               report.ExitOk,
	} {
		if got := report.ExitStatus(after(t, alertstest.Input{}, text)); got != want {
			t.Errorf("%q exits %d, want %d", text, got, want)
		}
	}
}

// TestA3FourDisplays is case A3: x/0, 0/0, no ingress and no attempts are told apart, in
// the first line, beside the number and in JSON.
func TestA3FourDisplays(t *testing.T) {
	tests := []struct {
		name, text    string
		first, beside string
		states        string // of ingress, downstream and amplification in JSON
	}{
		{"x/0", "t ingress 0x9\nt downstream 50x9", "t ∞: 50/s attempts with no ingress (traffic cut, retries still burn)",
			"amplification ∞ infinite: attempts with no ingress", "ok ok infinite"},
		{"0/0", "t ingress 0x9\nt downstream 0x9", "t idle (threshold 1.5)",
			"amplification idle 0/0: nothing asked, nothing sent", "ok ok idle"},
		{"no ingress series", "t downstream 50x9", "ingress: not exported by test",
			"amplification – no ingress series", "missing ok missing"},
		{"no downstream series", "t ingress 50x9", "attempts: not exported by test",
			"amplification – no downstream series", "ok missing missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := after(t, alertstest.Input{}, tt.text)
			text := squeezed(t, s)
			mustSay(t, text, tt.beside)
			first, _, _ := strings.Cut(textOf(t, report.Text{}, s), "\n")
			mustSay(t, first, tt.first)
			for _, other := range tests {
				if other.name != tt.name && (strings.Contains(text, other.beside) || strings.Contains(first, other.first)) {
					t.Errorf("it says the same as %s:\n%s", other.name, text)
				}
			}
			signals := checkReading(t, jsonOf(t, s)).Targets[0].Signals
			if got := signals["ingress"].State + " " + signals["downstream"].State + " " + signals["amplification"].State; got != tt.states {
				t.Errorf("states %s, want %s", got, tt.states)
			}
		})
	}
}

func TestTargetsOfSeveralSystemsHaveNoTotal(t *testing.T) {
	const row = "\n   total "
	if text := textOf(t, report.Text{}, watchtest.TwoSystems().Snapshot); strings.Contains(text, row) {
		t.Errorf("there is one:\n%s", text)
	}
	if text := textOf(t, report.Text{}, moment(t, "firing").Snapshot); !strings.Contains(text, row) {
		t.Errorf("one system has none:\n%s", text)
	}
}

func TestAWarningIsNotANoteAsWell(t *testing.T) {
	s := moment(t, "firing").Snapshot
	last, origin := *s.Last, *s.Last.Origin
	origin.Note = "rate range 1s holds fewer than 2 samples"
	last.Origin, last.Warnings = &origin, []string{origin.Note}
	s.Last = &last
	if n := strings.Count(squeezed(t, s), origin.Note); n != 1 {
		t.Errorf("it is said %d times", n)
	}
}

package verdict_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// moments are played once for all tests, which only read them.
var moments = sync.OnceValue(watchtest.Moments)

func moment(t *testing.T, name string) watchtest.Moment {
	t.Helper()
	for _, m := range moments() {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("there is no moment %q", name)
	return watchtest.Moment{}
}

func TestTheWordsOfEveryMoment(t *testing.T) {
	var out strings.Builder
	for _, m := range moments() {
		v := verdict.New(m.Snapshot, m.Now)
		fmt.Fprintf(&out, "%s\n  %s\n  %s\n", m.Name, v.Text, v.Short())
		if v.Cause != "" {
			fmt.Fprintf(&out, "  %s\n", v.Cause)
		}
	}
	golden.RequireEqual(t, out.String())
}

// TestTheSketches compares with the lines that the design asks for.
func TestTheSketches(t *testing.T) {
	tests := []struct{ moment, want string }{
		{"calm", "ok  worst of 212: orders 1.02x (threshold 1.5)   3 rules judged"},
		{"not-all-seen", "ok, 2 of 3 rules judged; at limit: not exported by envoy"},
		{"partial", "● FIRING 3m52s (held)  payments-channel 2.50x (partial) > 1.5; 32 of 40 reporters of the ingress side answered; verdict kept"},
		{"pending", "◔ pending  payments-channel 1.62x > 1.5 for 22s of 1m   was 1.01x 1 min ago"},
		{"firing", "● FIRING 3m12s  payments-channel 2.48x > 1.5   critical   +2 rules   1 of 212 firing"},
		{"resolved", "ok  clear 4m7s; payments-channel fired 12:01:20Z to 12:35:00Z, peak 2.61x"},
		{"blind", `× blind since 12:04:35Z (37s): 503 "query timed out"; next try in 4s`},
		{"idle", "ok  idle: no requests, no attempts on 3 targets"},
		{"infinite", "payments-channel ∞: 212/s attempts with no ingress (traffic cut, retries still burn)"},
		{"nothing-found", "connected to prom.example:9090; none of 50 known systems has data here"},
		{"retry-rate", "payments-channel retry rate 20.0% > 10%"},
		{"at-limit", "payments-channel at limit 1,328/s > 0"},
		{"on-threshold", "payments-channel 1.50x = threshold 1.5"},
		{"just-above", "payments-channel 1.5004x > 1.5"},
	}
	for _, tt := range tests {
		m := moment(t, tt.moment)
		if got := verdict.New(m.Snapshot, m.Now).Text; !strings.Contains(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.moment, got, tt.want)
		}
	}
}

func TestTheFieldsOfAFiringVerdict(t *testing.T) {
	m := moment(t, "firing")
	v := verdict.New(m.Snapshot, m.Now)
	want := verdict.Verdict{
		Kind: verdict.Firing, Mark: verdict.MarkFiring, State: "FIRING", Since: 192 * time.Second,
		ActiveAt: watchtest.Start.Add(watchtest.Breach), TargetID: watchtest.Service(watchtest.Payments).ID,
		Target: watchtest.Payments, Named: watchtest.Payments, Signal: collector.Amplification, Value: "2.48x",
		Rule: alerts.RetryAmplificationHigh, Threshold: "> 1.5", Critical: true, Others: 2, FiringTargets: 1, Of: 212,
		Cause: "it is retries: attempts +148%, ingress +1% since 12:00:05Z",
		Lead:  "● FIRING 3m12s", Rest: "  payments-channel 2.48x > 1.5",
	}
	want.Tail, want.Text = v.Tail, v.Text
	if fmt.Sprintf("%+v", v) != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %+v\nwant %+v", v, want)
	}
	if v.Lasting() != "3m12s" {
		t.Errorf("lasting %q", v.Lasting())
	}
}

func TestAnUnseenMomentIsNeverGreen(t *testing.T) {
	for _, m := range moments() {
		v := verdict.New(m.Snapshot, m.Now)
		green := v.Mark == verdict.MarkOk
		switch m.Name {
		case "waiting", "blind", "blind-in-storm", "blind-from-start", "forbidden", "nothing-found", "unknown", "partial", "no-rules":
			if green {
				t.Errorf("%s reads %q", m.Name, v.Text)
			}
		}
		if m.Snapshot.Firing() > 0 && green {
			t.Errorf("%s fires and reads %q", m.Name, v.Text)
		}
	}
}

func TestTheZoneOfNowIsTheZoneOfTheText(t *testing.T) {
	m := moment(t, "resolved")
	v := verdict.New(m.Snapshot, m.Now.In(time.FixedZone("CET", 3600)))
	if want := "fired 13:01:20 to 13:35:00"; !strings.Contains(v.Text, want) {
		t.Errorf("%q does not say %q", v.Text, want)
	}
}

func TestAnOldFiringIsNotToldForever(t *testing.T) {
	m := moment(t, "resolved")
	v := verdict.New(m.Snapshot, m.Now.Add(time.Hour))
	if v.Kind != verdict.Calm || v.Target != watchtest.Orders {
		t.Errorf("an hour later: %q", v.Text)
	}
}

func TestTextIsLeadRestAndTail(t *testing.T) {
	for _, m := range moments() {
		v := verdict.New(m.Snapshot, m.Now)
		if want := strings.Join(append([]string{v.Lead + v.Rest}, v.Tail...), "   "); v.Text != want {
			t.Errorf("%s: %q is not %q", m.Name, v.Text, want)
		}
		for _, text := range []string{v.Text, v.Short(), v.Cause} {
			if strings.ContainsFunc(text, unicode.IsControl) {
				t.Errorf("%s: a control character in %q", m.Name, text)
			}
			if ascii := verdict.ASCII(text); strings.ContainsFunc(ascii, func(r rune) bool { return r > unicode.MaxASCII }) {
				t.Errorf("%s: not ASCII: %q", m.Name, ascii)
			}
		}
	}
}

func TestASCIIKeepsTheMeaningOfSigns(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain", "plain"},
		{"● FIRING ≥3m12s  ∞: 3µs × –", "# FIRING >=3m12s  inf: 3us x -"},
		{"café\uFFFD", "caf??"},
	}
	for _, tt := range tests {
		if got := verdict.ASCII(tt.in); got != tt.want {
			t.Errorf("ASCII(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	seen := map[string]bool{}
	for m := verdict.MarkUnjudged; m <= verdict.MarkNoData; m++ {
		if seen[m.ASCII()] || len(m.ASCII()) != 1 {
			t.Errorf("mark %v is %q in ASCII", m, m.ASCII())
		}
		seen[m.ASCII()] = true
	}
	if got := verdict.Mark(99).String(); got != "Mark(99)" {
		t.Errorf("a mark that does not exist: %q", got)
	}
}

func TestWhenAFailureIsTriedAgain(t *testing.T) {
	now := watchtest.Start
	tests := []struct {
		retry time.Time
		want  string
	}{
		{time.Time{}, "not tried again before you ask"},
		{now.Add(4 * time.Second), "next try in 4s"},
		{now, "next try now"},
		{now.Add(-time.Hour), "next try now"},
	}
	for _, tt := range tests {
		if got := verdict.Next(collector.Failure{Retry: tt.retry}, now); got != tt.want {
			t.Errorf("retry %v: %q, want %q", tt.retry, got, tt.want)
		}
	}
}

func TestCoverageNamesEachReasonOnce(t *testing.T) {
	missing := func(signal collector.Signal, why alerts.Why) alerts.Missing {
		return alerts.Missing{Signal: signal, Why: why}
	}
	envoy := &collector.Origin{Profile: "envoy"}
	tests := []struct {
		c    alerts.Coverage
		o    *collector.Origin
		want string
	}{
		{alerts.Coverage{}, envoy, "no rule is on"},
		{alerts.Coverage{Judged: 1, Of: 1}, envoy, "1 rule judged"},
		{alerts.Coverage{Judged: 3, Of: 3}, envoy, "3 rules judged"},
		{alerts.Coverage{Judged: 2, Of: 3, Missing: []alerts.Missing{missing(collector.AtLimit, alerts.WhyNotExported)}}, envoy,
			"2 of 3 rules judged; at limit: not exported by envoy"},
		{alerts.Coverage{Judged: 2, Of: 3, Missing: []alerts.Missing{missing(collector.AtLimit, alerts.WhyNotExported)}}, nil,
			"2 of 3 rules judged; at limit: not exported by this source"},
		{alerts.Coverage{Judged: 1, Of: 3, Missing: []alerts.Missing{
			missing(collector.Ingress, alerts.WhyFailed), missing(collector.Ingress, alerts.WhyFailed)}}, envoy,
			"1 of 3 rules judged; ingress: query failed"},
		{alerts.Coverage{Of: 1, Missing: []alerts.Missing{missing(collector.Ingress, alerts.WhySoon)}}, envoy,
			"no rule can be judged; ingress: seen too briefly"},
	}
	for _, tt := range tests {
		if got := verdict.Coverage(tt.c, tt.o); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.c, got, tt.want)
		}
	}
}

// TestAnyCourseHasAVerdict feeds targets whose values jump between all states.
func TestAnyCourseHasAVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		storm := watchtest.Storm{Targets: rapid.IntRange(1, 4).Draw(t, "targets")}
		w := watch.New(alerts.Documented(), 15*time.Minute, 2)
		at := watchtest.Breach
		for range rapid.IntRange(0, 12).Draw(t, "readings") {
			at += watchtest.Step * time.Duration(rapid.IntRange(1, 30).Draw(t, "steps"))
			r := watchtest.Edit(storm.Reading(at), func(row *collector.Row) {
				for _, s := range collector.Inputs() {
					st := collector.State(rapid.IntRange(0, 12).Draw(t, "state"))
					if st <= collector.Failed {
						row.Values[s] = row.Values[s].With(st)
					}
				}
			})
			if rapid.IntRange(0, 5).Draw(t, "blind") == 0 {
				r = watchtest.Blind(at, collector.Failure{Kind: collector.FailureKind(rapid.IntRange(1, 9).Draw(t, "kind"))})
			}
			w.Add(r)
			s := w.Snapshot()
			v := verdict.New(s, r.At.Add(time.Second))
			if v.Text == "" || v.Lead == "" || v.Short() == "" {
				t.Fatalf("nothing said: %+v", v)
			}
			if s.Firing() > 0 && v.Mark == verdict.MarkOk {
				t.Errorf("fires and reads %q", v.Text)
			}
			if strings.Contains(v.Text, "NaN") || strings.Contains(v.Text, "Inf") {
				t.Errorf("no number reads %q", v.Text)
			}
		}
	})
}

// TestWhatFiredIsToldWhereNotAllIsJudged: and of what is over also when it was
// long ago.
func TestWhatFiredIsToldWhereNotAllIsJudged(t *testing.T) {
	mo := moment(t, "resolved")
	s := mo.Snapshot
	s.Coverage.Judged, s.Coverage.Missing = 2, []alerts.Missing{{Rule: "AttemptLimitReached", Signal: collector.AtLimit, Why: alerts.WhyNotExported}}
	v := verdict.New(s, s.Last.At)
	for _, want := range []string{"2 of 3 rules judged; at limit: not exported", "payments-channel fired ", "peak 2.61x"} {
		if !strings.Contains(v.Rest, want) {
			t.Errorf("no %q: %s", want, v.Rest)
		}
	}
	if v.Target != "payments-channel" {
		t.Errorf("the subject is %q", v.Target)
	}
	later, last, o := s, *s.Last, *s.Last.Origin
	last.At = last.At.Add(5 * time.Hour)
	last.Origin, later.Last, later.Good = &o, &last, &last
	if v := verdict.New(later, last.At); strings.Contains(v.Rest, "fired") {
		t.Errorf("five hours later: %s", v.Rest)
	}
	o.Replay, later.Final = true, true
	if v := verdict.New(later, last.At); !strings.Contains(v.Rest, "payments-channel fired") {
		t.Errorf("five hours later in what is over: %s", v.Rest)
	}
}

package report_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/report"
	"stormtop/views/verdict"
)

// moments are played once for all tests, which only read them.
var moments = sync.OnceValue(func() []watchtest.Moment { return watchtest.MomentsOf(4) })

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

func textOf(t *testing.T, opt report.Text, s watch.Snapshot) string {
	t.Helper()
	var b strings.Builder
	if err := opt.Reading(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextOfEveryMoment(t *testing.T) {
	for _, m := range moments() {
		t.Run(m.Name, func(t *testing.T) {
			golden.RequireEqual(t, textOf(t, report.Text{}, m.Snapshot))
		})
	}
}

func TestTextOfManyTargets(t *testing.T) {
	m, _ := watchtest.At("firing")
	golden.RequireEqual(t, textOf(t, report.Text{ASCII: true, Rows: 8, Zone: time.FixedZone("CET", 3600)}, m.Snapshot))
}

func TestTextInASCIIStaysAligned(t *testing.T) {
	golden.RequireEqual(t, textOf(t, report.Text{ASCII: true}, moment(t, "infinite").Snapshot))
}

func TestTextSaysWhatTheScreenSays(t *testing.T) {
	for _, m := range moments() {
		first, _, _ := strings.Cut(textOf(t, report.Text{}, m.Snapshot), "\n")
		now := watchtest.Start
		if m.Snapshot.Last != nil {
			now = m.Snapshot.Last.At
		}
		if want := verdict.New(m.Snapshot, now).Text; first != want {
			t.Errorf("%s:\n got %q\nwant %q", m.Name, first, want)
		}
	}
}

func TestTextIsSafeForATerminal(t *testing.T) {
	for _, m := range moments() {
		for _, ascii := range []bool{false, true} {
			opt := report.Text{ASCII: ascii}
			text := textOf(t, opt, m.Snapshot)
			for _, line := range append(strings.Split(text, "\n"), opt.Line(m.Snapshot)) {
				if strings.ContainsFunc(line, unicode.IsControl) || strings.HasSuffix(line, " ") {
					t.Errorf("%s: control character or blank at the end: %q", m.Name, line)
				}
				if ascii && strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII }) {
					t.Errorf("%s: not ASCII: %q", m.Name, line)
				}
			}
		}
	}
}

func TestTextTellsTheKindsOfNoNumberApart(t *testing.T) {
	tests := []struct{ moment, want string }{
		{"unknown", "amplification – no ingress and no downstream series"},
		{"idle", "amplification idle 0/0: nothing asked, nothing sent"},
		{"infinite", "amplification ∞ infinite: attempts with no ingress"},
		{"stale", "amplification 2.48x old older than it should be"},
		{"partial", "amplification 2.50x part partial:"},
		{"one-signal-failed", "pool wait × the query failed: no answer within 5s"},
	}
	for _, tt := range tests {
		text := textOf(t, report.Text{}, moment(t, tt.moment).Snapshot)
		if squeezed := strings.Join(strings.Fields(text), " "); !strings.Contains(squeezed, tt.want) {
			t.Errorf("%s does not say %q:\n%s", tt.moment, tt.want, text)
		}
	}
}

func TestLineOfEveryMoment(t *testing.T) {
	var out strings.Builder
	for _, m := range moments() {
		out.WriteString(m.Name + "\n  " + report.Line(m.Snapshot) + "\n")
	}
	golden.RequireEqual(t, out.String())
}

// TestALineThatIsOkHidesNoOutage: the numbers beside are those of another target.
func TestALineThatIsOkHidesNoOutage(t *testing.T) {
	s := moment(t, "calm").Snapshot
	good := *s.Good
	good.Targets = slices.Clone(good.Targets)
	last := &good.Targets[len(good.Targets)-1]
	last.Values[collector.Ingress] = collector.Num(100, collector.PerSecond, collector.Exact)
	last.Values[collector.Delivered] = collector.Num(0.02, collector.Fraction, collector.Exact)
	if line := report.Line(s); strings.Contains(line, "and yet") {
		t.Errorf("all is delivered: %s", line)
	}
	s.Good = &good
	mustSay(t, report.Line(s), " ok  no retry storm, and yet "+last.Target.Name+" delivers only 2.0% of its requests  ingress ")
}

func TestEventLines(t *testing.T) {
	var out strings.Builder
	for _, name := range []string{"resolved", "blind-in-storm"} {
		for _, e := range moment(t, name).Snapshot.Events {
			out.WriteString(report.EventLine(e) + "\n")
		}
	}
	golden.RequireEqual(t, out.String())
	e := collector.Event{At: watchtest.Start, Kind: collector.EventMark, Text: "retries off at orders ×"}
	got := report.Text{ASCII: true, Zone: time.FixedZone("CET", 3600)}.EventLine(e)
	if want := "12:49:30  event: mark  retries off at orders x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExitStatusOfEveryMoment(t *testing.T) {
	want := map[string]int{
		"waiting": 3, "calm": 0, "calm-one-target": 0, "not-all-seen": 4, "early": 1, "retry-rate": 1, "pending": 0,
		"firing": 1, "firing-at-start": 1, "firing-not-all-seen": 1, "at-limit": 1, "resolved": 0, "no-rules": 0,
		"blind": 3, "blind-in-storm": 1, "blind-from-start": 3, "forbidden": 3, "nothing-found": 3,
		"partial": 1, "idle": 0, "low-traffic": 0, "infinite": 1, "stale": 1, "on-threshold": 0, "just-above": 1,
		"breaker": 0, "unknown": 4, "one-signal-failed": 0, "hostile": 1,
	}
	for _, m := range moments() {
		status, known := want[m.Name]
		if !known {
			t.Errorf("%s: no exit status is expected", m.Name)
		}
		if got := report.ExitStatus(m.Snapshot); got != status {
			t.Errorf("%s exits %d, want %d", m.Name, got, status)
		}
		delete(want, m.Name)
	}
	for name := range want {
		t.Errorf("there is no moment %q", name)
	}
}

func TestAReadingWithoutAnySampleIsNoData(t *testing.T) {
	empty := &collector.Reading{At: watchtest.Start, Origin: watchtest.Origin()}
	if got := report.ExitStatus(watchtest.Play(alerts.Documented(), empty)); got != report.ExitNoData {
		t.Errorf("exit status %d", got)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAFailureToWriteIsReported(t *testing.T) {
	s := moment(t, "firing").Snapshot
	for name, err := range map[string]error{
		"text":  report.Reading(brokenPipe{}, s),
		"JSON":  report.JSON(brokenPipe{}, s),
		"line":  report.JSONLine(brokenPipe{}, s),
		"event": report.EventJSON(brokenPipe{}, s.Events[0]),
	} {
		if err == nil || !strings.Contains(err.Error(), "broken pipe") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

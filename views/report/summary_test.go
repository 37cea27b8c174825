package report_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/report"
)

// hour is a storm with a blind half minute and two marks.
func hour() *watch.Watch {
	storm := watchtest.Storm{Targets: 4}
	var blind []*collector.Reading
	for at := 17 * time.Minute; at < 17*time.Minute+30*time.Second; at += watchtest.Step {
		blind = append(blind, watchtest.Blind(at, collector.Failure{Kind: collector.ServerError, Text: `503 "query timed out"`}))
	}
	w := watch.New(alerts.Documented(), time.Hour, watch.DefaultTargets)
	for _, r := range slices.Concat(storm.Readings(0, 17*time.Minute-watchtest.Step), blind, storm.Readings(17*time.Minute+30*time.Second, 50*time.Minute)) {
		w.Add(r)
	}
	w.Note(collector.Event{At: watchtest.Start.Add(30 * time.Minute), Kind: collector.EventMark, Text: "budget on at the gateway"})
	w.Note(collector.Event{At: watchtest.Start.Add(watchtest.Subsides - 10*time.Second), Kind: collector.EventMark, Text: "retries off at orders"})
	return w
}

func TestSummary(t *testing.T) {
	var b strings.Builder
	if err := report.Summary(&b, hour().Snapshot()); err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, b.String())
}

func TestEventsAsText(t *testing.T) {
	var b strings.Builder
	if err := (report.Text{ASCII: true, Zone: time.FixedZone("CET", 3600)}).Events(&b, hour().Snapshot()); err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, b.String())
}

func TestASummaryIsAtMostAScreenful(t *testing.T) {
	w := hour()
	storm := watchtest.Storm{Targets: 4}
	for i := range 40 {
		from := time.Duration(60+3*i) * time.Minute
		for at := watchtest.Plateau; at < watchtest.Plateau+time.Minute+10*time.Second; at += watchtest.Step {
			r := *storm.Reading(at)
			r.At = watchtest.Start.Add(from + at)
			w.Add(&r)
		}
		b := watchtest.Blind(from+watchtest.Plateau+80*time.Second, collector.Failure{Text: "lost"})
		w.Add(b)
		r := *watchtest.Storm{Targets: 4, Calm: true}.Reading(0)
		r.At = watchtest.Start.Add(from + watchtest.Plateau + 90*time.Second)
		w.Add(&r)
		w.Note(collector.Event{At: r.At, Kind: collector.EventMark, Text: "x"})
	}
	var b strings.Builder
	if err := report.Summary(&b, w.Snapshot()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > 23 {
		t.Errorf("%d lines:\n%s", n, b.String())
	}
	if n := strings.Count(b.String(), "RetryAmplificationHigh"); n != 1 || !strings.Contains(b.String(), " times, ") {
		t.Errorf("one rule on one target stands there %d times:\n%s", n, b.String())
	}
}

// flapping fires, for so many seconds at a time, as its letters say: a for 3x, A for
// 9x at one target, b at another one, a dot for calm.
func flapping(course string) watch.Snapshot {
	rule := collector.RuleSpec{Name: "High", Signal: collector.Amplification, Threshold: 2, Severity: collector.Warning}
	worse := collector.RuleSpec{Name: "Storm", Signal: collector.Amplification, Threshold: 5, Severity: collector.Critical}
	w := watch.New([]collector.RuleSpec{rule, worse}, time.Hour, watch.DefaultTargets)
	num := func(f float64) collector.Value { return collector.Num(f, collector.PerSecond, collector.Exact) }
	for s, c := range course {
		r := &collector.Reading{At: watchtest.Start.Add(time.Duration(s) * time.Second), Origin: watchtest.Origin()}
		for _, name := range "ab" {
			row := collector.Row{Target: collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: string(name)}), Baseline: 1}
			gain := 1.0
			switch {
			case c == name:
				gain = 3
			case c == name-'a'+'A':
				gain = 9
			}
			row.Values[collector.Ingress], row.Values[collector.Downstream] = num(100), num(100*gain)
			row.Values.Derive(1)
			r.Targets = append(r.Targets, row)
		}
		r.Total = collector.Total(r.Targets)
		w.Add(r)
	}
	return w.Snapshot()
}

func TestWhatFiredIsSummedUpWorstFirst(t *testing.T) {
	for _, test := range []struct {
		name, course string
		want         []string // of each line what it must hold
	}{
		{"flaps are one line", "...aa..aaa..a...", []string{"High  a  3 times, 6s together, peak 3.00x; the last at "}},
		{"longer is worse", "..a....bb...", []string{"High  b", "High  a"}},
		{"what is critical is worse than what is long", "..aaaaaa..B...", []string{"Storm  b", "High  a", "High  b"}},
		{"what lasts is worse than what is over", "..aaaaaa..b", []string{"fires  High  b", "fired  High  a"}},
		{"flaps of which the last one lasts", "..a..a..aa", []string{"fires  High  a  3 times, 3s together, peak 3.00x; the last at "}},
		{"the highest peak of all", "..a.A.a..", []string{"Storm  a", "peak 9.00x"}},
	} {
		var b strings.Builder
		if err := report.Summary(&b, flapping(test.course)); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")[1:]
		if len(lines) != len(test.want) {
			t.Errorf("%s: %d lines:\n%s", test.name, len(lines), b.String())
			continue
		}
		for i, want := range test.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%s: no %q in line %d:\n%s", test.name, want, i+1, b.String())
			}
		}
	}
}

func TestWhereNothingWasSeenThereIsNoSummary(t *testing.T) {
	var b strings.Builder
	if err := report.Summary(&b, watch.Snapshot{}); err != nil || b.Len() > 0 {
		t.Errorf("%v, %q", err, b.String())
	}
	calm := watchtest.Play(alerts.Documented(), watchtest.Storm{Targets: 3, Calm: true}.Readings(0, time.Minute)...)
	if err := report.Summary(&b, calm); err != nil || !strings.HasSuffix(b.String(), "(1m): nothing fired\n") {
		t.Errorf("calm: %v, %q", err, b.String())
	}
}

// full is a disk with no room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestErrorsOfTheWriterAreTold(t *testing.T) {
	s := hour().Snapshot()
	for _, err := range []error{report.Summary(full{}, s), report.Events(full{}, s)} {
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("error %v", err)
		}
	}
}

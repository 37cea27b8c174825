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

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/recording"
	"stormtop/simfeed/play"
	"stormtop/simfeed/scenario"
	"stormtop/views"
)

// windowOf is one as somebody writes it.
func windowOf(t *testing.T, text string) window {
	t.Helper()
	w, err := parseWindow(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWhatWasAnIncidentIsKnownByWhatWasNamedAndMarkedElseByTheSimulation(t *testing.T) {
	from, to := ownAt.Add(-time.Hour), ownAt
	minutes := func(a, b int, text string) tune.Incident {
		return tune.Incident{From: from.Add(time.Duration(a) * time.Minute), To: from.Add(time.Duration(b) * time.Minute), Text: text}
	}
	marked := watch.New(alerts.Documented(), 2*time.Hour, 4)
	marked.Add(&collector.Reading{At: from, Newest: from})
	for _, m := range []int{10, 20} {
		marked.Note(collector.Event{Kind: collector.EventMark, At: from.Add(time.Duration(m) * time.Minute), Text: "m"})
	}
	simulated := watch.New(alerts.Documented(), 2*time.Hour, 4)
	for at := from; !at.After(to); at = at.Add(time.Minute) {
		m := at.Sub(from) / time.Minute
		simulated.Add(&collector.Reading{At: at, Newest: at, Overload: collector.OverloadOf(m >= 30 && m <= 31 || m >= 50)})
	}
	simulated.Note(collector.Event{Kind: collector.EventMark, At: from.Add(10 * time.Minute), Text: "m"})
	server := &oracle{since: map[string]time.Time{`ALERTS{alertname="Down",alertstate="firing"}`: from.Add(55 * time.Minute)}}
	said := windowOf(t, "-30m/-25m")
	said.text = "deploy 12"
	for _, tt := range []struct {
		name  string
		w     *watch.Watch
		t     truths
		want  []tune.Incident
		words string
		sure  bool
	}{
		{"nothing", marked, truths{}, []tune.Incident{minutes(10, 20, tune.MarkedText)}, "marks", false},
		{"named, and marks", marked, truths{windows: []window{windowOf(t, "-20m/-10m")}}, []tune.Incident{minutes(40, 50, "--incident"), minutes(10, 20, tune.MarkedText)}, "--incident, marks", true},
		{"named and goes on", marked, truths{windows: []window{windowOf(t, "-20m/")}}, []tune.Incident{minutes(40, 60, "--incident"), minutes(10, 20, tune.MarkedText)}, "--incident, marks", true},
		{"with a word", marked, truths{windows: []window{said, windowOf(t, "-10h/-9h")}}, []tune.Incident{minutes(30, 35, "deploy 12"), minutes(-540, -480, "--incident"), minutes(10, 20, tune.MarkedText)}, "deploy 12, marks", true},
		{"the server's alerts", marked, truths{alerts: []string{"Down"}, server: server}, []tune.Incident{minutes(55, 60, "ALERTS Down"), minutes(10, 20, tune.MarkedText)}, "ALERTS Down, marks", true},
		{"a simulation, whatever is marked", simulated, truths{}, []tune.Incident{minutes(30, 31, overloadedText), minutes(50, 60, overloadedText)}, "the simulation's overload", true},
		{"a simulation for which one is named", simulated, truths{windows: []window{windowOf(t, "-20m/-10m")}}, []tune.Incident{minutes(40, 50, "--incident")}, "--incident", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.t.ref = ownAt
			got, err := tt.t.of(t.Context(), tt.w.Snapshot(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.incidents); diff != "" || got.words != tt.words || got.sure != tt.sure {
				t.Errorf("%q %v (-want +got):\n%s", got.words, got.sure, diff)
			}
		})
	}
}

// refusing is a server that does not answer.
type refusing struct{ oracle }

func (refusing) Ranged(context.Context, string, time.Time, time.Time, time.Duration) (*prom.Ranged, error) {
	return nil, errors.New("503")
}

func TestWhatTheServerDoesNotTellOfIncidentsIsSaid(t *testing.T) {
	tr := truths{alerts: []string{"Down"}, server: refusing{}, ref: ownAt}
	got, err := tr.of(t.Context(), watch.Snapshot{}, ownAt.Add(-time.Hour), ownAt)
	if err == nil || !strings.Contains(err.Error(), "--incident-alert=Down") || len(got.incidents) > 0 {
		t.Errorf("%v %+v", err, got)
	}
	if got.words != "ALERTS Down" {
		t.Errorf("without an incident it is said how one would be known: %q", got.words)
	}
}

// TestFromWhenOnASimulationIsKnownIsSaid: of a recording that was appended to one
// of a server, say.
func TestFromWhenOnASimulationIsKnownIsSaid(t *testing.T) {
	w := watch.New(alerts.Documented(), 2*time.Hour, 4)
	for m := -60; m <= 0; m++ {
		r := &collector.Reading{At: ownAt.Add(time.Duration(m) * time.Minute)}
		if m >= -1 {
			r.Overload = collector.Overloaded
		}
		w.Add(r)
	}
	got, err := (&truths{}).of(t.Context(), w.Snapshot(), ownAt.Add(-time.Hour), ownAt)
	if err != nil || got.words != "the simulation's overload, known from 11:59:00Z on" || !got.since.Equal(ownAt.Add(-time.Minute)) || len(got.incidents) != 1 || !got.incidents[0].Early {
		t.Errorf("%v %+v", err, got)
	}
}

// TestTheScreenKnowsWhatTuneKnowsOfAScenario: the same seconds are the incident.
func TestTheScreenKnowsWhatTuneKnowsOfAScenario(t *testing.T) {
	chosen, err := scenario.Named("six-seconds", readScenario)
	if err != nil {
		t.Fatal(err)
	}
	chosen.Loop = false
	feed, err := play.NewFeed(play.Config{Scenario: chosen, Source: "sim", Seed: 1, Start: virtualStart})
	if err != nil {
		t.Fatal(err)
	}
	b := newBoard(&diary{Watch: watch.New(alerts.Documented(), time.Hour, 4)})
	if err := pump(t.Context(), feed, b, func(*collector.Reading, []collector.Event) error { return nil }); err != nil {
		t.Fatal(err)
	}
	got, _ := overloads(b.watch.Snapshot().History)
	st, err := simulated(settings{sim: "six-seconds"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	truth := tune.Truth{Text: overloadedText, Join: truthJoin}
	if err := st.readings(t.Context(), func(r *collector.Reading) error { truth.Note(r.At, r.Overload == collector.Overloaded); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(truth.Incidents(), got); diff != "" || len(got) == 0 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAQuestionOnTheScreenIsJudgedByWhatIsKnown(t *testing.T) {
	s := stormSeen(t)
	var got []views.JudgedMsg
	a := &assessor{ctx: t.Context(), book: newOwnBook(), send: func(m views.JudgedMsg) { got = append(got, m) }}
	a.truth = &truths{ref: s.Last.At, windows: []window{{from: moment{kind: fullMoment, at: watchtest.Start.Add(watchtest.Rise)}, to: moment{kind: fullMoment, at: watchtest.Start.Add(watchtest.Subsides)}, text: "the storm"}}}
	a.answer(queryOf(s, 1, 1.35))
	if g := got[0].Answer; !g.Sure || !strings.HasPrefix(g.Truth, "the storm") || len(g.Incidents) == 0 || g.Now.Found == 0 {
		t.Errorf("%+v", g)
	}
}

// TestARecordingAndASnapshotOfASimulationKeepItsTruth: what is tuned on them later
// is judged by what the simulation knew.
func TestARecordingAndASnapshotOfASimulationKeepItsTruth(t *testing.T) {
	w := watch.New(alerts.Documented(), kept(defaultSpan), 4)
	dir := t.TempDir()
	var log bytes.Buffer
	writer := recording.NewWriter(&log, nil)
	if err := writer.Header(recording.Header{Start: noon, Rules: alerts.Documented()}); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		r := &collector.Reading{
			At: noon.Add(time.Duration(i) * time.Second), Origin: &collector.Origin{Source: "sim", Simulated: true, Interval: time.Second},
			Overload: collector.OverloadOf(i >= 100 && i < 200),
		}
		r.Total = collector.Row{Target: collector.Target{}, Values: collector.Values{}}
		r.Total.Values[collector.Ingress] = collector.Num(100, collector.PerSecond, collector.Exact)
		if err := writer.Reading(r); err != nil {
			t.Fatal(err)
		}
		w.Add(r)
	}
	names, err := newAlbum(dir).save(shotOf(t, w.Snapshot()), noon)
	if err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(dir, "whole.rec")
	if err := os.WriteFile(whole, log.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []tune.Incident{{From: noon.Add(100 * time.Second), To: noon.Add(199 * time.Second), Text: overloadedText}}
	for _, name := range []string{filepath.Join(dir, names[0]), whole} {
		s, _ := playedBack(t, name)
		got, err := (&truths{}).of(t.Context(), s, noon, s.Last.At)
		if err != nil || !got.sure || got.words != "the simulation's overload" {
			t.Errorf("%s: %q, sure %v, %v", filepath.Base(name), got.words, got.sure, err)
		}
		if diff := cmp.Diff(want, got.incidents); diff != "" {
			t.Errorf("%s (-want +got):\n%s", filepath.Base(name), diff)
		}
	}
}

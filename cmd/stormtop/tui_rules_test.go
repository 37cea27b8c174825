package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views"
)

// stormSeen is a snapshot of the storm, with an incident that somebody marked.
func stormSeen(t *testing.T) watch.Snapshot {
	t.Helper()
	w := watch.New(withEarly(alerts.Documented()), 2*time.Hour, watch.DefaultTargets)
	for _, r := range (watchtest.Storm{Targets: 3}).Readings(0, 50*time.Minute) {
		w.Add(r)
	}
	for _, at := range []time.Duration{watchtest.Rise, watchtest.Subsides} {
		w.Note(collector.Event{At: watchtest.Start.Add(at), Kind: collector.EventMark})
	}
	return w.Snapshot()
}

// queryOf asks about all of a snapshot.
func queryOf(s watch.Snapshot, serial int, threshold float64) views.Query {
	draft := s.Rules[0]
	draft.Threshold = threshold
	return views.Query{Serial: serial, Snapshot: s, From: s.History.Time(0), To: s.Last.At, Rules: s.Rules, Draft: draft}
}

func TestTheNewestQuestionIsAnsweredAndThePastIsMadeOnce(t *testing.T) {
	s := stormSeen(t)
	var work []func() error
	var got []views.JudgedMsg
	a := &assessor{ctx: t.Context(), truth: &truths{}, book: newOwnBook(), start: func(f func() error) { work = append(work, f) }, send: func(m views.JudgedMsg) { got = append(got, m) }}
	for i, threshold := range []float64{1.4, 1.3, 1.2} {
		a.ask(queryOf(s, i+1, threshold))
	}
	if len(work) != 1 {
		t.Fatalf("%d goroutines are at work", len(work))
	}
	if err := work[0](); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Serial != 3 || got[0].Answer.Land != nil || got[1].Serial != 3 || got[1].Answer.Land == nil {
		t.Fatalf("answers %+v", got)
	}
	if n := got[0].Answer; n.Now.Rule.Threshold != 1.2 || n.Now.Found != 1 || n.Before.Found != 1 || n.Now.Incidents != 1 {
		t.Errorf("%+v", n)
	}
	past := a.past
	a.ask(queryOf(s, 4, 1.3))
	if err := work[1](); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[2].Answer.Land != got[1].Answer.Land || a.past != past {
		t.Error("a point of a known map of a known past costs more than a back-test")
	}
	other := queryOf(s, 5, 1.3)
	other.To = other.To.Add(-10 * time.Minute)
	a.ask(other)
	if err := work[2](); err != nil {
		t.Fatal(err)
	}
	if a.past == past || !got[len(got)-1].Answer.To.Equal(other.To) {
		t.Error("another stretch is judged by the readings of the one before")
	}
}

func TestTheFiguresOfTheScreenAreThoseOfTheEngine(t *testing.T) {
	s := stormSeen(t)
	var got []views.JudgedMsg
	a := &assessor{ctx: t.Context(), truth: &truths{}, book: newOwnBook(), send: func(m views.JudgedMsg) { got = append(got, m) }}
	a.answer(queryOf(s, 1, 1.5))
	var fired []time.Time
	for _, e := range s.Episodes {
		if e.Rule == alerts.RetryAmplificationHigh {
			fired = append(fired, e.Firing, e.Ended)
		}
	}
	var would []time.Time
	for _, e := range got[0].Answer.Now.Episodes {
		would = append(would, e.Firing, e.Ended)
	}
	if len(fired) == 0 || !slices.EqualFunc(fired, would, time.Time.Equal) {
		t.Errorf("fired %v, the back-test of the same numbers says %v", fired, would)
	}
}

func TestOtherRulesAreEnteredOrRefused(t *testing.T) {
	b := newBoard(&diary{Watch: watch.New(alerts.Documented(), time.Hour, 4)})
	b.Add(watchtest.Storm{Targets: 1}.Reading(0))
	rules := alerts.Documented()
	rules[0].Threshold = 1.2
	if err := b.setRules(rules, "RetryAmplificationHigh: > 1.2x"); err != nil {
		t.Fatal(err)
	}
	s := b.snapshot()
	if e := s.Events[len(s.Events)-1]; s.Rules[0].Threshold != 1.2 || e.Kind != collector.EventChange || e.Text != "RetryAmplificationHigh: > 1.2x" {
		t.Errorf("%+v, %+v", s.Rules[0], e)
	}
	select {
	case <-b.dirty:
	default:
		t.Error("the screen is not told")
	}
	rules[0].For = -time.Second
	if err := b.setRules(rules, "nonsense"); err == nil || b.snapshot().Rules[0].For < 0 {
		t.Errorf("a rule that cannot be: %v", err)
	}
}

// wantedOf is what is asked for with a tuned rule and the evidence for it.
func wantedOf(t *testing.T, serial int) views.Wanted {
	t.Helper()
	s := stormSeen(t)
	var got []views.JudgedMsg
	(&assessor{ctx: t.Context(), truth: &truths{}, book: newOwnBook(), send: func(m views.JudgedMsg) { got = append(got, m) }}).answer(queryOf(s, 1, 1.35))
	w := views.Wanted{Serial: serial, Snapshot: s, Rules: slices.Clone(s.Rules)}
	w.Rules[0].Threshold = 1.35
	w.Evidence = append(w.Evidence, got[0].Answer)
	return w
}

func TestARuleFileIsShownBeforeItIsWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	s := &scribe{source: readings(0, 1), book: newOwnBook()}
	p, err := s.propose(t.Context(), wantedOf(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	if list := namesIn(t, "."); len(list) > 0 {
		t.Fatalf("to look at it writes %q", list)
	}
	if p.Exists || p.Same || p.Name != "stormtop-rules.yml and stormtop-rules_test.yml" || !strings.Contains(p.Difference, "> 1.35 and on") || !strings.Contains(p.Difference, "+rule_files: ['stormtop-rules.yml']") {
		t.Errorf("%+v", p)
	}
	if _, err := s.write(2); err == nil {
		t.Error("what was not shown is written")
	}
	said, err := s.write(1)
	if err != nil || said != "wrote stormtop-rules.yml and stormtop-rules_test.yml" {
		t.Fatalf("%q, %v", said, err)
	}
	text, err := os.ReadFile(rulesName)
	if err != nil {
		t.Fatal(err)
	}
	in, err := parseRules(text, rulesName)
	if err != nil || len(in.rules) != 4 || in.rules[0].Threshold != 1.35 || len(in.evidence) != 2 || !strings.Contains(in.evidence[0], "1 incident: weak evidence") || !strings.Contains(in.evidence[1], "1 of 1 found, false alarm 0s") {
		t.Errorf("read back: %+v, %v", in, err)
	}
	if _, err := s.write(1); err == nil {
		t.Error("it is written twice")
	}
	if p, err = s.propose(t.Context(), wantedOf(t, 3)); err != nil || !p.Same || p.Difference != "" {
		t.Errorf("the same again: %+v, %v", p, err)
	}
}

func TestWithoutAnIncidentTheEvidenceSaysWhatFired(t *testing.T) {
	w := wantedOf(t, 1)
	a := &w.Evidence[0]
	for _, f := range []*tune.Figures{&a.Now.Figures, &a.Before.Figures} {
		f.Incidents, f.Found = 0, 0
	}
	w.Lens = trial.Lens{Rate: 2 * time.Minute, Every: 30 * time.Second}
	a.Every = w.Lens.Every
	got := (&scribe{book: newOwnBook()}).evidence(w)
	want := []string{
		"prom.example:9090, 2026-03-14T11:49:30Z to 2026-03-14T12:39:30Z, rates over 2m, evaluated every 30s: no incident is marked",
		"RetryAmplificationHigh > 1.35 for 1m: fired 1 time, 33m40s in all; before, > 1.5 for 1m: fired 1 time, 33m40s in all",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestAnotherRangeThanWasJudgedIsSaid, in the file and where it is shown: numbers
// that are right for rates over a second are not for those over a minute.
func TestAnotherRangeThanWasJudgedIsSaid(t *testing.T) {
	const said = "judged by rates over 1m, and the rules of the file have rates over 5m: --rate=5m judges by theirs"
	for _, tt := range []struct {
		name string
		set  settings
		lens trial.Lens
		want string
	}{
		{name: "the same"},
		{name: "other rules", set: settings{rate: 5 * time.Minute}, want: said},
		{name: "through a lens both have it", set: settings{rate: 5 * time.Minute}, lens: trial.Lens{Rate: 2 * time.Minute}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			w := wantedOf(t, 1)
			w.Lens = tt.lens
			set := tt.set
			set.profiles = []string{"envoy"}
			s := &scribe{source: readings(0, 1), settings: set, book: newOwnBook()}
			p, err := s.propose(t.Context(), w)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(p.Notes, "\n"); strings.Contains(got, "judged by rates") != (tt.want != "") || !strings.Contains(got, tt.want) {
				t.Errorf("noted: %q", got)
			}
			if !strings.Contains(p.Difference, ", rates over ") || strings.Contains(p.Difference, "judged by rates") != (tt.want != "") {
				t.Errorf("in the file:\n%s", p.Difference)
			}
		})
	}
	for _, tt := range []struct {
		judged, written time.Duration
		want            string
	}{
		{time.Second, 0, "judged by rates over 1s, and the rules of the file have rates over 1m: --rate=1m judges by theirs"},
		{time.Minute, 0, ""}, {0, time.Minute, ""}, {5 * time.Minute, 5 * time.Minute, ""},
	} {
		if got := strings.Join(otherRange(tt.judged, tt.written), "\n"); got != tt.want {
			t.Errorf("%s and %s: %q", tt.judged, tt.written, got)
		}
	}
}

func TestAFileThatChangedMeanwhileIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	s := &scribe{source: readings(0, 1), book: newOwnBook()}
	if err := os.WriteFile(rulesName, []byte("groups: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := s.propose(t.Context(), wantedOf(t, 1))
	if err != nil || !p.Exists || !strings.Contains(p.Difference, "-groups: []") {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := os.WriteFile(rulesName, []byte("groups: [] # mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write(1); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("%v", err)
	}
	if text, _ := os.ReadFile(rulesName); string(text) != "groups: [] # mine\n" {
		t.Errorf("it is %q now", text)
	}
	if _, err := os.Stat(filepath.Join(".", testName(rulesName))); err == nil {
		t.Error("half of it was written")
	}
}

func TestEarlyWarningsComeSwitchedOff(t *testing.T) {
	rules := withEarly(alerts.Documented())
	if len(rules) != 7 || len(withEarly(rules)) != 7 {
		t.Fatalf("%d rules", len(rules))
	}
	for _, r := range rules[4:] {
		if !r.Off {
			t.Errorf("%s is on", r.Name)
		}
	}
}

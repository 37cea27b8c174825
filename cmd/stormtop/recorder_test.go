package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/collector/recording"
)

// intact loads a recording and requires that all of it can be read.
func intact(t testing.TB, name string) *recording.Recording {
	t.Helper()
	rec, err := openRecording(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if notes := rec.Report.Notes(); len(notes) > 0 {
		t.Errorf("%s: %q", name, notes)
	}
	return rec
}

// secondsOf are the readings of a recording as seconds since noon.
func secondsOf(rec *recording.Recording) string {
	var out []string
	for r := range rec.Readings() {
		word := r.At.Sub(noon).String()
		if r.Begins {
			word = "anew " + word
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// seenAt is a picture of which nothing is remembered.
func seenAt(at time.Time) watch.Snapshot { return watch.Snapshot{Last: &collector.Reading{At: at}} }

func TestARecordingThatAKeyBeginsHoldsWhatIsRemembered(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	for _, r := range storm.Readings(0, watchtest.Plateau) {
		w.Add(r)
	}
	r, src := newRecorder(alerts.Documented(), readings(1, 2), func(err error) { t.Error(err) })
	r.dir = t.TempDir()
	if _, err := r.turn(w.Snapshot()); err != nil {
		t.Fatal(err)
	}
	name := r.spot.Name()
	src.Next(t.Context())
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	rec := intact(t, name)
	if want := w.Snapshot().History.Len() + 1; rec.Len() != want {
		t.Fatalf("%d readings, want %d", rec.Len(), want)
	}
	again := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	for i := range rec.Len() - 1 {
		reading := rec.Reading(i)
		if !reading.Past {
			t.Fatalf("reading %d is not told as filled in", i)
		}
		again.Add(reading)
	}
	was, is := w.Snapshot().Statuses, again.Snapshot().Statuses
	if len(was) != len(is) || is[0].Shown != alerts.Firing || is[0].Rule.Name != was[0].Rule.Name || !is[0].Since.Equal(was[0].Since) {
		t.Errorf("%+v, want %+v", is[0], was[0])
	}
}

func TestARecordingIsOfWhatComesWhileItIsOn(t *testing.T) {
	dir := t.TempDir()
	r, src := newRecorder(alerts.Documented(), readings(0, 6), func(err error) { t.Error(err) })
	r.dir = dir
	var said []string
	for i := range 6 {
		if i == 1 || i == 3 || i == 4 {
			text, err := r.turn(seenAt(noon))
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, strings.ReplaceAll(text, dir+"/", ""))
		}
		reading, err := src.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.events([]collector.Event{{At: reading.At, Kind: collector.EventChange, Text: "lever"}})
		r.mark(collector.Mark{At: reading.At, Text: "mark"})
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	if want := "recording to stormtop-20260725T120000Z-live.rec; r ends it|recorded stormtop-20260725T120000Z-live.rec|recording to stormtop-20260725T120000Z-live-2.rec; r ends it"; strings.Join(said, "|") != want {
		t.Errorf("said %q", said)
	}
	first := filepath.Join(dir, "stormtop-20260725T120000Z-live.rec")
	rec := intact(t, first)
	if got := secondsOf(rec); got != "2s 3s" || len(rec.Events()) != 2 || len(rec.Marks()) != 2 || len(rec.Header.Rules) == 0 {
		t.Errorf("it holds %s, %d events, %d marks, %d rules", got, len(rec.Events()), len(rec.Marks()), len(rec.Header.Rules))
	}
	if got := secondsOf(intact(t, filepath.Join(dir, "stormtop-20260725T120000Z-live-2.rec"))); got != "5s 6s" {
		t.Errorf("the second one holds %s", got)
	}
	if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestTheFileThatWasNamedIsGoneOnWith(t *testing.T) {
	name := filepath.Join(t.TempDir(), "storm.rec")
	r, src, err := startRecording(settings{record: name}, alerts.Documented(), readings(0, 3), func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if i > 0 {
			if text, err := r.turn(seenAt(noon)); err != nil || !strings.Contains(text, "storm.rec") {
				t.Fatalf("%q, %v", text, err)
			}
		}
		if _, err := src.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	if got := secondsOf(intact(t, name)); got != "1s 3s" {
		t.Errorf("it holds %s", got)
	}
}

func TestWhatWasCutShortIsEndedBeforeMoreIsAppended(t *testing.T) {
	name := filepath.Join(t.TempDir(), "storm.rec")
	r, src, err := startRecording(settings{record: name}, nil, readings(0, 2), func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	src.Next(t.Context())
	r.turn(seenAt(noon))
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"type":"reading","at":"20`)
	f.Close()
	r.turn(seenAt(noon))
	src.Next(t.Context())
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	rec, err := openRecording(name, nil)
	if err != nil || secondsOf(rec) != "1s 2s" || rec.Report.Bad != 1 {
		t.Errorf("%v: %s, %+v", err, secondsOf(rec), rec.Report)
	}
}

func TestARecordingThatFailsIsToldOnceAndTheSourceGoesOn(t *testing.T) {
	var told []string
	r, src := newRecorder(nil, readings(0, 4), func(err error) { told = append(told, err.Error()) })
	r.dir = t.TempDir()
	if _, err := r.turn(seenAt(noon)); err != nil {
		t.Fatal(err)
	}
	if msg := <-r.changes; !msg.On {
		t.Error("it does not say that it is on")
	}
	r.spot.Close() // whatever is written from now on fails
	for range 4 {
		if _, err := src.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(told) != 1 || !strings.HasPrefix(told[0], "the recording ends here: ") {
		t.Errorf("told %q", told)
	}
	if msg := <-r.changes; msg.On || !msg.Failed {
		t.Error("it does not say that it is off")
	}
	if err := r.close(); err != nil {
		t.Errorf("what is off is closed: %v", err)
	}
	if text, err := r.turn(seenAt(noon.Add(time.Second))); err != nil || !strings.Contains(text, "T120001Z") {
		t.Errorf("it cannot be started again: %q, %v", text, err)
	}
	r.close()
}

func TestARecordingThatCannotBeginIsASentence(t *testing.T) {
	r, _ := newRecorder(nil, readings(0, 1), nil)
	r.dir = filepath.Join(t.TempDir(), "none")
	if text, err := r.turn(seenAt(noon)); err == nil || text != "" || !strings.HasPrefix(err.Error(), "no recording is made: ") || !strings.HasSuffix(err.Error(), "no such file or directory") {
		t.Errorf("%q, %v", text, err)
	}
}

// storyOf is what a watch tells of rules.
func storyOf(s watch.Snapshot) string {
	var out []string
	for _, e := range s.Events {
		if e.Rule != "" || e.Kind == collector.EventChange {
			out = append(out, collector.FormatClock(e.At)+" "+e.Kind.String()+" "+e.Rule+" "+e.Name+" "+e.Text)
		}
	}
	return strings.Join(out, "\n")
}

// TestAReplayJudgesByTheRulesThatWereInForce: rules that were tuned while it was
// recorded judge from then on only, also when the replay is sent back; what
// somebody sets while it plays stays.
func TestAReplayJudgesByTheRulesThatWereInForce(t *testing.T) {
	storm := watchtest.Storm{Targets: 2}
	list := storm.Readings(0, watchtest.Subsides)
	name := filepath.Join(t.TempDir(), "tuned.rec")
	tuned, quiet := alerts.Documented(), alerts.Documented()
	tuned[0].Threshold = 1.2
	quiet[0].Off = true
	rec, src, err := startRecording(settings{record: name}, alerts.Documented(), &listSource{list}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	live := &diary{Watch: watch.New(alerts.Documented(), time.Hour, watch.DefaultTargets), to: rec}
	for i := range list {
		r, err := src.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		live.Add(r)
		switch i {
		case len(list) / 3:
			live.setRules(tuned, "RetryAmplificationHigh: > 1.2x")
		case len(list) - 20:
			live.setRules(quiet, "RetryAmplificationHigh is off")
		}
	}
	if err := rec.close(); err != nil {
		t.Fatal(err)
	}
	want := storyOf(live.Snapshot())
	if !strings.Contains(want, "1.2x") || !strings.Contains(want, "firing RetryAmplificationHigh") || !strings.Contains(want, "rule changed") {
		t.Fatalf("this proves nothing:\n%s", want)
	}
	r := &resolved{settings: settings{replay: name}, origins: map[string]origin{}}
	o, err := openReplay(r, program{mode: plainMode})
	if err != nil {
		t.Fatal(err)
	}
	play := func(d *diary, n int) {
		for range n {
			r, err := o.source.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d.Add(r)
		}
	}
	d := &diary{Watch: watch.New(o.rules, time.Hour, watch.DefaultTargets), due: o.events, follows: o.follows, inForce: o.rules}
	play(d, len(list))
	if got := storyOf(d.Snapshot()); got != want {
		t.Errorf("played it is\n%s\nrecorded was\n%s", got, want)
	}
	back := list[len(list)/3-5].At
	o.source.(*recording.Replay).Seek(back)
	play(d, 1)
	if is := d.Snapshot().Rules[0]; is.Threshold != 1.5 || is.Off {
		t.Errorf("sent back to %s it judges by %+v", back, is)
	}
	play(d, 20)
	if is := d.Snapshot().Rules[0]; is.Threshold != 1.2 {
		t.Errorf("further on it judges by %+v", is)
	}
	mine := alerts.Documented()
	mine[0].Threshold = 7
	d.setRules(mine, "mine")
	o.source.(*recording.Replay).Seek(back)
	play(d, 40)
	if is := d.Snapshot().Rules[0]; is.Threshold != 7 {
		t.Errorf("what was set by hand is overruled: %+v", is)
	}
}

// listSource hands out readings.
type listSource struct{ list []*collector.Reading }

func (s *listSource) Next(context.Context) (*collector.Reading, error) {
	if len(s.list) == 0 {
		return nil, io.EOF
	}
	r := s.list[0]
	s.list = s.list[1:]
	return r, nil
}

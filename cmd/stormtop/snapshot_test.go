package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/collector/recording"
	"stormtop/views"
)

// screenOf is a snapshot as rows of a screen, the header left out.
func screenOf(s watch.Snapshot, now time.Time) []string {
	m := views.New(views.Options{Span: defaultSpan})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.Update(views.SnapshotMsg{Snapshot: s})
	m.Update(views.TickMsg{At: now})
	return strings.Split(ansi.Strip(m.Frame()), "\n")[1:]
}

// shotOf is the picture that a screen of a snapshot hands over.
func shotOf(t testing.TB, s watch.Snapshot) views.Shot {
	t.Helper()
	var shot views.Shot
	m := views.New(views.Options{Span: defaultSpan, Keep: func(s views.Shot) { shot = s }})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.Update(views.SnapshotMsg{Snapshot: s})
	m.Update(tea.KeyPressMsg{Code: 'S', Text: "S"})
	return shot
}

// playedBack is what a recording shows at its end.
func playedBack(t testing.TB, name string) (watch.Snapshot, *recording.Recording) {
	t.Helper()
	rec, err := openRecording(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Report.Notes()) > 0 {
		t.Errorf("the recording has flaws: %v", rec.Report.Notes())
	}
	o := replayed(rec, recording.Options{})
	d := &diary{Watch: watch.New(rec.Header.Rules, kept(defaultSpan), watch.DefaultTargets), due: o.events}
	for {
		r, err := o.source.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return d.Snapshot(), rec
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Add(r)
	}
}

// sameScreen requires the same rows, at the time of the data: a replay has no clock.
func sameScreen(t *testing.T, was, is watch.Snapshot) {
	t.Helper()
	was.Final = true // of what is over nothing is tried again
	want, got := screenOf(was, was.Last.At), screenOf(is, was.Last.At)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("row %d is\n%s\nand was\n%s", i+1, got[i], want[i])
		}
	}
}

// sameStates requires that every rule stands as it stood.
func sameStates(t *testing.T, was, is watch.Snapshot) {
	t.Helper()
	if len(is.Statuses) != len(was.Statuses) {
		t.Fatalf("%d states, %d before", len(is.Statuses), len(was.Statuses))
	}
	for i, old := range was.Statuses {
		now := is.Statuses[i]
		if now.Rule.Name != old.Rule.Name || now.Target.ID != old.Target.ID || now.Shown != old.Shown || now.Held != old.Held || now.Value.String() != old.Value.String() {
			t.Errorf("%s of %q is %s %s, was %s %s", old.Rule.Name, old.Target.Name, now.Shown, now.Value, old.Shown, old.Value)
		}
	}
}

// TestASnapshotInTheMiddleOfAStormKnowsThatItFires is of a view that begins when
// the rule fires long since: what lies before the view says so.
func TestASnapshotInTheMiddleOfAStormKnowsThatItFires(t *testing.T) {
	w := watch.New(alerts.Documented(), kept(defaultSpan), watch.DefaultTargets)
	for _, r := range (watchtest.Storm{Targets: 6}).Readings(0, 35*time.Minute) {
		w.Add(r)
	}
	w.Note(collector.Event{At: watchtest.Start.Add(30 * time.Minute), Kind: collector.EventMark, Text: "retries off at orders"})
	was := w.Snapshot()
	dir := t.TempDir()
	names, err := newAlbum(dir).save(shotOf(t, was), noon)
	if err != nil {
		t.Fatal(err)
	}
	is, rec := playedBack(t, filepath.Join(dir, names[0]))
	sameStates(t, was, is)
	want, got := screenOf(was, was.Last.At), screenOf(is, was.Last.At)
	for i := 4; i < len(want); i++ { // the lines above tell since when, which the view does not hold
		if got[i] != want[i] {
			t.Errorf("row %d is\n%s\nand was\n%s", i+1, got[i], want[i])
		}
	}
	if marks := rec.Marks(); len(marks) != 1 || marks[0].Text != "retries off at orders" {
		t.Errorf("the marks are %v", marks)
	}
	if from, to := rec.Span(); to.Sub(from) > 18*time.Minute {
		t.Errorf("it holds %s of a view of 15 minutes", to.Sub(from))
	}
}

func TestASnapshotPlayedBackIsTheSamePicture(t *testing.T) {
	for _, mo := range watchtest.MomentsOf(20) {
		if mo.Snapshot.Good == nil || mo.Name == "resolved" { // of what began before all that is kept, less is known
			continue
		}
		t.Run(mo.Name, func(t *testing.T) {
			dir := t.TempDir()
			names, err := newAlbum(dir).save(shotOf(t, mo.Snapshot), noon)
			if err != nil {
				t.Fatal(err)
			}
			again, rec := playedBack(t, filepath.Join(dir, names[0]))
			if !rec.Header.Picture {
				t.Error("the recording does not say that it is a snapshot")
			}
			sameScreen(t, mo.Snapshot, again)
			sameStates(t, mo.Snapshot, again)
		})
	}
}

func TestASnapshotIsTwoFilesForTheUserAlone(t *testing.T) {
	mo, _ := watchtest.At("firing")
	shot, dir := shotOf(t, mo.Snapshot), t.TempDir()
	stamp := "stormtop-" + shot.At.UTC().Format("20060102T150405Z")
	var seen []string
	for range 3 {
		names, err := newAlbum(dir).save(shot, noon)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, names[:]...)
	}
	if want := []string{stamp + ".rec", stamp + ".txt", stamp + "-2.rec", stamp + "-2.txt", stamp + "-3.rec", stamp + "-3.txt"}; !slices.Equal(seen, want) {
		t.Errorf("the files are %q, want %q", seen, want)
	}
	for _, name := range seen {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, seen[1])); err != nil || string(text) != shot.Text {
		t.Errorf("the text is not the screen (%v):\n%s", err, text)
	}
}

func TestASnapshotTakesThePlaceOfNoFile(t *testing.T) {
	mo, _ := watchtest.At("firing")
	shot, dir := shotOf(t, mo.Snapshot), t.TempDir()
	mine := filepath.Join(dir, stampOf(shot.At)+".txt")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	names, err := newAlbum(dir).save(shot, noon)
	if err != nil || names[0] != stampOf(shot.At)+"-2.rec" {
		t.Errorf("%q, %v", names, err)
	}
	if text, _ := os.ReadFile(mine); string(text) != "mine" {
		t.Errorf("it was overwritten by %q", text)
	}
	if list := namesIn(t, dir); len(list) != 3 {
		t.Errorf("left behind: %q", list)
	}
}

func namesIn(t testing.TB, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// shortDisk is a file on a disk that has room for so many bytes.
type shortDisk struct {
	file
	room *int
}

func (s shortDisk) Write(b []byte) (int, error) {
	n := min(len(b), *s.room)
	*s.room -= n
	if n, err := s.file.Write(b[:n]); err != nil || n < len(b) {
		return n, errors.Join(err, syscall.ENOSPC)
	}
	return n, nil
}

func TestASnapshotThatCannotBeFinishedIsNotLeftBehind(t *testing.T) {
	mo, _ := watchtest.At("firing")
	shot := shotOf(t, mo.Snapshot)
	for _, room := range []int{0, 1000, 100_000} {
		dir := t.TempDir()
		a := newAlbum(dir)
		make, left := a.create, room
		a.create = func(name string) (file, error) {
			f, err := make(name)
			if err != nil {
				return nil, err
			}
			return shortDisk{f, &left}, nil
		}
		names, err := a.save(shot, noon)
		if err == nil || !strings.Contains(err.Error(), "no snapshot is made: stormtop-") || !strings.Contains(err.Error(), "no space left on device") || strings.Contains(err.Error(), "\n") {
			t.Errorf("room for %d bytes: %q, %v", room, names, err)
		}
		if list := namesIn(t, dir); len(list) > 0 {
			t.Errorf("room for %d bytes: left behind are %q", room, list)
		}
	}
}

func TestASnapshotWhereNothingCanBeWrittenIsASentence(t *testing.T) {
	mo, _ := watchtest.At("firing")
	_, err := newAlbum(filepath.Join(t.TempDir(), "none")).save(shotOf(t, mo.Snapshot), noon)
	if err == nil || !strings.HasPrefix(err.Error(), "no snapshot is made: ") || !strings.HasSuffix(err.Error(), ": no such file or directory") {
		t.Errorf("%v", err)
	}
}

func TestASnapshotOpensAtItsEnd(t *testing.T) {
	r := &resolved{settings: settings{replay: "x.rec", speed: 1}}
	if got := playback(r, screenMode, true); got != 0 {
		t.Errorf("a snapshot is played at %v", got)
	}
	if got := playback(r, screenMode, false); got != 1 {
		t.Errorf("a recording is played at %v", got)
	}
	r.origins = map[string]origin{"speed": {kind: flagLayer}}
	r.settings.speed = 10
	if got := playback(r, screenMode, true); got != 10 {
		t.Errorf("at the speed that was asked for it is played at %v", got)
	}
}

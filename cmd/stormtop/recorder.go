package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/collector/recording"
	"stormtop/views"
)

// recorder writes everything that is seen to a file while it is on. A nil one
// writes nothing. Its methods may be called from any goroutine.
type recorder struct {
	name string // of --record; "": every recording gets a name of its own
	dir  string // where that is
	tap  *recording.Recorder

	changes chan views.RecordingMsg // as of the last change that nobody took yet

	mu     sync.Mutex
	rules  []collector.RuleSpec // those in force
	spot   *spot
	out    *recording.Writer // nil: it is off
	rests  *rest             // it was stopped by a key, and can go on in the file of --record; nil: it was not
	failed error             // why the last recording ended that nobody ended
}

// rest is a recording that may go on.
type rest struct {
	out  *recording.Writer
	spot *spot
	file os.FileInfo
	at   time.Time // the newest reading then
}

// spot is a file that can be closed and opened again under a writer.
type spot struct{ *os.File }

// newRecorder makes a recorder of src that is off, and src decorated by it.
// failed is told why a recording ended that nobody ended.
func newRecorder(rules []collector.RuleSpec, src collector.Source, failed func(error)) (*recorder, collector.Source) {
	r := &recorder{dir: ".", rules: rules, changes: make(chan views.RecordingMsg, 1)}
	r.tap = recording.Record(src, nil, func(err error) {
		if why, ok := r.drop(err); ok {
			failed(why)
		}
	})
	return r, around(src, r.tap.Next)
}

// startRecording begins the recording of --record and returns src decorated by it.
func startRecording(s settings, rules []collector.RuleSpec, src collector.Source, failed func(error)) (*recorder, collector.Source, error) {
	f, err := createRecording(s.record, s.force)
	if err != nil {
		return nil, nil, err
	}
	r, out := newRecorder(rules, src, failed)
	r.name = s.record
	if err := r.begin(f, watch.Snapshot{}); err != nil {
		return nil, nil, fmt.Errorf("--record=%s: %w", collector.Clean(s.record), err)
	}
	return r, out, nil
}

// createRecording makes the file of a recording.
func createRecording(name string, force bool) (*os.File, error) {
	how := os.O_CREATE | os.O_WRONLY | os.O_EXCL
	if force {
		how = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	}
	f, err := os.OpenFile(name, how, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, fmt.Errorf("--record=%s: the file exists: name another, or add --force to overwrite it", collector.Clean(name))
	case err != nil:
		return nil, fmt.Errorf("--record=%s: %w", collector.Clean(name), unwrapPath(err))
	}
	return f, nil
}

// begin records to a file from now on, behind what is remembered of before, and
// closes it where that fails. The file belongs to the recorder.
func (r *recorder) begin(f *os.File, before watch.Snapshot) error {
	to := &spot{f}
	w := recording.NewWriter(to, func() error { return to.Sync() })
	err := w.Header(recording.Header{Program: versionLine(), Start: time.Now(), Rules: r.rules})
	for reading := range remembered(before) {
		err = errors.Join(err, w.Reading(reading))
	}
	if err != nil {
		f.Close()
		return firstOf(err)
	}
	r.rests, r.failed = nil, nil
	r.goOn(to, w)
	return nil
}

func (r *recorder) goOn(to *spot, w *recording.Writer) {
	r.spot, r.out = to, w
	r.tap.To(w)
	r.tell()
}

// tell leaves word of a change, without waiting for anybody; the lock is held.
func (r *recorder) tell() {
	select {
	case <-r.changes:
	default:
	}
	r.changes <- views.RecordingMsg{On: r.out != nil, Failed: r.failed != nil}
}

// watch tells f whether it is on whenever that changes, until ctx is done.
func (r *recorder) watch(ctx context.Context, f func(views.RecordingMsg)) error {
	for {
		select {
		case msg := <-r.changes:
			f(msg)
		case <-ctx.Done():
			return nil
		}
	}
}

// turn starts the recorder, or stops it, and says so in one sentence. now is what
// is on the screen: a recording begins with what is remembered.
func (r *recorder) turn(now watch.Snapshot) (text string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var at time.Time
	if now.Last != nil {
		at = now.Last.At
	}
	if r.out != nil {
		name := r.spot.Name()
		if err := r.stop(at); err != nil {
			return "", err
		}
		return "recorded " + collector.Clean(name), nil
	}
	f, err := r.reopen(at)
	if err == nil && !r.resume(f, at) {
		err = r.begin(f, now)
	}
	if err != nil {
		return "", fmt.Errorf("no recording is made: %w", err)
	}
	return "recording to " + collector.Clean(f.Name()) + "; r ends it", nil
}

// resume goes on with the recording that was stopped, where the file is still
// its own; it reports whether it does.
func (r *recorder) resume(f *os.File, at time.Time) bool {
	was := r.rests
	r.rests = nil
	if was == nil {
		return false
	}
	if is, err := f.Stat(); err != nil || !os.SameFile(is, was.file) || is.Size() < was.file.Size() {
		return false
	}
	was.spot.File = f
	r.goOn(was.spot, was.out)
	r.out.Rules(recording.Ruling{At: at, Rules: r.rules})
	r.out.Event(collector.Event{At: at, Kind: collector.EventChange,
		Text: "not recorded from " + collector.FormatClock(was.at) + " to " + collector.FormatClock(at)})
	return true
}

// stop ends a recording; that of --record may go on later. The lock is held.
func (r *recorder) stop(at time.Time) error {
	if r.name == "" {
		return r.finish()
	}
	is, err := r.spot.Stat()
	r.tap.To(nil)
	r.rests = &rest{r.out, r.spot, is, at}
	r.out = nil
	r.tell()
	if err = errors.Join(err, r.spot.Close()); err != nil {
		r.rests = nil
		return fmt.Errorf("the recording could not be finished: %w", unwrapPath(err))
	}
	return nil
}

// reopen opens the file of --record at its end, without one a new file.
func (r *recorder) reopen(at time.Time) (*os.File, error) {
	if r.name == "" {
		var f *os.File
		_, err := freeName(stampOf(at)+"-live", func(base string) (err error) {
			f, err = createNew(filepath.Join(r.dir, base+".rec"))
			return err
		})
		return f, err
	}
	f, err := os.OpenFile(r.name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", collector.Clean(r.name), unwrapPath(err))
	}
	if err := endLine(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", collector.Clean(r.name), unwrapPath(err))
	}
	return f, nil
}

// endLine ends the last line of a file where that was cut short, so that what is
// appended stands on lines of its own.
func endLine(f *os.File) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = f.WriteString("\n")
	return err
}

// finish ends the recording in order; the lock is held.
func (r *recorder) finish() error {
	w, f := r.out, r.spot
	r.tap.To(nil)
	r.spot, r.out = nil, nil
	r.tell()
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		return fmt.Errorf("the recording could not be finished: %w", err)
	}
	return nil
}

// drop gives up a recording that failed, and says so; ok is false when there is
// none.
func (r *recorder) drop(why error) (err error, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out == nil {
		return nil, false
	}
	r.failed = fmt.Errorf("the recording ends here: %s: %w", collector.Clean(r.spot.Name()), unwrapPath(why))
	r.spot.Close()
	r.spot, r.out = nil, nil
	r.tell()
	return r.failed, true
}

// failure is why the last recording ended that nobody ended; nil: none did.
func (r *recorder) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// events writes what happened; the first error of a recording is told by its
// readings.
func (r *recorder) events(list []collector.Event) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := 0; r.out != nil && i < len(list); i++ {
		r.out.Event(list[i])
	}
}

// setRules notes that other rules were put in force.
func (r *recorder) setRules(n recording.Ruling) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules = n.Rules
	if r.out != nil {
		r.out.Rules(n)
	}
}

// mark writes a mark.
func (r *recorder) mark(m collector.Mark) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out != nil {
		r.out.Mark(m)
	}
}

// close finishes the file, where one is written.
func (r *recorder) close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out == nil {
		return nil
	}
	return r.finish()
}

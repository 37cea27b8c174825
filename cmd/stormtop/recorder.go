package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"stormtop/collector"
	"stormtop/collector/recording"
)

// recorder writes everything that is seen to a file while it is on. A nil one
// writes nothing. Its methods may be called from any goroutine.
type recorder struct {
	name  string // of --record; "": every recording gets a name of its own
	dir   string // where that is
	rules []collector.RuleSpec
	tap   *recording.Recorder

	changes chan bool // whether it is on, as of the last change that nobody took yet

	mu   sync.Mutex
	file *os.File
	out  *recording.Writer // nil: it is off
}

// newRecorder makes a recorder of src that is off, and src decorated by it.
// failed is told why a recording ended that nobody ended.
func newRecorder(rules []collector.RuleSpec, src collector.Source, failed func(error)) (*recorder, collector.Source) {
	r := &recorder{dir: ".", rules: rules, changes: make(chan bool, 1)}
	r.tap = recording.Record(src, nil, func(err error) {
		if name, ok := r.drop(); ok {
			failed(fmt.Errorf("the recording ends here: %s: %w", collector.Clean(name), unwrapPath(err)))
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
	if err := r.begin(f); err != nil {
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

// begin records to a file from now on, and closes it where that fails. The file
// belongs to the recorder.
func (r *recorder) begin(f *os.File) error {
	w := recording.NewWriter(f, f.Sync)
	if err := w.Header(recording.Header{Program: versionLine(), Start: time.Now(), Rules: r.rules}); err != nil {
		f.Close()
		return err
	}
	r.file, r.out = f, w
	r.tap.To(w)
	r.tell()
	return nil
}

// tell leaves word of a change, without waiting for anybody; the lock is held.
func (r *recorder) tell() {
	select {
	case <-r.changes:
	default:
	}
	r.changes <- r.out != nil
}

// watch tells f whether it is on whenever that changes, until ctx is done.
func (r *recorder) watch(ctx context.Context, f func(on bool)) error {
	for {
		select {
		case on := <-r.changes:
			f(on)
		case <-ctx.Done():
			return nil
		}
	}
}

// turn starts the recorder, or stops it, and says so in one sentence. at is the
// time of the data.
func (r *recorder) turn(at time.Time) (text string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out != nil {
		name := r.file.Name()
		if err := r.finish(); err != nil {
			return "", err
		}
		return "recorded " + collector.Clean(name), nil
	}
	f, err := r.reopen(at)
	if err == nil {
		err = r.begin(f)
	}
	if err != nil {
		return "", fmt.Errorf("no recording is made: %w", err)
	}
	return "recording to " + collector.Clean(f.Name()) + "; r ends it", nil
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
	f, w := r.file, r.out
	r.tap.To(nil)
	r.file, r.out = nil, nil
	r.tell()
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		return fmt.Errorf("the recording could not be finished: %w", err)
	}
	return nil
}

// drop gives up a recording that failed; ok is false when there is none.
func (r *recorder) drop() (name string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out == nil {
		return "", false
	}
	name = r.file.Name()
	r.file.Close()
	r.file, r.out = nil, nil
	r.tell()
	return name, true
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

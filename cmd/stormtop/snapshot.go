package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"stormtop/collector"
	"stormtop/collector/recording"
	"stormtop/views"
)

// file is what a snapshot is written to.
type file interface {
	io.WriteCloser
	Name() string
	Sync() error
}

// album keeps snapshots: two files each, side by side.
type album struct {
	dir    string
	create func(name string) (file, error) // never in place of another: os.ErrExist
}

// newAlbum keeps snapshots in a directory.
func newAlbum(dir string) album {
	return album{dir, func(name string) (file, error) {
		f, err := createNew(name)
		if err != nil {
			return nil, err
		}
		return f, nil
	}}
}

// save writes a picture as a recording and as text, and returns the names of the
// two files. What cannot be finished is not left behind.
func (a album) save(shot views.Shot, now time.Time) (names [2]string, err error) {
	var files [2]file
	base, err := freeName(stampOf(shot.At), func(base string) error {
		for i, suffix := range []string{".rec", ".txt"} {
			f, err := a.create(filepath.Join(a.dir, base+suffix))
			if err != nil {
				discard(files[:i])
				return err
			}
			files[i] = f
		}
		return nil
	})
	if err != nil {
		return names, fmt.Errorf("no snapshot is made: %w", err)
	}
	names = [2]string{base + ".rec", base + ".txt"}
	err = writeShot(files[0], shot, now)
	if err == nil {
		_, err = io.WriteString(files[1], shot.Text)
	}
	for _, f := range files {
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		discard(files[:])
		return [2]string{}, fmt.Errorf("no snapshot is made: %s: %w", collector.Clean(base), firstOf(err))
	}
	return names, nil
}

// firstOf is the first of several errors, without the name of a file.
func firstOf(err error) error {
	if all, ok := err.(interface{ Unwrap() []error }); ok && len(all.Unwrap()) > 0 {
		return firstOf(all.Unwrap()[0])
	}
	return unwrapPath(err)
}

// discard removes files that were made and not finished.
func discard(files []file) {
	for _, f := range files {
		f.Close()
		os.Remove(f.Name())
	}
}

// writeShot writes a picture as a recording: readings, events and marks by time.
func writeShot(out io.Writer, shot views.Shot, now time.Time) error {
	s := shot.Snapshot
	w := recording.NewWriter(out, nil)
	w.Header(recording.Header{Program: versionLine(), Picture: true, Start: now, Rules: s.Rules})
	var from time.Time // the first reading
	events, marks := s.Events, s.Marks
	for r := range rebuilt(s, shot.From, shot.To) {
		if from.IsZero() {
			from = r.At
		}
		if err := w.Reading(r); err != nil {
			return err
		}
		for ; len(events) > 0 && !events[0].At.After(r.At); events = events[1:] {
			if e := events[0]; !e.At.Before(from) && e.Kind != collector.EventMark {
				w.Event(e)
			}
		}
		for ; len(marks) > 0 && !marks[0].At.After(r.At); marks = marks[1:] {
			if !marks[0].At.Before(from) {
				w.Mark(marks[0])
			}
		}
	}
	if from.IsZero() {
		return errors.New("nothing was read yet")
	}
	if shot.To.Equal(s.History.Time(s.History.Len() - 1)) { // made since the newest reading
		for _, m := range marks {
			w.Mark(m)
		}
	}
	return w.Close()
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"stormtop/collector"
	"stormtop/collector/rulefile"
)

// proposal is a file as it would be written, beside what is there now. Making
// one writes nothing.
type proposal struct {
	name   string
	text   []byte
	before []byte
	exists bool
	device bool // it is no file that could be read before, or be replaced: a pipe, a terminal
}

// propose looks at what is there.
func propose(name string, text []byte) (proposal, error) {
	p := proposal{name: name, text: text}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		p.device = true
		return p, nil
	}
	before, err := readSmall(name)
	switch {
	case err == nil:
		p.before, p.exists = before, true
	case !errors.Is(err, os.ErrNotExist):
		return p, fmt.Errorf("%s: %w", collector.Clean(name), unwrapPath(err))
	}
	return p, nil
}

// same reports whether nothing would change.
func (p *proposal) same() bool { return p.exists && bytes.Equal(p.before, p.text) }

// difference is what would change, for people.
func (p *proposal) difference() string { return rulefile.Diff(p.before, p.text) }

// write puts the file in its place at once: whoever reads it meanwhile reads the
// old one or the new one. What has changed since the proposal was made is not
// written over.
func (p *proposal) write() error {
	if p.device {
		f, err := os.OpenFile(p.name, os.O_WRONLY|syscall.O_NONBLOCK, 0) // a pipe that nobody reads would block for ever
		if err == nil {
			_, err = f.Write(p.text)
			err = errors.Join(err, f.Close())
		}
		if errors.Is(err, syscall.ENXIO) {
			return fmt.Errorf("%s is a pipe that nobody reads", collector.Clean(p.name))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", collector.Clean(p.name), firstOf(err))
		}
		return nil
	}
	now, err := propose(p.name, nil)
	if err != nil {
		return err
	}
	if now.exists != p.exists || !bytes.Equal(now.before, p.before) {
		return fmt.Errorf("%s has changed meanwhile: look at the difference again", collector.Clean(p.name))
	}
	mode := os.FileMode(0o644)
	place := p.name
	if info, err := os.Stat(p.name); err == nil {
		mode = info.Mode().Perm()
	}
	place = behindLinks(place) // the file, not the link to it, is replaced
	if err := replaceFile(place, p.text, mode); err != nil {
		return fmt.Errorf("%s: %w", collector.Clean(p.name), err)
	}
	return nil
}

// behindLinks is where a file is, or would be, that may be a link to it.
func behindLinks(name string) string {
	for range 40 { // as often as a kernel would
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				break
			}
			to = filepath.Join(dir, to)
		}
		name = to
	}
	return name
}

func replaceFile(place string, text []byte, mode os.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(place), "."+filepath.Base(place)+".*")
	if err != nil {
		return unwrapPath(err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err = os.Rename(f.Name(), place); err != nil {
		return errors.Unwrap(err)
	}
	return nil
}

// cleanLines is a text of several lines as it may stand on a terminal.
func cleanLines(text string) string {
	var b bytes.Buffer
	for line := range bytes.Lines([]byte(text)) {
		b.WriteString(collector.Clean(string(bytes.TrimSuffix(line, []byte("\n")))))
		b.WriteByte('\n')
	}
	return b.String()
}

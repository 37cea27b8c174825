package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"stormtop/collector"
)

const (
	maxConfigBytes = 1 << 20
	contextPath    = "context"
	contextsKey    = "contexts"
)

// configFile is a configuration file that was read without an error.
type configFile struct {
	name     string // as it is shown; "" when there is none
	layer    layer
	contexts map[string]layer
	order    []string // the names of the contexts as the file has them
}

// readConfig reads the file that was named, or else the one in the usual
// place, which need not exist.
func readConfig(all []option, named given, env environ) (configFile, error) {
	none := configFile{layer: newLayer(fileLayer)}
	name := usualConfig(env)
	if len(named.texts) > 0 {
		name = named.texts[len(named.texts)-1]
	}
	if name == "" {
		return none, nil
	}
	text, err := readSmall(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(named.texts) == 0:
		return none, nil
	case errors.Is(err, fs.ErrNotExist):
		return none, fmt.Errorf("%s names %s, which does not exist: correct the name, or leave it out to use the usual place",
			named.at, shownName(name))
	case err != nil:
		return none, fmt.Errorf("the configuration %s cannot be read, %w: make it readable, or name another with --config", shownName(name), fileReason(err))
	}
	return parseConfig(all, name, text)
}

// shownName is the name of a file for a sentence.
func shownName(name string) string {
	quoted := collector.Quote(name)
	if plain := quoted[1 : len(quoted)-1]; !strings.ContainsAny(plain, ` \`) {
		return plain
	}
	return quoted
}

// fileReason is what the operating system says of a file, without its name.
func fileReason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// usualConfig is where the configuration is looked for when it is not named.
func usualConfig(env environ) string {
	if dir := env.get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "stormtop", "config.yaml")
	}
	if home := env.get("HOME"); home != "" {
		return filepath.Join(home, ".config", "stormtop", "config.yaml")
	}
	return ""
}

// readable says why a file cannot be read, if it cannot.
func readable(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fileReason(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return errors.New("it is a directory")
	}
	return nil
}

// pipePatience is how long a pipe may take to say all that it has to say. A file
// is there at once.
const pipePatience = 10 * time.Second

// readSmall reads a file that is not a configuration if it is large.
func readSmall(name string) ([]byte, error) { return readUpTo(name, maxConfigBytes) }

// readUpTo reads a file of so many bytes at most, or a pipe such as <(command) of
// a shell. It comes back whatever the name is of: a pipe that nobody writes to is
// empty, and one that does not end is too slow.
func readUpTo(name string, most int64) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("it is a directory")
	}
	if err := f.SetReadDeadline(time.Now().Add(pipePatience)); err != nil && !errors.Is(err, os.ErrNoDeadline) {
		return nil, fileReason(err)
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("it did not end within %v: write it to a file first", pipePatience)
	case err == nil && int64(len(text)) > most:
		err = fmt.Errorf("it is larger than %d MiB", most>>20)
	}
	return text, err
}

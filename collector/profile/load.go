package profile

import (
	"fmt"
	"path"
	"strings"

	"stormtop/collector"
)

// Check says what is wrong with a PromQL template, or returns nil. Package
// collector/prom has one, so that this package needs no PromQL parser.
type Check func(template string) error

// largest is more than any profile needs.
const largest = 1 << 20

// IsFile reports whether somebody who names a profile means a file: there is a
// slash in it, or it ends like a YAML file.
func IsFile(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return strings.ContainsAny(name, `/\`) || ext == ".yaml" || ext == ".yml"
}

// Load reads somebody's own profile from a file. Its templates are checked as
// well where check is not nil. All mistakes come in one error, a line of text
// each, with their places.
func Load(file string, read func(string) ([]byte, error), check Check) (Profile, error) {
	data, err := read(file)
	switch {
	case err != nil:
		return Profile{}, fmt.Errorf("reading profile %s: %w", collector.Quote(file), err)
	case len(data) > largest:
		return Profile{}, fmt.Errorf("profile %s has %d bytes: that is no profile, which has at most %d", collector.Quote(file), len(data), largest)
	}
	return parse(file, data, check)
}

// Named is what a name stands for: the profile in a file (see IsFile and Load)
// or a built-in one (see Find).
func Named(name string, read func(string) ([]byte, error), check Check) (Profile, error) {
	if IsFile(name) {
		return Load(name, read, check)
	}
	return Find(name)
}

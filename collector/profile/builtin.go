package profile

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
)

//go:embed systems/*.yaml
var systems embed.FS

const extension = ".yaml"

// builtin is the directory of the profiles that are part of the program. The
// name of a file is that of its profile.
func builtin() fs.FS {
	dir, err := fs.Sub(systems, "systems")
	if err != nil { // only for a malformed name
		return systems
	}
	return dir
}

// Names lists the built-in profiles, sorted, without reading them.
func Names() []string {
	files, err := fs.Glob(builtin(), "*"+extension)
	if err != nil { // only for a malformed pattern
		return nil
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, extension)
	}
	slices.Sort(files)
	return files
}

// Builtin lists the profiles that are part of the program, sorted by name. A
// test makes sure that each of them can be read.
func Builtin() []Profile {
	list, err := readAll(builtin(), Names())
	if err != nil {
		return nil
	}
	return list
}

func readAll(dir fs.FS, names []string) ([]Profile, error) {
	out := make([]Profile, 0, len(names))
	for _, name := range names {
		data, err := fs.ReadFile(dir, name+extension)
		if err != nil {
			return nil, fmt.Errorf("reading profile %s: %w", name, err)
		}
		p, err := Parse(name+extension, data)
		if err != nil {
			return nil, err
		}
		if p.Name != name {
			return nil, fmt.Errorf("profile %s%s: its name is %s, not that of the file", name, extension, collector.Quote(p.Name))
		}
		out = append(out, p)
	}
	return out, nil
}

// Text is the YAML file of a built-in profile. The error names the nearest one.
func Text(name string) ([]byte, error) {
	names := Names()
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("unknown profile %s%s: stormtop profiles lists those that exist", collector.Quote(name), usage.DidYouMean(name, names))
	}
	data, err := fs.ReadFile(builtin(), name+extension)
	if err != nil {
		return nil, fmt.Errorf("reading profile %s: %w", name, err)
	}
	return data, nil
}

// Find is the built-in profile of a name. The error names the nearest one.
func Find(name string) (Profile, error) {
	data, err := Text(name)
	if err != nil {
		return Profile{}, err
	}
	return Parse(name+extension, data)
}

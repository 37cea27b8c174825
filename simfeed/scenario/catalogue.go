package scenario

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
)

//go:embed data/*.yaml
var files embed.FS

// Default is the scenario that plays when none was named.
const Default = "sixty-seconds"

// names are those that are built in, in the order of the list.
var names = []string{
	Default, "six-seconds", "payment-1945", "jitter-300ms", "metastable-9s", "metastable-10s",
	"slow-burn", "hung-threads", "fan-out", "growth", "backoff-waves", "timeouts-upside-down", "blind",
}

// Names are the scenarios that are built in.
func Names() []string { return append([]string(nil), names...) }

// Known reports whether a scenario of that name is built in.
func Known(name string) bool { return slices.Contains(names, name) }

// Text is the file of a built-in scenario.
func Text(name string) ([]byte, error) {
	if Known(name) {
		return files.ReadFile(path.Join("data", name+".yaml"))
	}
	return nil, fmt.Errorf("unknown scenario %s%s: stormtop scenarios lists those that are built in, and a FILE.yaml is one of your own",
		collector.Quote(name), usage.DidYouMean(name, names))
}

// IsFile reports whether text names a file and not a built-in scenario: it has
// a slash in it, or ends in .yaml or .yml.
func IsFile(text string) bool {
	file, _ := split(text)
	return strings.ContainsAny(file, `/\`) || strings.HasSuffix(file, ".yaml") || strings.HasSuffix(file, ".yml")
}

// split parts "NAME:VARIANT"; the variant is "" where there is none. The colon
// of a drive's letter is none of a variant.
func split(text string) (file, variant string) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 || strings.ContainsAny(text[colon:], `/\`) {
		return text, ""
	}
	return text[:colon], text[colon+1:]
}

// ReadFile reads a file, such as os.ReadFile.
type ReadFile func(name string) ([]byte, error)

// Named is the scenario that a text names: one that is built in, or a file; and
// with a colon behind it one of its variants, as in "six-seconds:S3".
func Named(text string, read ReadFile) (Scenario, error) {
	data, err := TextOf(text, read)
	if err != nil {
		return Scenario{}, err
	}
	file, variant := split(text)
	s, err := Parse(file, data)
	if err != nil || file == text {
		return s, err
	}
	return s.In(variant)
}

// TextOf is the file that a text names, whatever variant of it.
func TextOf(text string, read ReadFile) ([]byte, error) {
	file, _ := split(text)
	if !IsFile(text) {
		return Text(file)
	}
	data, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("the scenario %w: name a FILE.yaml that can be, or one of those that stormtop scenarios lists", err)
	}
	return data, nil
}

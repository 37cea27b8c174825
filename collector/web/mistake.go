package web

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"stormtop/collector"
)

var (
	yamlPlace   = regexp.MustCompile(`^line (\d+): (.*)$`)
	yamlUnknown = regexp.MustCompile(`^field (.*) not found in type \S+$`)
	yamlTwice   = regexp.MustCompile(`^(?:field|key) "?(.*?)"? already set in (?:type \S+|map)$`)
	yamlKind    = regexp.MustCompile(`^cannot unmarshal `)
)

// httpFileError puts the error of an HTTP configuration file into sentences,
// one a line, each with its place. The YAML parser quotes values, which may be
// secret: they are taken out.
func httpFileError(file string, err error) error {
	name := collector.Clean(file)
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("--prom.http-config names %s, which %s", name, unreadable(err))
	}
	text, isList := strings.CutPrefix(err.Error(), "yaml: unmarshal errors:\n")
	text, syntax := strings.CutPrefix(text, "yaml: ")
	if syntax && !isList && !yamlPlace.MatchString(text) {
		text = "line 1: " + text // the parser does not say so of the first one
	}
	var wrong []error
	for line := range strings.Lines(text) {
		line, place := strings.TrimSpace(line), name
		if m := yamlPlace.FindStringSubmatch(line); m != nil {
			place, line = name+":"+m[1], m[2]
		}
		if line != "" {
			wrong = append(wrong, errors.New(place+": "+httpFileSentence(line, syntax)))
		}
	}
	return errors.Join(wrong...)
}

// httpFileSentence puts one complaint into our words; syntax says that the text
// is no YAML at all.
func httpFileSentence(text string, syntax bool) string {
	text = yamlValue.ReplaceAllString(maskURLs(collector.Clean(text)), "***")
	const remedy = ": correct it, or take it out; the file is an HTTP client configuration as Prometheus has it"
	switch {
	case yamlUnknown.MatchString(text):
		return "unknown field " + collector.Quote(yamlUnknown.FindStringSubmatch(text)[1]) + remedy
	case yamlTwice.MatchString(text):
		return collector.Quote(yamlTwice.FindStringSubmatch(text)[1]) + " is given twice: keep one"
	case yamlKind.MatchString(text):
		return "a value of the wrong kind" + remedy
	case syntax:
		return "this is no YAML: " + text + "; mind the indentation, spaces only"
	}
	return text
}

var yamlValue = regexp.MustCompile("`[^`]*`")

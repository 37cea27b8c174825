// Package promql is PromQL as every server reads it: the two placeholders of a
// template, names and durations, and the parser.
package promql

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"stormtop/collector"
)

// Fill replaces $window by a range of the rates and $by by the labels of a
// grouping, and nothing else: templates may hold "$1".
func Fill(text string, window time.Duration, by []string) string {
	return strings.NewReplacer("$window", Duration(window), "$by", By(by)).Replace(text)
}

var plainName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// By is a list of labels as PromQL writes it; newer names are put in quotation
// marks.
func By(list []string) string {
	quoted := make([]string, len(list))
	for i, name := range list {
		if quoted[i] = name; !plainName.MatchString(name) {
			quoted[i] = fmt.Sprintf("%q", name)
		}
	}
	return strings.Join(quoted, ", ")
}

// Duration writes a duration in one whole unit, as every PromQL reads it; less
// than a millisecond is one.
func Duration(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d >= time.Second && d%time.Second == 0:
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return fmt.Sprintf("%dms", max(d.Milliseconds(), 1))
}

// labelName is what Prometheus has always taken, and the dots, slashes and
// dashes of newer names, which are put in quotation marks.
var labelName = regexp.MustCompile(`^[\pL_][\pL\pN_./:-]*$`)

// IsLabel reports whether a text can be the name of a label.
func IsLabel(name string) bool { return labelName.MatchString(name) }

// CheckLabel says why a text cannot be the name of a label, or returns nil.
func CheckLabel(name string) error {
	if !IsLabel(name) {
		return fmt.Errorf("%s is no name of a label: write it like service, or service,zone for two", collector.Quote(name))
	}
	return nil
}

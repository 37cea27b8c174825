package scrape

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// fill replaces the two placeholders of a template and nothing else: it may hold
// "$1".
func fill(text string, rate time.Duration, by []string) string {
	return strings.NewReplacer("$window", promDuration(rate), "$by", byList(by)).Replace(text)
}

var plainName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// byList is a grouping as PromQL writes it.
func byList(by []string) string {
	quoted := make([]string, len(by))
	for i, name := range by {
		if quoted[i] = name; !plainName.MatchString(name) {
			quoted[i] = fmt.Sprintf("%q", name)
		}
	}
	return strings.Join(quoted, ", ")
}

// promDuration writes a duration in one whole unit.
func promDuration(d time.Duration) string {
	switch {
	case d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d%time.Second == 0:
		return fmt.Sprintf("%ds", d/time.Second)
	}
	return fmt.Sprintf("%dms", d.Milliseconds())
}

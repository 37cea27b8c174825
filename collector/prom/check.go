package prom

import (
	"errors"
	"regexp"
	"strings"

	"stormtop/collector"
)

// CheckQuery says what is wrong with an expression in which $window and $by are
// filled in later, or returns nil.
func CheckQuery(text string) error {
	_, err := parseTemplate(text, []string{"label"})
	return err
}

// CheckSelect says what is wrong with a list of label matchers, as they stand
// between the braces of a selector, or returns nil.
func CheckSelect(text string) error {
	_, err := parseSelect(text)
	return err
}

// placeholder is a "$" and a name, as dashboards have them.
var placeholder = regexp.MustCompile(`\$\{?[A-Za-z_][A-Za-z0-9_]*\}?`)

const placeholders = "the placeholders are $window, the range of the rates, and $by, the labels that make a target"

// strayPlaceholder explains a placeholder that is not ours, "" when there is
// none. Only one that begins as ours do is a mistake for sure: others may stand
// in the replacement of label_replace.
func strayPlaceholder(text string, sure bool) string {
	for _, name := range placeholder.FindAllString(text, -1) {
		ours := strings.HasPrefix(name, "$window") || strings.HasPrefix(name, "$by")
		if name != "$window" && name != "$by" && (ours || !sure) {
			return name
		}
	}
	return ""
}

// explainPlaceholder is the error of a stray placeholder.
func explainPlaceholder(name string) error {
	return errors.New(collector.Clean(name) + " is not filled in: " + placeholders)
}

package views

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"

	"stormtop/collector"
)

// filter chooses targets by a regular expression over name, labels and system,
// upper and lower case alike. The zero filter chooses all.
type filter struct {
	text  string // as it was typed; "" chooses all
	not   bool
	match func(string) bool // nil: everything matches
}

// parseFilter reads a filter: a regular expression, inverted by a "!" in front.
// The error is a few words for the line that it is typed in.
func parseFilter(text string) (filter, error) {
	f := filter{text: text}
	var expr string
	expr, f.not = strings.CutPrefix(text, "!")
	if expr == "" {
		return filter{}, nil
	}
	low := strings.ToLower(expr)
	if regexp.QuoteMeta(expr) == expr { // plain words need no machine
		f.match = func(s string) bool { return strings.Contains(strings.ToLower(s), low) }
		return f, nil
	}
	cased := low != expr // a letter of \S or \D is not to be made small
	if cased {
		low = "(?i)" + expr
	}
	re, err := regexp.Compile(low)
	var bad *syntax.Error
	if errors.As(err, &bad) {
		return filter{}, errors.New(string(bad.Code) + " in " + collector.Quote(strings.TrimPrefix(bad.Expr, "(?i)")))
	}
	if err != nil {
		return filter{}, err
	}
	f.match = re.MatchString
	if !cased { // without (?i) a beginning in letters is found ten times as fast
		f.match = func(s string) bool { return re.MatchString(strings.ToLower(s)) }
	}
	return f, nil
}

// holds reports whether a target is chosen.
func (f *filter) holds(t *collector.Target) bool {
	return f.match == nil || f.matches(t) != f.not
}

func (f *filter) matches(t *collector.Target) bool {
	if f.match(t.Name) || t.System != "" && f.match(t.System) {
		return true
	}
	for _, l := range t.Labels {
		if f.match(l.Name + "=" + l.Value) {
			return true
		}
	}
	return false
}

package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// mostMistakes is how many mistakes of one file are told.
const mostMistakes = 20

// place is a line and a column of a file, from 1; the zero place is the file as
// a whole.
type place struct{ line, column int }

func at(n *yaml.Node) place { return place{n.Line, n.Column} }

// mistake is one thing that is wrong with a file.
type mistake struct {
	place
	text string
}

func (r *reader) wrong(p place, format string, args ...any) {
	r.mistakes = append(r.mistakes, mistake{p, short(collector.Clean(fmt.Sprintf(format, args...)))})
}

// longest is how many characters a sentence has at most; a name of a megabyte is
// no help to anybody.
const longest = 600

// short leaves out the middle of a sentence that is too long: it begins with what
// it is about and ends with what is to be done.
func short(text string) string {
	if len(text) <= longest {
		return text
	}
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	return string(runes[:longest/3]) + " … " + string(runes[len(runes)-longest/2:])
}

// blame notes what the chain says of fields that were read, each at the place
// where it stands. in is what stands in front of the paths: "variants.S4.".
func (r *reader) blame(in string, err error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			r.blame(in, e)
		}
		return
	}
	p, found := place{}, false
	if list, _, ok := strings.Cut(err.Error(), ": "); ok { // "timeline[3]: edges...."
		p, found = r.places[in+list]
	}
	var bad *chain.FieldError
	switch field := ""; {
	case found:
	case errors.As(err, &bad):
		field = bad.Field
		fallthrough
	default:
		p = r.where(in + field)
	}
	r.wrong(p, "%s%v", variantOf(in), err)
}

// variantOf is what stands in front of a sentence about a variant.
func variantOf(in string) string {
	if in == "" {
		return ""
	}
	return strings.TrimSuffix(in, ".") + ": "
}

// where is the place of a path, or of the nearest level above it that the file
// has.
func (r *reader) where(path string) place {
	for {
		if p, ok := r.places[path]; ok {
			return p
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return place{}
		}
		path = path[:cut]
	}
}

// report joins the mistakes, a line of text each, in the order of the file.
func (r *reader) report(name string) error {
	slices.SortStableFunc(r.mistakes, func(a, b mistake) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	r.mistakes = slices.Compact(r.mistakes)
	name = collector.Clean(name)
	var out []error
	for i, m := range r.mistakes {
		switch {
		case i == mostMistakes:
			return errors.Join(append(out, fmt.Errorf("scenario %s: and %d more mistakes", name, len(r.mistakes)-i))...)
		case m.line > 0:
			out = append(out, fmt.Errorf("scenario %s, line %d, column %d: %s", name, m.line, m.column, m.text))
		default:
			out = append(out, fmt.Errorf("scenario %s: %s", name, m.text))
		}
	}
	return errors.Join(out...)
}

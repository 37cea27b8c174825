package field

import (
	"fmt"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// Kind is what the text of a field means.
type Kind uint8

// The kinds.
const (
	Text     Kind = iota // a form of its own, see Help
	Duration             // "300ms"
	Count                // a whole number
	Limit                // a whole number or "unlimited"
	Share                // 0 to 1, or "0%" to "100%"
	Number               // any finite number within its range
	Rate                 // a second: "2010/s"
	Switch               // "on" or "off"
	Choice               // one of Choices
)

// Info describes a field.
type Info struct {
	Name     string   // below what owns it: "attempts", "budget.share"
	Kind     Kind     // what its text means
	Help     string   // meaning and range, one line
	Choices  []string // of a Choice
	Min, Max float64  // of what counts: durations in nanoseconds; both 0 where there is no range
}

// Field is one field of a T.
type Field[T any] struct {
	Info
	get    func(*T) string
	set    func(*T, string) error
	number func(*T) *float64Access
}

// float64Access is a field as a number, for changes that go gradually.
type float64Access struct {
	get func() (float64, bool)
	set func(float64)
}

// Get is the value as text, in the form that Set reads.
func (f Field[T]) Get(t *T) string { return f.get(t) }

// Set reads a value. The error is a sentence that says what would be right; the
// value is then unchanged.
func (f Field[T]) Set(t *T, text string) error { return f.set(t, strings.TrimSpace(text)) }

// Check says whether the value is one that Set would take.
func (f Field[T]) Check(t *T) error {
	trial := *t
	return f.set(&trial, f.get(t))
}

// Float is the value as a number, durations in nanoseconds; ok is false when
// the field is no number, or is unlimited.
func (f Field[T]) Float(t *T) (n float64, ok bool) {
	if f.number == nil {
		return 0, false
	}
	return f.number(t).get()
}

// SetFloat sets the value to a number in the units of Float; whole numbers are
// rounded. It reports whether the field is a number.
func (f Field[T]) SetFloat(t *T, n float64) bool {
	if f.number == nil {
		return false
	}
	f.number(t).set(n)
	return true
}

// Table is the fields of a T.
type Table[T any] []Field[T]

// Find finds a field by name. The error names the ones there are.
func (t Table[T]) Find(name string) (Field[T], error) {
	for _, f := range t {
		if f.Name == name {
			return f, nil
		}
	}
	return Field[T]{}, fmt.Errorf("there is no field %s%s: there are %s", collector.Quote(name), usage.DidYouMean(name, t.Names()), strings.Join(t.Names(), ", "))
}

// Names are the names of all fields, sorted.
func (t Table[T]) Names() []string {
	out := make([]string, 0, len(t))
	for _, f := range t {
		out = append(out, f.Name)
	}
	slices.Sort(out)
	return out
}

// Package field sets and shows the fields of a configuration by name, as text.
// A table of fields is written once for a type; scenario files, changes on a
// timeline, flags and the levers of a screen all go through it, and so does
// the check of ranges.
package field

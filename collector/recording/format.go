package recording

import (
	"fmt"
	"strings"

	"stormtop/collector"
)

// Schema names the format and its version, in the first line of a recording.
const Schema = "stormtop/recording/v1"

const schemaFamily = "stormtop/recording/"

// Bounds of what is read and written.
const (
	maxLine     = 16 << 20 // bytes of a line
	maxObject   = 4 << 20  // bytes of a line that is no reading
	maxTargets  = 1 << 18  // targets that are declared at a time
	maxShapes   = 1 << 14  // shapes that are declared at a time
	maxDeclared = 64 << 20 // bytes of the lines that declare what is in use
	maxLabels   = 128      // labels of a target
	maxList     = 1 << 16  // failures, warnings, reporters or costs of one reading
	maxRules    = 1000     // rules of a header
	maxSystems  = 1000     // systems of an origin
)

// What the writer declares before it begins its tables anew: less than is read.
const (
	usualTargets = maxTargets / 2
	usualShapes  = maxShapes / 4
	perLine      = 100 // declarations in one line
)

// letters are the states in the string behind the values of a row.
var letters = [...]byte{
	collector.Missing: 'm', collector.Ok: '.', collector.Idle: 'i', collector.Infinite: 'x',
	collector.Stale: 's', collector.Partial: 'p', collector.Failed: 'f',
}

func parseLetter(c byte) (collector.State, bool) {
	for s, l := range letters {
		if l == c {
			return collector.State(s), true
		}
	}
	return collector.Missing, false
}

// enum is one of the enumerations of the collector, whose names end with the
// first number that has none of its own.
type enum interface {
	~uint8
	fmt.Stringer
}

// named finds the number of a name; the empty name is the first one.
func named[T enum](what, name string) (T, error) {
	if name == "" {
		return 0, nil
	}
	for i := range 256 {
		if n := T(i).String(); n == name {
			return T(i), nil
		} else if strings.ContainsAny(n, "(") {
			break
		}
	}
	return 0, fmt.Errorf("%s is no %s", collector.Quote(name), what)
}

// kindNames are the kinds of ratio as machine formats have them.
var kindNames = [...]string{collector.NoRatioKind: "", collector.Hop: "hop", collector.Edge: "edge"}

func kindName(k collector.RatioKind) string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

func parseKind(name string) (collector.RatioKind, error) {
	for i, n := range kindNames {
		if n == name {
			return collector.RatioKind(i), nil
		}
	}
	return 0, fmt.Errorf("%s is no kind of ratio: it is hop or edge", collector.Quote(name))
}

// nameOf is the name of an enumeration's number, "" for the first one.
func nameOf[T enum](v T) string {
	if v == 0 {
		return ""
	}
	return v.String()
}

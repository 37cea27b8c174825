package collector

import (
	"cmp"
	"slices"
	"strings"
)

// Label is one label of a target, as the source spelled it. It may hold any
// bytes; clean it (Clean) before it reaches a terminal.
type Label struct{ Name, Value string }

// Ratio kinds: what an amplification is a ratio of.
type RatioKind uint8

// The kinds of ratio.
const (
	NoRatioKind RatioKind = iota
	Hop                   // attempts per request at one caller-callee hop
	Edge                  // attempts at the dependency per original user request
)

// String is the word on the screen.
func (k RatioKind) String() string {
	switch k {
	case Hop:
		return "HOP"
	case Edge:
		return "EDGE"
	}
	return "?"
}

// Target is one thing that is watched: a service, a cluster of a proxy, a pool.
type Target struct {
	ID     string    // unique within a source and stable over time; "" is the total
	Name   string    // for people, cleaned, not empty
	Labels []Label   // sorted by name
	Kind   RatioKind // what its amplification is a ratio of
	System string    // the profile it was found by (Origin.System); "" where there is none
}

// TotalID is the Target.ID of the sum over all targets.
const TotalID = ""

// idEscapes keeps the separators of an ID out of what they separate.
var idEscapes = strings.NewReplacer("\x00", "\x02a", "\x01", "\x02b", "\x02", "\x02c", "\x03", "\x02d")

// NewTarget makes a target of its labels, in any order: the name is the values,
// cleaned, sorted by label name and joined by "/" ("all" when there is none),
// the ID is different for every other set of labels.
func NewTarget(kind RatioKind, labels ...Label) Target {
	byName := func(a, b Label) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
	}
	if !slices.IsSortedFunc(labels, byName) {
		labels = slices.Clone(labels)
		slices.SortFunc(labels, byName)
	}
	var id, name strings.Builder
	for i, l := range labels {
		if i > 0 {
			id.WriteByte(0)
		}
		id.WriteString(idEscapes.Replace(l.Name))
		id.WriteByte(1)
		id.WriteString(idEscapes.Replace(l.Value))
		if l.Value == "" {
			continue
		}
		if name.Len() > 0 {
			name.WriteByte('/')
		}
		name.WriteString(Clean(l.Value))
	}
	t := Target{ID: id.String(), Name: name.String(), Labels: labels, Kind: kind}
	if t.Name == "" {
		t.Name = "all"
	}
	if t.ID == TotalID {
		t.ID = "\x00all"
	}
	return t
}

// In is the target as one of a system: the same labels in two systems are two
// targets.
func (t Target) In(system string) Target {
	if system != "" && t.System == "" {
		t.System = system
		t.ID = idEscapes.Replace(system) + "\x03" + t.ID
	}
	return t
}

// Label returns the value of a label, or "".
func (t Target) Label(name string) string {
	for _, l := range t.Labels {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

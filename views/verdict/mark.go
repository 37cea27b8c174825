package verdict

import (
	"fmt"

	"stormtop/alerts"
)

// Mark is the sign of a state, which says without colour what the colour says.
type Mark uint8

// The marks. The zero value is MarkUnjudged.
const (
	MarkUnjudged Mark = iota // it cannot be judged
	MarkOk                   // nothing holds
	MarkPending              // a condition holds, not yet long enough
	MarkFiring               // a rule fires
	MarkHeld                 // the state is kept although it cannot be judged now
	MarkNoData               // nothing can be read
)

var marks = [...]struct{ glyph, ascii string }{
	MarkUnjudged: {"?", "?"}, MarkOk: {"·", "."}, MarkPending: {"◔", "o"},
	MarkFiring: {"●", "#"}, MarkHeld: {"◑", "~"}, MarkNoData: {"×", "x"},
}

// String is the sign, one column wide.
func (m Mark) String() string {
	if int(m) < len(marks) {
		return marks[m].glyph
	}
	return fmt.Sprintf("Mark(%d)", uint8(m))
}

// ASCII is the sign for terminals without Unicode.
func (m Mark) ASCII() string { return ASCII(m.String()) }

// MarkOf is the mark of a rule on a target.
func MarkOf(s alerts.Status) Mark {
	switch {
	case s.Shown == alerts.Unknown:
		return MarkUnjudged
	case s.Held:
		return MarkHeld
	case s.Shown == alerts.Firing:
		return MarkFiring
	case s.Shown == alerts.Pending:
		return MarkPending
	}
	return MarkOk
}

// StateOf is the word for the state of a rule on a target: "ok", "pending",
// "FIRING", "unknown", with " (held)" behind it where it is kept.
func StateOf(s alerts.Status) string {
	word := "unknown"
	switch s.Shown {
	case alerts.Inactive:
		word = "ok"
	case alerts.Pending:
		word = "pending"
	case alerts.Firing:
		word = "FIRING"
	}
	if s.Held {
		word += " (held)"
	}
	return word
}

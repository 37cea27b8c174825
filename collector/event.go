package collector

import (
	"fmt"
	"time"
)

// EventKind says what an Event is about.
type EventKind uint8

// The kinds of event.
const (
	NoEvent       EventKind = iota
	EventStart              // a source began
	EventPending            // a rule's condition began to hold on a target
	EventFiring             // a rule fires on a target
	EventInactive           // a rule's condition ended on a target
	EventHeld               // the shown state is kept although it cannot be judged
	EventReleased           // judged again after being held
	EventBlind              // nothing can be read
	EventSighted            // readings are back
	EventGap                // slots were missed
	EventMark               // somebody marked this instant
	EventChange             // somebody changed a simulation or a setting
)

var eventNames = [...]string{
	NoEvent: "none", EventStart: "start", EventPending: "pending", EventFiring: "firing",
	EventInactive: "inactive", EventHeld: "held", EventReleased: "released", EventBlind: "blind",
	EventSighted: "sighted", EventGap: "gap", EventMark: "mark", EventChange: "change",
}

// String is the name used in machine formats.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return fmt.Sprintf("EventKind(%d)", uint8(k))
}

// Event is something worth remembering. Text is one line for people, cleaned.
type Event struct {
	At     time.Time
	Kind   EventKind
	Rule   string // the rule concerned, or ""
	Target string // Target.ID of the target concerned
	Name   string // its Target.Name
	Value  Value
	Text   string
}

// Mark is an instant that a person named ("retries off at orders").
type Mark struct {
	At   time.Time
	Text string
}

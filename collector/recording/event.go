package recording

import (
	"time"

	"stormtop/collector"
)

// eventLine is something that happened.
type eventLine struct {
	Type   string     `json:"type"`
	At     time.Time  `json:"at"`
	Kind   string     `json:"kind"`
	Rule   text       `json:"rule,omitempty"`
	Target text       `json:"target,omitempty"` // its ID
	Name   text       `json:"name,omitempty"`
	Value  *valueWire `json:"value,omitempty"`
	Text   text       `json:"text,omitempty"`
}

// markLine is an instant that a person named.
type markLine struct {
	Type string    `json:"type"`
	At   time.Time `json:"at"`
	Text text      `json:"text"`
}

type valueWire struct {
	Value *number `json:"value"`
	State string  `json:"state"`
	Unit  string  `json:"unit,omitempty"`
	Trust string  `json:"trust,omitempty"`
}

func wireEvent(e collector.Event) eventLine {
	out := eventLine{
		Type: "event", At: e.At.UTC().Round(0), Kind: e.Kind.String(), Rule: text(e.Rule),
		Target: text(e.Target), Name: text(e.Name), Text: text(e.Text),
	}
	if v := plain(e.Value); v != (collector.Value{}) {
		out.Value = &valueWire{State: v.State.String(), Unit: nameOf(v.Unit), Trust: nameOf(v.Trust)}
		if f, ok := v.Number(); ok {
			n := number(f)
			out.Value.Value = &n
		}
	}
	return out
}

func (w *eventLine) event() (collector.Event, error) {
	e := collector.Event{
		At: w.At.UTC(), Rule: w.Rule.clean(), Target: string(w.Target), Name: w.Name.clean(), Text: w.Text.clean(),
	}
	var err error
	if e.Kind, err = named[collector.EventKind]("kind of event", w.Kind); err != nil || w.Value == nil {
		return e, err
	}
	if e.Value.State, err = collector.ParseState(w.Value.State); err != nil {
		return e, err
	}
	if e.Value.Unit, err = named[collector.Unit]("unit", w.Value.Unit); err != nil {
		return e, err
	}
	if e.Value.Trust, err = named[collector.Trust]("trust", w.Value.Trust); err != nil {
		return e, err
	}
	if w.Value.Value != nil {
		e.Value.V = float64(*w.Value.Value)
	} else if e.Value.State.HasNumber() {
		e.Value.State = collector.Missing
	}
	e.Value = plain(e.Value)
	return e, nil
}

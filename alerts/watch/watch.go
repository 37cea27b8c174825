// Package watch follows a source: it feeds readings to the history and to the
// rules and hands out immutable snapshots, from which the screens and the
// machine formats are made.
package watch

import (
	"fmt"
	"slices"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// Bounds of what is remembered beside the history.
const (
	DefaultTargets = 64   // targets whose course is kept
	maxEvents      = 2000 // events kept, oldest forgotten first
)

// Watch is the state behind a dashboard. It belongs to one goroutine; the
// snapshots it hands out belong to anybody.
type Watch struct {
	history *collector.History
	engine  *alerts.Engine
	rules   []collector.RuleSpec
	span    time.Duration
	targets int
	events  []collector.Event // by time
	anew    *anew             // the last time that all began anew; nil: never
	pinned  string            // the target that has a place of its own in the history
	last    *collector.Reading
	good    *collector.Reading
	read    bool             // a reading that is not empty was taken
	filled  time.Time        // the newest past reading
	blind   time.Time        // since when nothing can be read
	sighted time.Time        // when readings came back last
	cause   alerts.Diagnosis // of the worst target when the view was lost
	missed  int
	gap     bool                // the last reading came after missed slots
	started bool                // the event of the start was told
	marks   []collector.Mark    // by time
	before  []map[string]means  // what was before each of them, by Target.ID
	failed  map[asked]time.Time // the queries that fail, since when
}

// New makes a watch that keeps span of history for at most targets targets.
func New(rules []collector.RuleSpec, span time.Duration, targets int) *Watch {
	w := &Watch{rules: rules, span: span, targets: targets}
	w.begin()
	return w
}

// begin forgets all readings.
func (w *Watch) begin() {
	w.history = collector.NewHistory(w.span, w.targets)
	w.history.Pin(w.pinned)
	w.engine = alerts.New(w.rules)
}

// Add takes the next reading and returns what happened because of it. One that
// is not later than the one before is ignored, unless it begins anew, or is the
// first past one behind nothing but empty ones (see collector.Source): what came
// before makes room for it, and only what happened is remembered.
func (w *Watch) Add(r *collector.Reading) []collector.Event {
	var events []collector.Event
	if r.Begins && w.last != nil {
		events = append(events, w.beginAnew(r)...)
	}
	if r.Past && !w.read && w.last != nil && !w.last.Past {
		w.begin()
		w.good, w.cause = nil, alerts.Diagnosis{}
		if w.anew != nil {
			w.anew = newAnew(r.At, w.events)
		} else {
			w.started = false
			w.events = slices.DeleteFunc(slices.Clone(w.events), func(e collector.Event) bool { return e.Kind == collector.EventStart })
		}
	}
	if !w.history.Add(r) {
		return nil
	}
	if !w.started {
		w.started = true
		events = append(events, collector.Event{At: r.At, Kind: collector.EventStart, Text: startText(r)})
	}
	if r.Blind() && w.blind.IsZero() {
		w.cause = w.Snapshot().Cause
	}
	events = append(events, w.missing(r)...)
	if r.Past {
		w.filled = r.At
	} else {
		events = append(events, w.sight(r)...)
	}
	events = append(events, w.failing(r)...)
	w.last = r
	w.read = w.read || !r.Empty()
	if !r.Blind() || w.good == nil || w.good.Blind() {
		w.good = r
	}
	events = append(events, w.engine.Eval(r)...)
	events = w.anew.note(events, r.Past)
	w.remember(events)
	return events
}

// Note enters an event that comes from a person: a mark, or a change of a
// setting such as a baseline. Its text is cleaned.
func (w *Watch) Note(e collector.Event) {
	e.Text = collector.Clean(e.Text)
	if e.Kind == collector.EventMark {
		w.mark(collector.Mark{At: e.At, Text: e.Text})
	}
	w.remember([]collector.Event{e})
}

// sight notes when the view is lost and when it comes back.
func (w *Watch) sight(r *collector.Reading) []collector.Event {
	switch {
	case r.Blind() && w.blind.IsZero():
		w.blind = r.At
		text := "nothing can be read"
		for _, f := range r.Failures {
			if f.Signal == collector.NoSignal {
				text = f.Text
			}
		}
		return []collector.Event{{At: r.At, Kind: collector.EventBlind, Text: text}}
	case !r.Blind() && !w.blind.IsZero():
		since := w.blind
		w.blind, w.sighted = time.Time{}, r.At
		return []collector.Event{{
			At: r.At, Kind: collector.EventSighted,
			Text: "readings are back after " + collector.FormatDuration(r.At.Sub(since)),
		}}
	}
	return nil
}

// missing notes missed slots, once for a stretch of readings that each come
// after some. While nothing can be read a source waits, and the event of that
// says so.
func (w *Watch) missing(r *collector.Reading) []collector.Event {
	w.missed += r.Missed
	before := w.gap
	if w.gap = r.Missed > 0; !w.gap || before || w.last == nil || !w.blind.IsZero() {
		return nil
	}
	return []collector.Event{{At: r.At, Kind: collector.EventGap, Text: fmt.Sprintf("readings missed since %s: %s",
		collector.FormatClock(w.last.At), collector.FormatCount(float64(r.Missed)))}}
}

// remember enters events by their time. A list that is not only added to is a
// fresh one, since snapshots share the old one.
func (w *Watch) remember(events []collector.Event) {
	byTime := func(a, b collector.Event) int { return a.At.Compare(b.At) }
	inOrder := slices.IsSortedFunc(events, byTime) &&
		(len(events) == 0 || len(w.events) == 0 || byTime(events[0], w.events[len(w.events)-1]) >= 0)
	if !inOrder {
		w.events = slices.Clone(w.events)
	}
	w.events = append(w.events, events...)
	if !inOrder {
		slices.SortStableFunc(w.events, byTime)
	}
	if len(w.events) > 2*maxEvents {
		w.events = append(make([]collector.Event, 0, 2*maxEvents), w.events[len(w.events)-maxEvents:]...)
	}
}

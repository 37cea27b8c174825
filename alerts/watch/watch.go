// Package watch follows a source: it feeds readings to the history and to the
// rules and hands out immutable snapshots, from which the screens and the
// machine formats are made.
package watch

import (
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
	events  []collector.Event
	last    *collector.Reading
	good    *collector.Reading
	blind   time.Time
	cause   alerts.Diagnosis // of the worst target when the view was lost
	missed  int
	started bool
}

// New makes a watch that keeps span of history for at most targets targets.
func New(rules []collector.RuleSpec, span time.Duration, targets int) *Watch {
	return &Watch{
		history: collector.NewHistory(span, targets),
		engine:  alerts.New(rules),
		rules:   rules,
	}
}

// Add takes the next reading and returns what happened because of it.
func (w *Watch) Add(r *collector.Reading) []collector.Event {
	if !w.history.Add(r) {
		return nil
	}
	var events []collector.Event
	if !w.started {
		w.started = true
		events = append(events, collector.Event{At: r.At, Kind: collector.EventStart, Text: "first reading"})
	}
	if r.Blind() && w.blind.IsZero() {
		w.cause = w.Snapshot().Cause
	}
	events = append(events, w.sight(r)...)
	w.last = r
	if !r.Blind() || w.good == nil || w.good.Blind() {
		w.good = r
	}
	w.missed += r.Missed
	events = append(events, w.engine.Eval(r)...)
	w.remember(events)
	return events
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
		w.blind = time.Time{}
		return []collector.Event{{
			At: r.At, Kind: collector.EventSighted,
			Text: "readings are back after " + collector.FormatDuration(r.At.Sub(since)),
		}}
	}
	return nil
}

// remember appends events; a trimmed list is a fresh one, since snapshots share
// the old one.
func (w *Watch) remember(events []collector.Event) {
	w.events = append(w.events, events...)
	if len(w.events) > 2*maxEvents {
		w.events = append(make([]collector.Event, 0, 2*maxEvents), w.events[len(w.events)-maxEvents:]...)
	}
}

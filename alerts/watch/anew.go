package watch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// anew is the moment at which everything that was read stopped to apply
// (Reading.Begins), and what happened since.
type anew struct {
	from  time.Time         // the first reading that applies again
	told  []collector.Event // of rules, told before and at or after from
	since []collector.Event // by the readings that apply, in the order in which they came
}

func newAnew(from time.Time, events []collector.Event) *anew {
	a := &anew{from: from}
	for _, e := range events {
		if e.Rule != "" && !e.At.Before(from) {
			a.told = append(a.told, e)
		}
	}
	return a
}

// beginAnew forgets all readings but keeps what happened, and says what changed.
// A replay that was sent to a time that was seen already tells of it again: then
// only what a person entered is kept of that time, and nothing has changed.
func (w *Watch) beginAnew(r *collector.Reading) []collector.Event {
	before := w.last
	var events []collector.Event
	if r.Replayed() && !r.At.After(before.At) {
		w.events = slices.DeleteFunc(slices.Clone(w.events), func(e collector.Event) bool {
			return !e.At.Before(r.At) && e.Kind != collector.EventMark && e.Kind != collector.EventChange
		})
		w.started = slices.ContainsFunc(w.events, func(e collector.Event) bool { return e.Kind == collector.EventStart })
		w.blind, w.sighted = time.Time{}, time.Time{}
	} else {
		at := r.At
		if before.At.After(at) {
			at = before.At
		}
		events = []collector.Event{{At: at, Kind: collector.EventChange, Text: difference(before.Origin, r.Origin)}}
	}
	w.anew = newAnew(r.At, w.events)
	w.begin()
	w.last, w.good, w.read, w.gap, w.cause = nil, nil, false, false, alerts.Diagnosis{}
	return events
}

// note takes in what a reading brought and returns what of it is news: what is
// read anew of a time that was told before is not told twice.
func (a *anew) note(events []collector.Event, past bool) []collector.Event {
	if a == nil {
		return events
	}
	for _, e := range events {
		if e.Kind != collector.EventChange {
			a.since = append(a.since, e)
		}
	}
	if len(a.since) > 2*maxEvents {
		a.since = append(make([]collector.Event, 0, 2*maxEvents), a.since[len(a.since)-maxEvents:]...)
	}
	if !past || len(a.told) == 0 {
		return events
	}
	return slices.DeleteFunc(slices.Clone(events), func(e collector.Event) bool {
		return e.Rule != "" && slices.ContainsFunc(a.told, func(old collector.Event) bool {
			return old.Kind == e.Kind && old.Rule == e.Rule && old.Target == e.Target
		})
	})
}

// picture is what a snapshot keeps of it.
func (a *anew) picture() *anew {
	if a == nil {
		return nil
	}
	out := *a
	out.told, out.since = nil, a.since[:len(a.since):len(a.since)]
	return &out
}

// course are the events by which states are told over time: up to the moment
// those that were told then, from there on those of what was read anew.
func (s Snapshot) course() []collector.Event {
	if s.anew == nil {
		return s.Events
	}
	var out []collector.Event
	for _, e := range s.Events {
		if e.At.Before(s.anew.from) {
			out = append(out, e)
		}
	}
	out = append(out, collector.Event{At: s.anew.from, Kind: collector.EventStart})
	return append(out, s.anew.since...)
}

// difference says what changed from one description of a source to the next:
// "grouped by caller (before: service)".
func difference(was, is *collector.Origin) string {
	if was == nil || is == nil {
		return "read anew"
	}
	var parts []string
	if was.Grouping != is.Grouping {
		parts = append(parts, fmt.Sprintf("grouped by %s (before: %s)", is.Grouping, was.Grouping))
	}
	if a, b := systems(was), systems(is); a != b {
		parts = append(parts, fmt.Sprintf("judged by %s (before: %s)", b, a))
	}
	if len(parts) == 0 {
		return "read anew"
	}
	return strings.Join(parts, "; ")
}

// systems names what a source judges by.
func systems(o *collector.Origin) string {
	var names []string
	for _, s := range o.Systems {
		if name := collector.Clean(s.Profile); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 0:
		return strings.Join(names, " and ")
	case o.Profile != "":
		return o.Profile
	}
	return "nothing"
}

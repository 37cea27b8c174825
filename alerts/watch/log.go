package watch

import (
	"slices"
	"time"

	"stormtop/collector"
)

// Entry is an event as a log tells it: with how long that lasted which it began.
type Entry struct {
	collector.Event
	Lasts time.Duration   // of a pending, a firing, a held or a blind stretch; 0 when that is not known, or for what has no duration
	Open  bool            // it lasts still
	Peak  collector.Value // of a firing
}

// Log is what happened, newest first. The end of a blind stretch, or of one in
// which a state was held, is told with its beginning, where that is remembered.
// That states are held while nothing can be read goes without saying.
func (s Snapshot) Log() []Entry {
	out := make([]Entry, 0, len(s.Events))
	begun := map[stateKey]int{} // the entry that a rule on a target is in
	held := map[stateKey]int{}  // likewise, -1 while it goes without saying
	blind := -1
	for _, e := range s.Events {
		here := Entry{Event: e}
		key := stateKey{e.Rule, e.Target}
		switch e.Kind {
		case collector.EventPending, collector.EventFiring, collector.EventInactive:
			if i, ok := begun[key]; ok {
				out[i].end(e.At)
				delete(begun, key)
			}
			if e.Kind != collector.EventInactive {
				here.Open = true
				begun[key] = len(out)
			}
		case collector.EventBlind:
			here.Open = true
			blind = len(out)
		case collector.EventSighted:
			if blind >= 0 {
				out[blind].end(e.At)
				blind = -1
				continue
			}
		case collector.EventHeld:
			if blind >= 0 {
				held[key] = -1
				continue
			}
			here.Open = true
			held[key] = len(out)
		case collector.EventReleased:
			if i, ok := held[key]; ok {
				if delete(held, key); i >= 0 {
					out[i].end(e.At)
				}
				continue
			}
		case collector.EventStart:
			clear(begun)
			clear(held)
		}
		out = append(out, here)
	}
	for i := range out {
		out[i].measure(&s)
	}
	slices.Reverse(out)
	return out
}

// end notes when it was over.
func (e *Entry) end(at time.Time) { e.Lasts, e.Open = at.Sub(e.At), false }

// measure takes what the engine knows of it: how long a firing lasted and how
// bad it was.
func (e *Entry) measure(s *Snapshot) {
	if e.Open && s.Last != nil {
		e.Lasts = max(s.Last.At.Sub(e.At), 0)
	}
	if e.Kind != collector.EventFiring {
		return
	}
	for i := range s.Episodes {
		if ep := &s.Episodes[i]; ep.Rule == e.Rule && ep.Target.ID == e.Target && ep.Firing.Equal(e.At) {
			e.Lasts, e.Open, e.Peak = ep.Ended.Sub(ep.Firing), false, ep.Peak
			return
		}
	}
	for i := range s.Statuses {
		if st := &s.Statuses[i]; st.Rule.Name == e.Rule && st.Target.ID == e.Target && st.FiredAt.Equal(e.At) {
			e.Peak = st.Peak
			return
		}
	}
}

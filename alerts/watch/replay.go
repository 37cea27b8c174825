package watch

import (
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// stateKey names a rule on a target.
type stateKey struct{ rule, target string }

// stood is the phase of a rule on a target at an instant, and how it came to it.
type stood struct {
	Phase
	name      string // of the target
	active    time.Time
	fired     time.Time
	heldSince time.Time
	heldWhy   alerts.Why
}

// replayed is what the events tell of an instant.
type replayed struct {
	states map[stateKey]stood
	begun  bool      // the start is remembered: what is not in states was never active
	blind  time.Time // since when nothing could be read; zero: it could
	why    string    // the reason of that
	clear  time.Time // since when nothing was active
}

// replay follows the events up to an instant, that of it included.
func (s Snapshot) replay(at time.Time) replayed {
	r := replayed{states: map[stateKey]stood{}}
	active := 0
	for _, e := range s.course() {
		if e.At.After(at) {
			break
		}
		switch e.Kind {
		case collector.EventStart:
			clear(r.states)
			r.begun, r.clear, active = true, e.At, 0
			continue
		case collector.EventBlind:
			if e.At.After(s.Filled) {
				r.blind, r.why = e.At, e.Text
			}
			continue
		case collector.EventSighted:
			if r.blind, r.why = (time.Time{}), ""; active == 0 {
				r.clear = e.At
			}
			continue
		}
		if e.Rule == "" {
			continue
		}
		key := stateKey{e.Rule, e.Target}
		st := r.states[key]
		before := st.State >= alerts.Pending
		st.follow(e)
		r.states[key] = st
		switch after := st.State >= alerts.Pending; {
		case after && !before:
			active++
		case before && !after:
			active--
		}
		if active == 0 && before {
			r.clear = e.At
		}
	}
	if active > 0 || !r.begun {
		r.clear = time.Time{}
	}
	return r
}

// follow takes in an event of the rule and the target.
func (st *stood) follow(e collector.Event) {
	was := st.State
	st.turn(e.Kind)
	st.name = e.Name
	switch e.Kind {
	case collector.EventPending:
		st.active, st.fired = e.At, time.Time{}
	case collector.EventFiring:
		if st.fired = e.At; was != alerts.Pending {
			st.active = e.At
		}
	case collector.EventInactive:
		*st = stood{Phase: Phase{State: alerts.Inactive}, name: e.Name}
	case collector.EventHeld:
		st.heldSince, st.heldWhy = e.At, whyOf(e.Text)
		if st.State == alerts.Unknown { // its beginning is forgotten, and told in the text
			st.State = stateOf(e.Text)
		}
		return
	default:
		return
	}
	st.From = e.At
}

// whyOf finds the reason at the end of an event's text.
func whyOf(text string) alerts.Why {
	for why := alerts.WhyTrue; why <= alerts.WhyFanOut; why++ {
		if strings.HasSuffix(text, ": "+why.String()) {
			return why
		}
	}
	return alerts.WhyNone
}

// stateOf finds the state at the beginning of an event's text.
func stateOf(text string) alerts.State {
	for _, state := range []alerts.State{alerts.Pending, alerts.Firing} {
		if strings.HasPrefix(text, state.String()+" ") {
			return state
		}
	}
	return alerts.Unknown
}

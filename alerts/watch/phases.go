package watch

import (
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// Phase is a stretch of time in which a rule was in one shown state on a target.
type Phase struct {
	From, To time.Time // To is zero while the phase lasts
	State    alerts.State
	Held     bool
}

// Phases tells the states of a rule on a target over time, oldest first and
// without gaps, as far as the events are remembered. Blind stretches have the
// state Unknown, but for those that were filled in afterwards, and so has what
// came before the oldest event when the start is forgotten. From where a source
// began anew (collector.Reading.Begins), they are those of what it read then.
func (s Snapshot) Phases(rule, target string) []Phase {
	var out phases
	now := Phase{State: alerts.Inactive}
	blind := false
	for i, e := range s.course() {
		if i == 0 && e.Kind != collector.EventStart {
			now.State = alerts.Unknown
		}
		switch e.Kind {
		case collector.EventStart:
			now.State = alerts.Inactive
		case collector.EventBlind:
			blind = e.At.After(s.Filled)
		case collector.EventSighted:
			blind = false
		default:
			if e.Rule == rule && e.Target == target {
				now.turn(e.Kind)
			}
		}
		shown := now
		if blind {
			shown = Phase{State: alerts.Unknown}
		}
		out.enter(e.At, shown)
	}
	return out
}

// turn follows an event of the rule and the target.
func (p *Phase) turn(kind collector.EventKind) {
	switch kind {
	case collector.EventPending:
		p.State = alerts.Pending
	case collector.EventFiring:
		p.State = alerts.Firing
	case collector.EventInactive:
		p.State = alerts.Inactive
	case collector.EventHeld:
		p.Held = true
	case collector.EventReleased:
		p.Held = false
	}
}

type phases []Phase

// enter begins a phase at an instant. Several changes in one instant are one.
func (ps *phases) enter(at time.Time, p Phase) {
	if n := len(*ps); n > 0 && (*ps)[n-1].From.Equal(at) {
		*ps = (*ps)[:n-1]
	}
	if n := len(*ps); n > 0 {
		last := &(*ps)[n-1]
		if last.To = (time.Time{}); last.State == p.State && last.Held == p.Held {
			return
		}
		last.To = at
	}
	p.From = at
	*ps = append(*ps, p)
}

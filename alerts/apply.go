package alerts

import (
	"time"

	"stormtop/collector"
)

// apply takes a verdict over into the entry of a rule and a target.
func (e *Engine) apply(ru *rule, t *track, v verdict) {
	en := t.entry(ru.idx)
	if !en.live() {
		if !v.result || v.failed {
			return
		}
		en = t.open(ru.idx, len(e.rules))
		en.atLeast = !t.judged || ru.born == e.n
	}
	if !v.failed {
		en.m.step(e.at, v.result, &ru.spec)
	}
	switch {
	case !v.certain:
		e.hold(ru, t, en, v.why)
	case en.waiting():
		en.heldWhy = WhySoon
	default:
		e.show(ru, t, en, v)
	}
	if v.certain && v.result && en.shown >= Pending {
		en.rise(v.value, ru.spec.Compare)
	}
}

// hold keeps what is shown as it is.
func (e *Engine) hold(ru *rule, t *track, en *entry, why Why) {
	en.heldWhy = why
	if en.held {
		return
	}
	en.held, en.heldSince = true, e.at
	e.emit(collector.EventHeld, ru, t, en.peak, heldText(en, why))
}

// show makes what is shown follow the state.
func (e *Engine) show(ru *rule, t *track, en *entry, v verdict) {
	if en.held {
		e.emit(collector.EventReleased, ru, t, v.value, releasedText(en, e.at))
	}
	was := en.shown
	if en.m.state == was {
		if was == Pending {
			en.activeAt = en.m.activeAt
		}
		en.held, en.heldSince, en.heldWhy = false, time.Time{}, WhyNone
		return
	}
	if en.m.state < Pending && was >= Pending {
		e.end(ru, t, en, v)
	}
	en.held, en.heldSince, en.heldWhy = false, time.Time{}, WhyNone
	en.shown, en.since = en.m.state, e.at
	switch en.shown {
	case Pending:
		en.activeAt, en.peak = en.m.activeAt, v.value
		e.emit(collector.EventPending, ru, t, v.value, pendingText(ru, en, v.value))
	case Firing:
		en.firedAt = e.at
		if was < Pending {
			en.activeAt, en.peak = en.m.activeAt, v.value
		}
		e.emit(collector.EventFiring, ru, t, v.value, firingText(ru, en, v.value))
	default:
		*en = entry{m: en.m, shown: Inactive, since: e.at}
	}
}

// end reports the end of what was shown, and keeps a firing as an episode.
func (e *Engine) end(ru *rule, t *track, en *entry, v verdict) {
	e.emit(collector.EventInactive, ru, t, v.value, endText(ru, en, e.at, v.why))
	if en.shown == Firing {
		e.remember(Episode{
			Rule: ru.spec.Name, Target: t.target, Pending: en.activeAt, Firing: en.firedAt,
			Ended: e.at, Peak: en.peak, Why: v.why,
		})
	}
}

func (e *Engine) emit(kind collector.EventKind, ru *rule, t *track, v collector.Value, text string) {
	e.events = append(e.events, collector.Event{
		At: e.at, Kind: kind, Rule: ru.spec.Name, Target: t.target.ID, Name: e.nameOf(t), Value: v, Text: text,
	})
}

// nameOf is the name by which an event tells a target: with its system where
// the same name may stand for two.
func (e *Engine) nameOf(t *track) string {
	if t.target.System == "" || !e.several() {
		return t.target.Name
	}
	return t.target.Name + " (" + collector.Clean(t.target.System) + ")"
}

// several reports whether there are, or were, targets of more than one system.
func (e *Engine) several() bool {
	for _, s := range e.systems {
		if s.name != e.systems[0].name {
			return true
		}
	}
	return e.last != nil && e.last.Origin != nil && e.last.Origin.Several()
}

// maxEpisodes bounds what Episodes remembers.
const maxEpisodes = 500

func (e *Engine) remember(ep Episode) {
	if len(e.episodes) >= 2*maxEpisodes {
		e.episodes = append(e.episodes[:0:0], e.episodes[len(e.episodes)-maxEpisodes:]...)
	}
	e.episodes = append(e.episodes, ep)
}

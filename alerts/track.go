package alerts

import (
	"time"

	"stormtop/collector"
)

// track is what is remembered of one target.
type track struct {
	target  collector.Target
	system  *system // of the target; that of the total for the total
	row     int     // its place in the last reading's targets, while read is the engine's
	read    uint64  // the last evaluation in which it was there
	readAt  time.Time
	judged  bool // some rule had a sample of it before
	live    bool // has a live entry
	entries []*entry
	match   []bool // which rules look at it; nil when all of them do
	calm    calm
	whole   time.Time // since when both sides of its ratio are there without a break; zero when they are not
	sampled time.Time // the last time they were, or could not be asked
}

// follow notes whether both sides of the target's ratio are there. A break is a
// reading that was taken, since the one before, without them; what could not be
// asked is none.
func (t *track) follow(e *Engine, v *collector.Values) {
	in, down := v[collector.Ingress].State, v[collector.Downstream].State
	if t.sampled.Before(e.sighted) {
		t.whole = time.Time{}
	}
	switch {
	case in == collector.Failed || down == collector.Failed:
	case in == collector.Missing || down == collector.Missing:
		t.whole = time.Time{}
		return
	case t.whole.IsZero():
		t.whole = e.at
	}
	t.sampled = e.at
}

// settled reports whether the target's rates cover a whole range: the rate of a
// counter that is scraped for less than its range is too low, and not by the
// same share on both sides.
func (t *track) settled(e *Engine) bool {
	return !t.whole.IsZero() && (e.last.Origin == nil || e.at.Sub(t.whole) >= e.last.Origin.RateRange)
}

// everJudged reports whether the target's system had a sample for a rule, or
// for both of those that it is made of, at some time.
func (t *track) everJudged(e *Engine, ru *rule) bool {
	if ru.pair {
		return t.system.sights[ru.both[0]].ever && t.system.sights[ru.both[1]].ever
	}
	return t.system.sights[ru.idx].ever
}

// entry is what is remembered of a rule on the target, or nil.
func (t *track) entry(i int) *entry {
	if i < len(t.entries) {
		return t.entries[i]
	}
	return nil
}

// open returns the entry of a rule, made when it is not there.
func (t *track) open(i, rules int) *entry {
	if t.entries == nil {
		t.entries = make([]*entry, rules)
	}
	if t.entries[i] == nil {
		t.entries[i] = &entry{shown: Inactive, m: machine{state: Inactive}}
	}
	return t.entries[i]
}

// anyLive reports whether any entry is live.
func (t *track) anyLive() bool {
	for _, en := range t.entries {
		if en.live() {
			return true
		}
	}
	return false
}

// forgetAfter is how long a target that is gone and calm is remembered.
const forgetAfter = time.Hour

// trackOf finds the track of a row, or makes it. Targets mostly keep their
// place from reading to reading, which saves the look-up.
func (e *Engine) trackOf(i int, target *collector.Target) *track {
	if i < len(e.order) && e.order[i].target.ID == target.ID {
		t := e.order[i]
		t.is(e, target)
		return t
	}
	t := e.tracks[target.ID]
	if t == nil {
		t = &track{}
		e.tracks[target.ID] = t
		t.target = *target
		e.matchAll(t)
	}
	t.is(e, target)
	if i < len(e.order) {
		e.order[i] = t
	} else if i == len(e.order) {
		e.order = append(e.order, t)
	}
	return t
}

// is takes over how a target is described now.
func (t *track) is(e *Engine, target *collector.Target) {
	t.target = *target
	if t.system == nil || !t.system.of(target) {
		t.system = e.systemOf(target)
	}
}

// matchAll settles once which rules look at a target.
func (e *Engine) matchAll(t *track) {
	t.match = nil
	if e.plain && t.target.ID != collector.TotalID {
		return
	}
	t.match = make([]bool, len(e.rules))
	for i, ru := range e.rules {
		t.match[i] = ru.matches(&t.target)
	}
}

func (t *track) matched(i int) bool { return t.match == nil || t.match[i] }

// sweep forgets targets that are long gone, sooner when they are many.
func (e *Engine) sweep(rows int) {
	crowded := len(e.tracks) > 2*rows+4096
	if !crowded && e.n%256 != 0 {
		return
	}
	for id, t := range e.tracks {
		if t.read != e.n && !t.live && (crowded || e.at.Sub(t.readAt) > forgetAfter) {
			delete(e.tracks, id)
			for _, ru := range e.rules {
				if ru.worst == t {
					ru.worst = nil
				}
			}
		}
	}
}

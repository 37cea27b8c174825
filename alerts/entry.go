package alerts

import (
	"time"

	"stormtop/collector"
)

// entry is what is remembered of one rule on one target, from the first time
// its condition held.
type entry struct {
	m       machine // Prometheus's state
	atLeast bool

	shown     State
	since     time.Time // when shown began; zero when that was not seen
	activeAt  time.Time // when the condition behind shown began to hold
	firedAt   time.Time
	peak      collector.Value
	held      bool
	heldSince time.Time
	heldWhy   Why
}

// live reports whether there is something to look after: an alert in state or
// in what is shown.
func (en *entry) live() bool { return en != nil && (en.m.state >= Pending || en.shown >= Pending) }

// waiting reports whether a firing that was held must stay so although there
// are samples again: the condition holds, and the gap alone started the clock
// of state anew. Ended by firing again, or by the condition being false.
func (en *entry) waiting() bool {
	return en.held && en.shown == Firing && en.m.state == Pending
}

// rise notes the value when it is the worst since the condition began to hold.
func (en *entry) rise(v collector.Value, c collector.Comparison) {
	if worse(v, en.peak, c) {
		en.peak = v
	}
}

// worse reports whether a is further beyond a threshold than b.
func worse(a, b collector.Value, c collector.Comparison) bool {
	x, ok := a.Float()
	if !ok || x != x {
		return false
	}
	y, ok := b.Float()
	if !ok || y != y {
		return true
	}
	if c == collector.Below || c == collector.AtMost {
		return x < y
	}
	return x > y
}

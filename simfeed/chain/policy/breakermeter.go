package policy

import (
	"time"

	"stormtop/simfeed/chain/draw"
)

// BreakerMeter is the state of a breaker at one edge.
type BreakerMeter struct {
	breaker Breaker
	state   State
	openTo  int64 // when an open one becomes half-open
	ramped  int64 // when the ramp began

	sent, back, failed int   // probes sent, answered, failed
	nextProbe          int64 // not before

	last  []bool // failures among the last calls, a ring
	at    int    // where the next one goes
	full  bool
	count int64 // results looked at
	bad   int64 // failures among them

	slices [breakerSlices]result // of the window, when it looks at a time
	slice  int64                 // the slice it is in
}

const breakerSlices = 10

type result struct{ count, bad int64 }

// Use makes it work by a breaker from now on. A breaker that is switched on, or
// that looks at something else than before, begins closed and empty.
func (m *BreakerMeter) Use(now int64, b Breaker) {
	old := m.breaker
	m.breaker = b
	if !b.acts() {
		m.state = NoBreaker
		return
	}
	if m.state == NoBreaker {
		m.state = Closed
	}
	if old.Calls != b.Calls || old.Window != b.Window || (b.Calls > 0) != (m.last != nil) {
		m.last, m.at, m.full = nil, 0, false
		if b.Calls > 0 {
			m.last = make([]bool, b.Calls)
		}
		m.empty()
	}
	if old.Force != b.Force && b.Force == ForceHalfOpen {
		m.probe(now)
	}
	if old.Force != b.Force && old.Force != NotForced && b.Force == NotForced && b.On {
		m.state = Closed
		m.empty()
	}
}

// acts reports whether the breaker can refuse anything.
func (b *Breaker) acts() bool { return b.On || b.Force != NotForced }

// Acts reports whether the breaker stands here, and where.
func (m *BreakerMeter) Acts() (acts, inside bool) { return m.state != NoBreaker, m.breaker.Inside }

func (m *BreakerMeter) empty() {
	m.count, m.bad, m.at, m.full = 0, 0, 0, false
	m.slices = [breakerSlices]result{}
}

func (m *BreakerMeter) probe(now int64) {
	m.state = HalfOpen
	m.sent, m.back, m.failed, m.nextProbe = 0, 0, 0, now
}

// Allow asks whether a call (or an attempt, when it stands inside) may pass,
// and whether it is a probe, whose result must be recorded or forgotten.
func (m *BreakerMeter) Allow(now int64, from *draw.Stream) (ok, probe bool) {
	b := &m.breaker
	switch b.Force {
	case ForceOpen:
		return false, false
	case ForceClosed:
		return true, false
	case ForceShare:
		return from.Float64() < b.Pass, false
	}
	switch m.state {
	case Open:
		if now < m.openTo {
			return false, false
		}
		m.probe(now)
	case Ramping:
		passed := now - m.ramped
		if passed >= int64(b.Ramp) {
			m.state = Closed
			return true, false
		}
		return float64(from.Float64()*float64(b.Ramp)) < float64(passed), false
	case HalfOpen:
	default:
		return true, false
	}
	if m.sent >= b.Probes || now < m.nextProbe {
		return false, false
	}
	m.sent++
	if b.Gap > 0 {
		m.nextProbe = now + int64(b.Gap/2) + int64(from.Below(b.Gap))
	}
	return true, true
}

// Forget is a probe that will have no result.
func (m *BreakerMeter) Forget() {
	if m.state == HalfOpen && m.sent > m.back {
		m.sent--
	}
}

// Record is the result of what was allowed.
func (m *BreakerMeter) Record(now int64, failure, probe bool) {
	switch {
	case m.state == HalfOpen && probe:
		m.recordProbe(now, failure)
	case m.state == Closed || m.state == Ramping:
		m.record(now, failure)
		if m.count >= int64(m.breaker.Minimum) && float64(m.bad) >= m.breaker.Failures*float64(m.count) && m.bad > 0 && m.breaker.On {
			m.open(now)
		}
	}
}

func (m *BreakerMeter) open(now int64) {
	m.state = Open
	m.openTo = now + int64(m.breaker.Cooldown)
	m.empty()
}

func (m *BreakerMeter) recordProbe(now int64, failure bool) {
	b := &m.breaker
	m.back++
	if failure {
		m.failed++
	}
	switch {
	case failure && !b.Lenient:
		m.open(now)
	case m.back < b.Probes:
	case float64(m.failed) >= b.Failures*float64(m.back) && m.failed > 0:
		m.open(now)
	case b.Ramp > 0:
		m.state, m.ramped = Ramping, now
		m.empty()
	default:
		m.state = Closed
		m.empty()
	}
}

func (m *BreakerMeter) record(now int64, failure bool) {
	bad := int64(0)
	if failure {
		bad = 1
	}
	if m.last != nil {
		if m.full {
			m.count--
			if m.last[m.at] {
				m.bad--
			}
		}
		m.last[m.at] = failure
		if m.at++; m.at == len(m.last) {
			m.at, m.full = 0, true
		}
	} else {
		m.slide(now)
		s := &m.slices[m.slice%breakerSlices]
		s.count++
		s.bad += bad
	}
	m.count++
	m.bad += bad
}

// slide forgets the slices that left the window.
func (m *BreakerMeter) slide(now int64) {
	slice := now / max(int64(m.breaker.Window)/breakerSlices, 1)
	for range min(slice-m.slice, breakerSlices) {
		m.slice++
		s := &m.slices[m.slice%breakerSlices]
		m.count -= s.count
		m.bad -= s.bad
		*s = result{}
	}
	m.slice = slice
}

// Status is the state now and the share that passes.
func (m *BreakerMeter) Status(now int64) (State, float64) {
	b := &m.breaker
	switch {
	case m.state == NoBreaker:
		return NoBreaker, 1
	case b.Force == ForceOpen:
		return Open, 0
	case b.Force == ForceClosed:
		return Closed, 1
	case b.Force == ForceShare:
		return Ramping, b.Pass
	}
	switch m.state {
	case Open, HalfOpen:
		return m.state, 0
	case Ramping:
		return Ramping, min(float64(now-m.ramped)/float64(max(b.Ramp, time.Nanosecond)), 1)
	}
	return m.state, 1
}

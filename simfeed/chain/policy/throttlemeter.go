package policy

import "stormtop/simfeed/chain/draw"

// ThrottleMeter is the state of an adaptive throttle at one edge.
type ThrottleMeter struct {
	throttle AdaptiveThrottle
	tally    *Tally // made when it is first switched on
}

// Use makes it work by a throttle from now on.
func (m *ThrottleMeter) Use(now int64, t AdaptiveThrottle) {
	m.throttle = t
	if t.On {
		if m.tally == nil {
			m.tally = &Tally{}
		}
		m.tally.Span(now, t.Window)
	}
}

// Allow asks whether an attempt may be sent, and counts it either way.
func (m *ThrottleMeter) Allow(now int64, from *draw.Stream) bool {
	if !m.throttle.On {
		return true
	}
	refuse := m.Refusal(now)
	m.tally.Original(now)
	return refuse <= 0 || from.Float64() >= refuse
}

// Refusal is the probability that the next attempt is refused.
func (m *ThrottleMeter) Refusal(now int64) float64 {
	if !m.throttle.On {
		return 0
	}
	m.tally.Advance(now)
	requests, accepts := float64(m.tally.Sum.Originals), float64(m.tally.Sum.Answers)
	return max(0, (requests-float64(m.throttle.K*accepts))/(requests+1))
}

// Result is the outcome of an attempt that was sent: the callee accepted it
// when it answered at all, be it with an error.
func (m *ThrottleMeter) Result(now int64, o Outcome) {
	if m.throttle.On && (o == OK || o == Error) {
		m.tally.Answer(now)
	}
}

package chain

import "time"

// maxPlan is how many seconds ahead a retry can have its place reserved. The
// ring of as many seconds holds no second twice.
const maxPlan = 64

// places are those below the limit of a service that are reserved in a second.
type places struct {
	second int64
	taken  float64
}

// reserved is the places that are taken in a second.
func (s *service) reserved(second int64) float64 {
	if p := &s.places[second%maxPlan]; p.second == second {
		return p.taken
	}
	return 0
}

// reserve takes a place at a later time, where one is left.
func (s *service) reserve(now, at int64) bool {
	if !s.config.Reserve {
		return false
	}
	second := at / int64(time.Second)
	if second-now/int64(time.Second) >= maxPlan {
		return false
	}
	taken := s.reserved(second)
	let := 0.0
	if second == s.second {
		let = s.let
	}
	if let+taken+1 > s.config.Limit {
		return false
	}
	s.places[second%maxPlan] = places{second, taken + 1}
	return true
}

// usesPlace reports whether a place was reserved for work that arrives, and
// takes it away.
func (e *Engine) usesPlace(w *work) bool {
	if w.call == none || w.token != e.tokens[w.call] {
		return false
	}
	c := &e.calls.all[w.call]
	held := c.holds&holdsPlace != 0
	c.holds &^= holdsPlace
	return held
}

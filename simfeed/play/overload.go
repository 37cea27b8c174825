package play

import (
	"slices"

	"stormtop/simfeed/chain"
	"stormtop/simfeed/scenario"
)

// full is how much of a second the slots of a service are busy when there is no
// room for more.
const full = 0.995

// overloaded reports whether, in a second, more was asked of a service of the
// watched path than it could do: it was down, it refused because it was full, or
// all of its slots were busy all the time.
func overloaded(w *chain.Window, s *scenario.Scenario) bool {
	class, _ := s.Watched()
	path := pathOf(s, class)
	for i := range w.Services {
		v := &w.Services[i]
		if !slices.Contains(path, v.Service) {
			continue
		}
		if v.Down || v.Slots > 0 && v.MeanBusy >= full*float64(v.Slots) {
			return true
		}
	}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		if !slices.Contains(path, n.Service) {
			continue
		}
		for _, why := range []chain.Reason{chain.QueueFull, chain.QueueTimeout, chain.LimitExceeded, chain.ServiceDown} {
			if n.Rejected[why] > 0 {
				return true
			}
		}
	}
	return false
}

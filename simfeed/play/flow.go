package play

import (
	"math"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// averaged is how many seconds a gain is the mean of. In one second the attempts
// are not those of the calls that began in it: a call's retries come later, and in
// a storm most of a second's attempts are of calls before it.
const averaged = 10

// clearly is how much more another hop must save before it is the one to cut
// first.
const clearly = 1.1

// flow is what flowed along the watched path in a second.
type flow struct {
	calls, attempts []int64 // by hop, from the edge inwards
	ingress, down   int64
}

// flows are the newest seconds, of the goroutine that reads the feed. The zero
// value has seen none.
type flows struct {
	recent []flow
	first  int // the hop to cut first, when chosen
	chosen bool
}

// add takes a second.
func (f *flows) add(w *chain.Window, class, service string, path []string) {
	var now flow
	if s, ok := w.Signals(class, service); ok {
		now.ingress, now.down = s.Ingress, s.Downstream
	}
	for i := range len(path) - 1 {
		calls, attempts := int64(0), int64(0)
		if h := w.Hop(class, path[i], path[i+1]); h != nil {
			calls, attempts = h.Requests, h.Attempts
		}
		now.calls, now.attempts = append(now.calls, calls), append(now.attempts, attempts)
	}
	f.recent = append(f.recent, now)
	if len(f.recent) > averaged {
		f.recent = f.recent[1:]
	}
}

// put puts the means into a picture: measured, gains, what a cut saves, and where
// to cut first.
func (f *flows) put(rig *collector.Rig) {
	ingress, down := int64(0), int64(0)
	for _, s := range f.recent {
		ingress, down = ingress+s.ingress, down+s.down
	}
	rig.Measured = part(down, ingress)
	best := -1
	for i := range rig.Hops {
		h := &rig.Hops[i]
		calls, attempts := int64(0), int64(0)
		for _, s := range f.recent {
			calls, attempts = calls+s.calls[i], attempts+s.attempts[i]
		}
		if h.Gain = part(attempts, calls); h.Gain > 1 {
			h.Saves = float64(down) / float64(len(f.recent)) * (1 - 1/h.Gain)
		}
		if h.Saves > 0 && (best < 0 || h.Saves > rig.Hops[best].Saves) {
			best = i
		}
	}
	switch {
	case best < 0:
		f.chosen = false
		return
	case !f.chosen || rig.Hops[best].Saves > clearly*rig.Hops[f.first].Saves:
		f.first, f.chosen = best, true
	}
	rig.Hops[f.first].First = true
}

// part is a quotient, NaN where there is nothing to divide by.
func part(a, b int64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

package play

import (
	"math"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/chain/policy"
)

// averaged is how many seconds the numbers of a picture are the means of. In one
// second the attempts are not those of the calls that began in it: a call's retries
// come later, and in a storm most of a second's attempts are of calls before it.
const averaged = 10

// clearly is how much more another hop must save before it is the one to cut
// first.
const clearly = 1.1

// noticed is how many attempts for each request a cut must save: less is no reason
// to cut anything.
const noticed = 0.01

// flows are the newest seconds, of the goroutine that reads the feed. The zero
// value has seen none.
type flows struct {
	recent []*chain.Window
	first  int // the hop to cut first, when chosen
	chosen bool
}

// add takes a second.
func (f *flows) add(w *chain.Window) {
	if f.recent = append(f.recent, w); len(f.recent) > averaged {
		f.recent = f.recent[1:]
	}
}

// seconds is how long the numbers are the means of.
func (f *flows) seconds() float64 { return float64(len(f.recent)) }

// put puts what flows along the watched path into a picture: rates, gains and
// bounds of its hops, what a cut saves, and where to cut first.
func (f *flows) put(rig *collector.Rig, now *chain.Scenario) {
	class, service := now.Watched()
	var ingress, down, completed, wasted int64
	for _, w := range f.recent {
		if s, ok := w.Signals(class, service); ok {
			ingress, down = ingress+s.Ingress, down+s.Downstream
		}
		if n := w.Node(class, service); n != nil {
			completed, wasted = completed+n.Completed, wasted+n.Wasted
		}
	}
	rig.Mean = time.Duration(len(f.recent)) * time.Second
	rig.Ingress = float64(ingress) / f.seconds()
	rig.Measured, rig.Wasted, rig.Worst, rig.Bound = part(down, ingress), part(wasted, completed), 1, 1
	for i := range rig.Hops {
		h := &rig.Hops[i]
		f.hop(h, now, class)
		if saves := float64(down) / f.seconds() * (1 - 1/h.Gain); h.Gain > 1 && saves >= noticed*rig.Ingress {
			h.Saves = saves
		}
		rig.Worst *= h.FanOut * float64(h.Permitted)
		rig.Bound *= h.FanOut * h.Bound
	}
	f.choose(rig)
}

// choose marks the hop to cut first.
func (f *flows) choose(rig *collector.Rig) {
	best := -1
	for i := range rig.Hops {
		if h := &rig.Hops[i]; h.Saves > 0 && (best < 0 || h.Saves > rig.Hops[best].Saves) {
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

// hop puts the means of a class at a hop into its picture.
func (f *flows) hop(h *collector.RigHop, now *chain.Scenario, class string) {
	_, p := policyAt(now, class, h.From, h.To)
	var calls, attempts, refused, waits int64
	var shared, waited float64
	for _, w := range f.recent {
		shared += sharing(w, now, class, h.From, h.To)
		x := w.Hop(class, h.From, h.To)
		if x == nil {
			continue
		}
		calls, attempts = calls+x.Requests, attempts+x.Attempts
		for i, n := range x.ByAttempt {
			if i == len(h.ByAttempt) {
				h.ByAttempt = append(h.ByAttempt, 0)
			}
			h.ByAttempt[i] += float64(n) / f.seconds()
		}
		for _, n := range x.Rejected {
			refused += n
		}
		if hasPool(p) {
			waits += x.PoolWait.Count + x.Rejected[chain.PoolTimeout]
			waited += poolSeconds(x, p.Pool.Timeout.Seconds())
		}
	}
	h.Requests, h.Attempts, h.Refused = float64(calls)/f.seconds(), float64(attempts)/f.seconds(), float64(refused)/f.seconds()
	h.Gain = part(attempts, calls)
	if hasPool(p) && (waits > 0 || h.PoolQueue == 0) {
		h.PoolWait = collector.Num(waited/float64(max(waits, 1)), collector.Seconds, collector.Exact)
	}
	if p != nil {
		h.Bound = p.Bound(policy.Load{Calls: h.Requests, Shared: shared / f.seconds(), Active: float64(h.InFlight + h.PoolQueue)})
	}
}

// sharing is the calls at a hop in a window of all classes that share the policy
// of one.
func sharing(w *chain.Window, now *chain.Scenario, class, from, to string) (calls float64) {
	_, p := policyAt(now, class, from, to)
	for i := range w.Hops {
		h := &w.Hops[i]
		if h.From != from || h.To != to {
			continue
		}
		if _, other := policyAt(now, h.Class, from, to); other == p {
			calls += float64(h.Requests)
		}
	}
	return calls
}

// class is how the requests of a class fare.
func (f *flows) class(name string, pending int) collector.RigClass {
	var requests, delivered int64
	for _, w := range f.recent {
		if c := w.Class(name); c != nil {
			requests, delivered = requests+c.Requests, delivered+c.Delivered
		}
	}
	return collector.RigClass{
		Name: name, Ingress: float64(requests) / f.seconds(), Delivered: part(delivered, requests), Pending: pending,
	}
}

// part is a quotient, NaN where there is nothing to divide by.
func part(a, b int64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

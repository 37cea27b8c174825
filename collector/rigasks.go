package collector

import (
	"cmp"
	"math"
)

// Product is the fan-outs and the gains of all hops multiplied: the attempts at
// the last hop for each request at the edge, if every attempt that arrives calls
// on as the hop below counts its calls. It is NaN when a gain is not known, or
// without hops.
func (r *Rig) Product() float64 {
	if len(r.Hops) == 0 {
		return math.NaN()
	}
	product := 1.0
	for i := range r.Hops {
		product *= r.Hops[i].FanOut * r.Hops[i].Gain
	}
	return product
}

// FanOut is the fan-outs of all hops multiplied: the attempts at the last hop for
// each request at the edge without any retry.
func (r *Rig) FanOut() float64 {
	product := 1.0
	for i := range r.Hops {
		product *= r.Hops[i].FanOut
	}
	return product
}

// Cut is the place in Hops of the hop to cut first: the one that is said to be
// (First), else the one whose retries cost the last one most; ok is false where no
// retries cost anything.
func (r *Rig) Cut() (i int, ok bool) {
	for j := range r.Hops {
		if r.Hops[j].First && r.Hops[j].Saves > 0 {
			return j, true
		}
	}
	for j := range r.Hops {
		if saves := r.Hops[j].Saves; saves > 0 && (!ok || saves > r.Hops[i].Saves) {
			i, ok = j, true
		}
	}
	return i, ok
}

// NextRepair is the place in Repairs of the first one that is not done and does
// not make things worse; ok is false when there is none left.
func (r *Rig) NextRepair() (i int, ok bool) {
	for i := range r.Repairs {
		if !r.Repairs[i].Done && !r.Repairs[i].Wrong {
			return i, true
		}
	}
	return 0, false
}

// Fault is the place in Faults of the first one of a kind.
func (r *Rig) Fault(kind FaultKind) (i int, ok bool) {
	for i := range r.Faults {
		if r.Faults[i].Kind == kind {
			return i, true
		}
	}
	return 0, false
}

// Turned is the value that switches the fault the other way.
func (f *Fault) Turned() string {
	if f.Is {
		return f.Off
	}
	return f.On
}

// StepDown is where a step down leads, in words; "" at the end.
func (l *Lever) StepDown() string { return cmp.Or(l.LessWord, l.Less) }

// StepUp is where a step up leads, in words; "" at the end.
func (l *Lever) StepUp() string { return cmp.Or(l.MoreWord, l.More) }

package watchtest

import (
	"slices"
	"time"

	"stormtop/collector"
)

// Edit returns a copy of a reading in which every target was changed by f. The
// derived signals and the total follow from the changed inputs; a derived
// signal that f sets wins.
func Edit(r *collector.Reading, f func(row *collector.Row)) *collector.Reading {
	out := *r
	out.Targets = slices.Clone(r.Targets)
	for i := range out.Targets {
		for s := collector.Amplification; s < collector.NumSignals; s++ {
			out.Targets[i].Values[s] = collector.Value{}
		}
		f(&out.Targets[i])
	}
	seal(&out)
	return &out
}

// EditAll is Edit for many readings.
func EditAll(rs []*collector.Reading, f func(row *collector.Row)) []*collector.Reading {
	out := make([]*collector.Reading, len(rs))
	for i, r := range rs {
		out[i] = Edit(r, f)
	}
	return out
}

// seal fills the derived signals and the total.
func seal(r *collector.Reading) {
	r.Total = collector.Row{Target: collector.Target{Name: "all"}}
	baseline := r.Origin.Baseline
	for i := range r.Targets {
		r.Targets[i].Values.Derive(baseline)
		for _, s := range collector.Inputs() {
			r.Total.Values[s] = sum(s, r.Total.Values[s], r.Targets[i].Values[s])
		}
	}
	r.Total.Values.Derive(baseline)
}

// sum adds what is known; the pool wait of the total is the worst.
func sum(s collector.Signal, a, b collector.Value) collector.Value {
	switch {
	case a.State == collector.Missing:
		return b
	case b.State == collector.Missing:
		return a
	case !a.State.HasNumber():
		return a
	case !b.State.HasNumber():
		return b
	}
	a.State = max(a.State, b.State)
	a.Trust = max(a.Trust, b.Trust)
	if s == collector.PoolWait {
		a.V = max(a.V, b.V)
	} else {
		a.V += b.V
	}
	return a
}

// Blind is a reading at an offset from Start in which nothing could be read.
func Blind(at time.Duration, f collector.Failure) *collector.Reading {
	failed := collector.Row{Target: collector.Target{Name: "all"}}
	for _, s := range collector.Signals() {
		failed.Values[s] = collector.Value{State: collector.Failed, Unit: s.Unit()}
	}
	return &collector.Reading{
		At: Start.Add(at), Origin: Origin(), Total: failed, Failures: []collector.Failure{f},
	}
}

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
	for i := range r.Targets {
		row := &r.Targets[i]
		row.Baseline = r.Origin.Baselines.For(row.Target)
		row.Values.Derive(row.Baseline)
	}
	r.Total = collector.Total(r.Targets)
}

// Blind is a reading at an offset from Start in which nothing could be read.
func Blind(at time.Duration, f collector.Failure) *collector.Reading {
	failed := collector.Total(nil)
	for _, s := range collector.Signals() {
		failed.Values[s] = collector.Value{State: collector.Failed, Unit: s.Unit()}
	}
	return &collector.Reading{
		At: Start.Add(at), Origin: Origin(), Total: failed, Failures: []collector.Failure{f},
	}
}

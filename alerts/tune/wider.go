package tune

import (
	"errors"
	"fmt"
	"time"

	"stormtop/collector"
)

// Wider makes readings of which the rates have a longer range out of raw ones:
// readings whose rates reach back no further than to the reading before, as
// those of a simulation. The rates are averaged, of everything else the newest
// value counts, and ratios follow from the averages.
type Wider struct {
	rate   time.Duration
	origin *collector.Origin // what the new one was made of
	wide   *collector.Origin
	past   []*collector.Reading // of the last range, oldest first
}

// NewWider checks that the readings that an origin describes can be made wider.
func NewWider(o *collector.Origin, rate time.Duration) (*Wider, error) {
	switch {
	case o == nil:
		return nil, errors.New("nothing is known of how these rates were taken")
	case rate < o.RateRange:
		return nil, fmt.Errorf("the rates have a range of %s already: a shorter one cannot be made of them", collector.FormatInterval(o.RateRange))
	case rate > o.RateRange && o.RateRange > o.Interval:
		return nil, fmt.Errorf("the rates have a range of %s: another one needs the raw counters, as from --prom or a simulation", collector.FormatInterval(o.RateRange))
	}
	return &Wider{rate: rate}, nil
}

// Next is the reading with the longer range.
func (w *Wider) Next(r *collector.Reading) *collector.Reading {
	if r.Begins {
		w.past = nil
	}
	for len(w.past) > 0 && !w.past[0].At.After(r.At.Add(-w.rate)) {
		w.past = w.past[1:]
	}
	w.past = append(w.past, r)
	out := *r
	if r.Origin != w.origin && r.Origin != nil {
		wide := *r.Origin
		wide.RateRange = w.rate
		w.origin, w.wide = r.Origin, &wide
	}
	if w.wide != nil {
		out.Origin = w.wide
	}
	out.Targets = make([]collector.Row, len(r.Targets))
	for i := range r.Targets {
		out.Targets[i] = w.row(&r.Targets[i])
	}
	out.Total = collector.Total(out.Targets)
	out.Total.Target = r.Total.Target
	return &out
}

// row averages the rates of one target.
func (w *Wider) row(now *collector.Row) collector.Row {
	out := collector.Row{Target: now.Target, Baseline: now.Baseline}
	for _, s := range collector.Inputs() {
		out.Values[s] = now.Values[s]
		if now.Values[s].Unit != collector.PerSecond || now.Values[s].State != collector.Ok {
			continue
		}
		sum, n := 0.0, 0
		for _, r := range w.past {
			if row, ok := r.Row(now.Target.ID); ok {
				if v, ok := row.Values[s].Number(); ok {
					sum, n = sum+v, n+1
				}
			}
		}
		out.Values[s].V = sum / float64(n)
	}
	out.Values.Derive(now.Baseline)
	return out
}

package trial

import (
	"iter"
	"time"

	"stormtop/alerts/tune"
	"stormtop/collector"
)

// Lens says how readings are looked at: with another range of the rates, and as
// a server would see them that evaluates at another interval. What is 0 stays as
// it was read.
type Lens struct{ Rate, Every time.Duration }

// through are the histories of the rules through a lens.
func (p *Past) through(l Lens, readings iter.Seq[*collector.Reading], o *collector.Origin) ([]*tune.History, error) {
	out := p.histories
	if l.Rate != 0 && l.Rate != o.RateRange {
		w, err := tune.NewWider(o, l.Rate)
		if err != nil {
			return nil, err
		}
		b := tune.NewBuilder(p.rules)
		for r := range readings {
			b.Add(w.Next(r))
		}
		out = make([]*tune.History, len(p.rules))
		for i := range out {
			out[i] = b.History(i)
			out[i].Incidents = p.histories[i].Incidents
		}
	}
	if l.Every == 0 {
		return out, nil
	}
	seldom := make([]*tune.History, len(out))
	for i := range out {
		var err error
		if seldom[i], err = out[i].Every(l.Every); err != nil {
			return nil, err
		}
	}
	return seldom, nil
}

// NextRate is the range of the rates that a step leads to; without one it stays.
// A longer one can be made of readings whose rates reach back to the reading
// before only.
func NextRate(o *collector.Origin, l Lens, up bool) time.Duration {
	is := l.Rate
	if is == 0 {
		is = o.RateRange
	}
	to := tune.NextFor(is, up, o.RateRange)
	if to == is || to < o.RateRange {
		return is
	}
	if _, err := tune.NewWider(o, to); err != nil {
		return is
	}
	return to
}

// NextEvery is the interval of evaluations that a step leads to: a multiple of
// the time between readings.
func NextEvery(o *collector.Origin, l Lens, up bool) time.Duration {
	is := l.Every
	if is == 0 {
		is = o.Interval
	}
	for to, before := tune.NextFor(is, up, o.Interval), is; to != before && o.Interval > 0; to, before = tune.NextFor(to, up, o.Interval), to {
		if to < o.Interval {
			return is
		}
		if to%o.Interval == 0 {
			return to
		}
	}
	return is
}

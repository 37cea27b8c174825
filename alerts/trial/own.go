package trial

import (
	"slices"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

// Own is one of people's own rules with its past.
type Own struct {
	// Rule is as collector.OwnRule.Spec, with the numbers in force; its name tells
	// it from all others.
	Rule    collector.RuleSpec
	History *tune.History // tune.Own
	Tunable bool          // it is compared with a number; else only for and keep can be turned
}

// Join puts one of people's own rules beside those that the past was made for: it
// is judged by the same incidents, and may be what warns first. It is looked at
// through a lens, of which the range of the rates says nothing: that stands in the
// expression.
func (p *Past) Join(o Own, lens Lens) {
	h := *o.History
	if from, to := h.Span(); p.from.IsZero() { // there are no readings: it is judged alone
		p.incidents, p.begun = tune.Split(p.incidents, from, to, h.Step())
	}
	h.Incidents, h.Begun = p.incidents, p.begun
	if p.own > 0 {
		h.RateRange = p.histories[0].RateRange // the expression reaches back as far as ours, for all that is known
	}
	unit := collector.NoUnit
	if !o.Tunable {
		unit = collector.Count // a sample is there, or it is not
	}
	p.rules, p.units = append(p.rules, o.Rule), append(p.units, unit)
	lensed := &h
	if lens.Every != 0 {
		seldom, err := h.Every(lens.Every)
		if err != nil {
			p.problem = err.Error()
		} else {
			lensed = seldom
		}
	}
	p.histories = append(slices.Clone(p.histories), &h)
	p.lensed = append(slices.Clone(p.lensed), lensed)
}

// fixed reports whether the threshold of a rule cannot be turned.
func (p *Past) fixed(at int) bool { return at >= p.own && p.units[at] == collector.Count }

// Seen is the series that one of people's own rules fired on first; where it
// fires on none, the one that came nearest.
type Seen struct {
	Target collector.Target
	Values collector.Series
}

// seen finds it by the numbers that are turned, else by those in force.
func seen(h *tune.History, a *Answer) *Seen {
	if len(h.Courses) == 0 {
		return nil
	}
	id := ""
	for _, list := range [][]tune.Episode{a.Before.Episodes, a.Now.Episodes} {
		if len(list) > 0 {
			id = list[0].Target.ID
		}
	}
	best := 0
	for i := range h.Courses {
		if h.Courses[i].Target.ID == id {
			best = i
			break
		}
		if id == "" && nearer(&h.Courses[i], &h.Courses[best], &a.Now.Rule) {
			best = i
		}
	}
	c := &h.Courses[best]
	at, values := make([]time.Time, c.Len()), make([]collector.Value, c.Len())
	for i := range at {
		at[i] = c.Time(i)
		switch s := c.Sample(i); {
		case s.Value == s.Value:
			values[i] = collector.Num(s.Value, collector.NoUnit, collector.Exact)
		case s.Why == alerts.WhyFalse: // no sample is what it says when it does not hold
			values[i] = collector.Num(0, collector.NoUnit, collector.Exact)
		case s.Why == alerts.WhyIdle:
			values[i] = collector.Value{State: collector.Idle}
		default:
			values[i] = collector.Value{State: collector.Missing}
		}
	}
	return &Seen{c.Target, collector.NewSeries(at, values)}
}

// nearer reports whether a series came nearer to firing than another one.
func nearer(a, b *tune.Course, r *collector.RuleSpec) bool {
	x, okX := farthest(a, r)
	y, okY := farthest(b, r)
	return okX && (!okY || x > y)
}

// farthest is the largest value of a series, the smallest with its sign turned
// where small ones are what a rule warns of.
func farthest(c *tune.Course, r *collector.RuleSpec) (out float64, ok bool) {
	sign := 1.0
	if r.Compare == collector.Below || r.Compare == collector.AtMost {
		sign = -1
	}
	for i := range c.Len() {
		if v := sign * c.Sample(i).Value; v == v && (!ok || v > out) {
			out, ok = v, true
		}
	}
	return out, ok
}

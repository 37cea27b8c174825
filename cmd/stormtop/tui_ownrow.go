package main

import (
	"time"

	"stormtop/alerts"
	"stormtop/alerts/tune"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/views"
)

// ownRow is what is known of a rule before its past was read.
func ownRow(r *collector.OwnRule) views.OwnRule {
	spec := r.Spec()
	return views.OwnRule{
		Name: r.Name, Group: r.Group, From: placeOfOwn(r.From), Tunable: r.Tunable, Compare: spec.Compare, Threshold: spec.Threshold,
		For: r.For, Keep: r.Keep, Severity: r.Severity, Server: r.State, ServerSince: r.Since,
	}
}

// ownPast is what the expression of a rule was at times, ascending.
type ownPast struct {
	at      []time.Time
	courses []tune.Values
	place   map[string]int // of a series among courses, by its labels
}

// add puts a stretch behind what there is.
func (p *ownPast) add(got *prom.Ranged) {
	if p.place == nil {
		p.place = map[string]int{}
	}
	n := len(p.at)
	for i := range got.Steps {
		p.at = append(p.at, got.Time(i))
	}
	for _, c := range got.Courses {
		id := collector.NewTarget(collector.Hop, c.Labels...).ID
		k, known := p.place[id]
		if !known {
			k = len(p.courses)
			p.place[id] = k
			p.courses = append(p.courses, tune.Values{Labels: c.Labels, Values: make([]float64, n), Has: make([]bool, n)})
		}
		to := &p.courses[k]
		to.Values, to.Has = append(to.Values, c.Values...), append(to.Has, c.Has...)
	}
	for k := range p.courses { // those that have no sample in it
		c := &p.courses[k]
		for len(c.Has) < len(p.at) {
			c.Values, c.Has = append(c.Values, 0), append(c.Has, false)
		}
	}
}

// judge fills in the states that a rule comes to.
func (p *ownPast) judge(row *views.OwnRule, r *collector.OwnRule) {
	h, spec := tune.Own(r, p.at, p.courses), r.Spec()
	states := make([]alerts.State, len(p.at))
	if len(states) == 0 {
		return
	}
	if !r.Tunable { // no sample is what it says when it does not hold
		for i := range states {
			states[i] = alerts.Inactive
		}
	}
	last, worst := len(states)-1, -1
	var at []alerts.State   // of the worst series
	latest, shown := -1, -1 // when one was active last, and which
	for k := range h.Courses {
		course, is := &p.courses[k], tune.States(&h.Courses[k], spec)
		for i, s := range is {
			if s > alerts.Inactive || course.Has[i] {
				states[i] = max(states[i], s)
			}
		}
		if is[last] >= alerts.Pending {
			row.Active++
		}
		for i := last; i > latest; i-- {
			if is[i] >= alerts.Pending {
				latest, shown = i, k
			}
		}
		if worst < 0 || worseOwn(&spec, is[last], course, at[last], &p.courses[worst], last) {
			worst, at = k, is
		}
	}
	row.State, row.History = states[last], p.phases(states)
	if worst < 0 {
		if r.Tunable {
			row.Error = "its expression has no series here: whether it holds is not known"
		}
		return
	}
	if shown < 0 || row.State >= alerts.Pending {
		shown = worst
	}
	row.Course, row.CourseOf = p.course(shown), h.Courses[shown].Target.Name
	if c := &p.courses[worst]; c.Has[last] {
		row.Value, row.HasValue = c.Values[last], true
	} else if row.State == alerts.Unknown {
		row.Error = "its expression has no sample at present: whether it holds is not known"
	}
	if row.State >= alerts.Pending {
		row.Labels = h.Courses[worst].Target.Name
		i := last
		for i > 0 && at[i-1] == at[last] {
			i--
		}
		row.Since, row.AtLeast = p.at[i], i == 0
	}
}

// course is one series, as a chart shows it.
func (p *ownPast) course(k int) collector.Series {
	values := make([]collector.Value, len(p.at))
	for i := range values {
		if p.courses[k].Has[i] {
			values[i] = collector.Num(p.courses[k].Values[i], collector.NoUnit, collector.Exact)
		}
	}
	return collector.NewSeries(p.at, values)
}

// worseOwn reports whether a series is worse than the worst one until now: by
// its state, else by being there, else by its value.
func worseOwn(spec *collector.RuleSpec, state alerts.State, c *tune.Values, than alerts.State, w *tune.Values, last int) bool {
	switch {
	case state != than:
		return state > than
	case c.Has[last] != w.Has[last]:
		return c.Has[last]
	case spec.Compare == collector.Below || spec.Compare == collector.AtMost:
		return c.Values[last] < w.Values[last]
	}
	return c.Values[last] > w.Values[last]
}

// phases joins equal states that follow each other.
func (p *ownPast) phases(states []alerts.State) []views.OwnPhase {
	var out []views.OwnPhase
	for i, s := range states {
		to := p.at[min(i+1, len(p.at)-1)]
		if n := len(out); n > 0 && out[n-1].State == s {
			out[n-1].To = to
			continue
		}
		out = append(out, views.OwnPhase{From: p.at[i], To: to, State: s})
	}
	return out
}

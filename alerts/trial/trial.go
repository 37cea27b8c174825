// Package trial judges what a screen remembers by a rule with other numbers,
// while they are turned by keys: what would have been found, how early, and how
// often for nothing. It has no clock and does no IO.
package trial

import (
	"iter"
	"slices"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

// Past is a stretch of time as the rules saw it, made ready to be judged again
// and again. It belongs to one goroutine.
type Past struct {
	rules     []collector.RuleSpec // those in force, people's own behind ours
	own       int                  // how many of ours there are: the place of the first of people's own
	incidents []tune.Incident      // that the readings can be judged by
	begun     []tune.Incident      // that began before them
	histories []*tune.History      // by rule, as it was read
	lensed    []*tune.History      // by rule, through the lens
	problem   string               // why the lens is not used; "" else
	from, to  time.Time
	units     []collector.Unit       // of the signals of the rules, as they were seen
	before    map[string]tune.Result // of rules in force, as it was read
	others    map[string]tune.Result // the same through the lens
	land      *Landscape             // the last one that was made
	landOf    collector.RuleSpec
}

// New takes in readings, oldest first, and the incidents that are known, of which
// it is judged by those that begin within the time of the readings (tune.Split).
// Readings may be asked for twice.
func New(rules []collector.RuleSpec, readings iter.Seq[*collector.Reading], incidents []tune.Incident, lens Lens) *Past {
	p := &Past{
		rules: slices.Clone(rules), units: make([]collector.Unit, len(rules)),
		before: map[string]tune.Result{}, others: map[string]tune.Result{},
	}
	b := tune.NewBuilder(p.rules)
	var origin *collector.Origin
	for r := range readings {
		if p.from.IsZero() {
			p.from, origin = r.At, r.Origin
		}
		p.to = r.At
		b.Add(r)
		p.look(r)
	}
	p.own = len(p.rules)
	p.incidents = tune.Sorted(incidents)
	if !p.from.IsZero() {
		p.incidents, p.begun = tune.Split(incidents, p.from, p.to, b.Step())
	}
	for i := range p.rules {
		h := b.History(i)
		h.Incidents, h.Begun = p.incidents, p.begun
		p.histories = append(p.histories, h)
		if p.units[i] == collector.NoUnit {
			p.units[i] = p.rules[i].Signal.Unit()
		}
	}
	p.lensed = p.histories
	if lens != (Lens{}) && origin != nil {
		lensed, err := p.through(lens, readings, origin)
		if err != nil {
			p.problem = err.Error()
		} else {
			p.lensed = lensed
		}
	}
	return p
}

// look notes the units of the signals, which differ from system to system.
func (p *Past) look(r *collector.Reading) {
	for i := range p.rules {
		for k := 0; k < len(r.Targets) && p.units[i] == collector.NoUnit; k++ {
			if v := r.Targets[k].Values[p.rules[i].Signal]; v.State.HasNumber() {
				p.units[i] = v.Unit
			}
		}
	}
}

// Answer is what a rule would have done with other numbers.
type Answer struct {
	Rule     string
	From, To time.Time // of the readings that it was judged by
	Grace    time.Duration
	Evidence string // how much the incidents prove
	Weak     bool   // it proves little

	Problem string // why rate and interval are left as they are; "" where they are not

	// Truth says how the incidents are known; "" where nothing is known. Sure: what
	// is no incident was none.
	Truth     string
	Sure      bool
	Incidents []tune.Incident // that it was judged by, by From
	LeftOut   []tune.Incident // that began before the readings
	Every     time.Duration   // between two evaluations
	Step      time.Duration   // the same as it was read, without a lens

	Own   *Seen // what one of people's own rules saw; nil of ours
	Fixed bool  // its threshold cannot be turned

	Known  bool // there was something to judge by
	Before tune.Result
	Now    tune.Result
	First  []tune.First // which rule warned first, for each incident; with the new numbers
	Land   *Landscape   // nil: not made yet
}

// Landscape is the map of a rule.
type Landscape struct {
	Map        *tune.Map
	Advice     tune.Advice
	Documented *collector.RuleSpec // nil: it is no documented rule
}

func (p *Past) place(name string) int {
	return slices.IndexFunc(p.rules, func(r collector.RuleSpec) bool { return r.Name == name })
}

// Judge compares a rule as it is in force with one of other numbers. ok is false
// for a rule that is not in force, or that is made of two others.
func (p *Past) Judge(draft collector.RuleSpec) (a Answer, ok bool) {
	at := p.place(draft.Name)
	if at < 0 || draft.Both != ([2]string{}) {
		return Answer{}, false
	}
	h := p.lensed[at]
	a = Answer{
		Rule: draft.Name, From: p.from, To: p.to, Grace: h.RateRange + draft.KeepFiring,
		Evidence: tune.Evidence(h), Weak: len(h.Incidents) < 2, Known: judged(h), Incidents: h.Incidents, LeftOut: h.LeftOut(), Every: h.Step(), Step: p.histories[at].Step(),
		Before: result(p.before, p.histories[at], p.rules[at]), Now: tune.Backtest(h, draft), Problem: p.problem,
	}
	var results []tune.Result
	for i, r := range p.rules {
		switch {
		case i == at:
			results = append(results, a.Now)
		case !r.Off && r.Both == ([2]string{}):
			results = append(results, result(p.others, p.lensed[i], r))
		}
	}
	a.First = tune.WarnedFirst(results)
	if at >= p.own {
		if from, to := h.Span(); !from.IsZero() { // of an expression that never had a sample it is the readings' time
			a.From, a.To = from, to
		}
		a.Fixed = p.fixed(at)
		a.Known = a.Known || a.Fixed
		a.Own = seen(h, &a)
	}
	if p.land != nil && sameBut(p.landOf, draft) && p.holds(draft) {
		a.Land = p.land
	}
	return a, true
}

// result is that of a rule as it is in force, which stays the same.
func result(known map[string]tune.Result, h *tune.History, r collector.RuleSpec) tune.Result {
	out, ok := known[r.Name]
	if !ok {
		out = tune.Backtest(h, r)
		known[r.Name] = out
	}
	return out
}

// Landscape makes the map around a rule. It is remembered: what moves on it
// costs nothing more.
func (p *Past) Landscape(draft collector.RuleSpec) *Landscape {
	at := p.place(draft.Name)
	if at < 0 || draft.Both != ([2]string{}) {
		return nil
	}
	if p.land != nil && sameBut(p.landOf, draft) && p.holds(draft) {
		return p.land
	}
	h := p.lensed[at]
	is := p.rules[at]
	out := &Landscape{Documented: documented(draft.Name)}
	thresholds, fors := []float64{is.Threshold}, []time.Duration{is.For, draft.For}
	if out.Documented != nil {
		thresholds, fors = append(thresholds, out.Documented.Threshold), append(fors, out.Documented.For)
	}
	list := []*tune.History{h}
	columns := []float64{draft.Threshold}
	if !p.fixed(at) {
		columns = tune.Columns(h, draft, p.units[at], thresholds...)
	}
	out.Map = tune.NewMap(list, draft, columns, tune.Fors(list, mostRows, fors...))
	out.Advice = tune.Recommend(out.Map, is)
	p.land, p.landOf = out, draft
	return out
}

// mostRows bounds how many times of for are looked at.
const mostRows = 24

// holds reports whether the map that is remembered has the point of a rule.
func (p *Past) holds(draft collector.RuleSpec) bool {
	return slices.Contains(p.land.Map.Thresholds, draft.Threshold) && slices.Contains(p.land.Map.Fors, draft.For)
}

// sameBut reports whether two rules differ in no more than threshold and for.
func sameBut(a, b collector.RuleSpec) bool {
	return a.Name == b.Name && a.KeepFiring == b.KeepFiring && a.MinTraffic == b.MinTraffic
}

// documented is a rule as stormtop brings it.
func documented(name string) *collector.RuleSpec {
	for _, r := range append(alerts.Documented(), alerts.Early()...) {
		if r.Name == name {
			return &r
		}
	}
	return nil
}

// judged reports whether a rule had anything to be judged by.
func judged(h *tune.History) bool {
	for i := range h.Courses {
		c := &h.Courses[i]
		for k := range c.Len() {
			if s := c.Sample(k); s.Value == s.Value || s.Why == alerts.WhyIdle || s.Why == alerts.WhyLowTraffic {
				return true
			}
		}
	}
	return false
}

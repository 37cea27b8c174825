package tune

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// Result is what a rule would have done over a history.
type Result struct {
	Rule collector.RuleSpec
	Figures
	Episodes []Episode // by Firing, then by target
	Warned   []Warning // one for each incident of the history
}

// Figures are the numbers of a back-test.
type Figures struct {
	Firings int           // how often it began to fire, over all targets
	Firing  time.Duration // how long it fired on one target at least
	// Flaps counts the firings that began within FlapWithin of the end of the
	// one before on the same target.
	Flaps int
	// False is how long it fired outside the incidents and the grace after each.
	False     time.Duration
	Incidents int
	Found     int           // incidents in which it fired
	Lead      time.Duration // the longest time from the start of a found incident to firing; see Found
	Median    time.Duration // the median of those times (the later of the middle two)
}

// Missed is how many incidents passed without a firing.
func (f Figures) Missed() int { return f.Incidents - f.Found }

// FlapWithin is how soon after its end a firing that begins again is a flap:
// Alertmanager's usual resolve_timeout, within which nobody would have been told
// that it was over.
const FlapWithin = 5 * time.Minute

// Episode is one firing on a target.
type Episode struct {
	Target  collector.Target
	Pending time.Time // when the condition began to hold
	Firing  time.Time
	Ended   time.Time // zero while it goes on at the end of the history
	Why     alerts.Why
	False   bool // no incident was near
}

// Warning is when a rule first fired in an incident.
type Warning struct {
	Incident Incident
	Found    bool
	// At is the first firing in the incident; a firing that began before it and
	// went on is a warning at its start.
	At   time.Time
	Lead time.Duration // from the start of the incident to At
}

// span is a time in which a rule fires on some target, in Unix nanoseconds.
type span struct{ from, to int64 }

// Backtest judges a history by a rule.
func Backtest(h *History, spec collector.RuleSpec) Result {
	r := newRunner(&spec)
	lists := make([][]firing, len(h.Courses))
	for i := range h.Courses {
		lists[i] = r.run(&h.Courses[i], nil)
	}
	return h.result(spec, lists)
}

// Pair judges by a rule that fires exactly while two others fire on the same
// target (collector.RuleSpec.Both); each part is judged over its own history.
func Pair(spec collector.RuleSpec, a, b *History, first, second collector.RuleSpec) Result {
	ra, rb := newRunner(&first), newRunner(&second)
	h := &History{Name: a.Name, Incidents: a.Incidents, Begun: a.Begun, RateRange: a.RateRange}
	var lists [][]firing
	ends := map[string]Course{} // of the second rule, by target
	for i := range a.Courses {
		ca := &a.Courses[i]
		k := slices.IndexFunc(b.Courses, func(c Course) bool { return c.Target.ID == ca.Target.ID })
		if k < 0 || b.Courses[k].Len() != ca.Len() {
			continue
		}
		h.Courses = append(h.Courses, *ca)
		ends[ca.Target.ID] = b.Courses[k]
		lists = append(lists, both(ra.run(ca, nil), rb.run(&b.Courses[k], nil), nil))
	}
	out := h.result(first, lists)
	out.Rule = spec
	for i := range out.Episodes {
		e := &out.Episodes[i]
		if e.Why != alerts.WhyTrue {
			continue
		}
		c := ends[e.Target.ID] // the first one goes on, so that the second one ended
		if at := sort.Search(len(c.at), func(i int) bool { return c.at[i] >= e.Ended.UnixNano() }); at < len(c.at) {
			e.Why = c.samples[at].Reason(&second)
		}
		if e.Why == alerts.WhyTrue { // its condition holds again, and is pending
			e.Why = alerts.WhyFalse
		}
	}
	return out
}

// States are the states of a rule on a course, one for each evaluation: Inactive,
// Pending or Firing, as alerts.Engine's State.
func States(c *Course, spec collector.RuleSpec) []alerts.State {
	out := make([]alerts.State, c.Len())
	for i := range out {
		out[i] = alerts.Inactive
	}
	r := newRunner(&spec)
	pendings := r
	pendings.hold = 0 // when nothing is waited for, a firing is where the condition holds
	pendings.keep = 0
	for _, f := range pendings.run(c, nil) {
		for i := f.from; i < f.to; i++ {
			out[i] = alerts.Pending
		}
	}
	for _, f := range r.run(c, nil) {
		for i := f.from; i < f.to; i++ {
			out[i] = alerts.Firing
		}
	}
	return out
}

func (h *History) result(spec collector.RuleSpec, lists [][]firing) Result {
	out := Result{Rule: spec}
	var spans []span
	for i, list := range lists {
		c := &h.Courses[i]
		for k, f := range list {
			out.Firings++
			if k > 0 && c.at[f.from]-c.at[list[k-1].to] < int64(FlapWithin) {
				out.Flaps++
			}
			spans = append(spans, c.span(f))
			out.Episodes = append(out.Episodes, c.episode(f, &spec))
		}
	}
	t := newTally(h, h.grace(&spec))
	spans = union(spans)
	t.count(spans)
	out.fill(&t)
	for i := range h.Incidents {
		w := Warning{Incident: h.Incidents[i], Found: t.leads[i] >= 0}
		if w.Found {
			w.Lead = time.Duration(t.leads[i])
			w.At = w.Incident.From.Add(w.Lead)
		}
		out.Warned = append(out.Warned, w)
	}
	for i := range out.Episodes {
		out.Episodes[i].False = t.apart(&out.Episodes[i])
	}
	slices.SortStableFunc(out.Episodes, func(a, b Episode) int {
		return cmp.Or(a.Firing.Compare(b.Firing), cmp.Compare(a.Target.Name, b.Target.Name))
	})
	return out
}

func (f *Figures) fill(t *tally) {
	f.Firing, f.False = time.Duration(t.firing), time.Duration(t.wrong)
	f.Incidents = len(t.leads)
	f.Found, f.Lead, f.Median = leads(t.leads)
}

// grace is how long after an incident a rule may go on firing: rates reach back
// by their range, and keep_firing_for is asked for.
func (h *History) grace(spec *collector.RuleSpec) time.Duration { return h.RateRange + spec.KeepFiring }

// span is the time of a firing; one that goes on lasts until the last evaluation.
func (c *Course) span(f firing) span {
	return span{c.at[f.from], c.at[min(f.to, len(c.at)-1)]}
}

func (c *Course) episode(f firing, spec *collector.RuleSpec) Episode {
	e := Episode{Target: c.Target, Pending: c.Time(f.pending), Firing: c.Time(f.from), Why: alerts.WhyNone}
	if f.to < len(c.samples) {
		e.Ended, e.Why = c.Time(f.to), c.samples[f.to].Reason(spec)
	}
	return e
}

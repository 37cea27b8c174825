package alerts

import (
	"slices"
	"time"

	"stormtop/collector"
)

// system is what is known of all targets of one system (Target.System) and one
// kind of ratio together. A side that is missing as a whole is missing there,
// whatever the systems beside it report. The edge pair of a system is judged
// apart from its hops, which would hide its loss.
type system struct {
	name   string
	kind   collector.RatioKind
	there  bool                       // some target of it was there at some time
	seen   [collector.NumSignals]bool // signals that had a sample at some time
	sides  bool                       // it is asked for ingress or attempts; looked up until one was seen
	survey survey                     // of the last reading
	sights []sight                    // one for each rule
}

// sight is how well a rule could be judged by a system, in the last reading
// where nothing else is said.
type sight struct {
	met        bool // the rule looks at some target of it
	ever       bool // some row had a sample at some time
	blind      bool // there was nothing to judge by
	blindSince time.Time
	blindLast  time.Time // the last reading in which there was nothing
	blindWhy   Why
	failed     bool // a query that the rule needs failed
	holey      bool // parts of its signal were partial
}

// judges reports whether the rule was judged by the system.
func (s *sight) judges() bool { return s.met && s.ever && !s.blind }

// newSystem makes a system of which nothing was seen.
func (e *Engine) newSystem(name string, kind collector.RatioKind) *system {
	return &system{name: name, kind: kind, sights: make([]sight, len(e.rules))}
}

// systemOf finds the system of a target, or makes it. There are a handful.
func (e *Engine) systemOf(t *collector.Target) *system {
	for _, s := range e.systems {
		if s.name == t.System && s.kind == t.Kind {
			return s
		}
	}
	s := e.newSystem(t.System, t.Kind)
	e.systems = append(e.systems, s)
	return s
}

// expect makes a system that was named by a failure and has no target yet.
func (e *Engine) expect(name string) {
	if name == "" || slices.ContainsFunc(e.systems, func(s *system) bool { return s.name == name }) {
		return
	}
	e.systems = append(e.systems, e.newSystem(name, collector.Hop))
}

// of reports whether a target belongs to the system.
func (s *system) of(t *collector.Target) bool { return s.name == t.System && s.kind == t.Kind }

// systemsOf are the systems by which a rule is judged: those whose targets it
// may look at, one of which nothing is known while there are none.
func (e *Engine) systemsOf(ru *rule) []*system {
	switch {
	case ru.spec.Scope == collector.ScopeTotal:
		return []*system{e.total}
	case len(e.systems) == 0:
		return []*system{e.nobody}
	}
	return e.systems
}

// needs lists the signals that a signal follows from in this system.
func (s *system) needs(sig collector.Signal) []collector.Signal {
	return needs(sig, s.seen[collector.Retries])
}

// settle says from the survey by which rules the system can be judged, and
// since when not.
func (s *system) settle(e *Engine, r *collector.Reading) {
	for _, sig := range e.signals {
		if s.survey.samples(sig) > 0 {
			s.seen[sig] = true
		}
	}
	if r.Origin != nil && !s.sides && !s.hasTraffic() {
		asked := r.Origin.Of(collector.Target{System: s.name, Kind: s.kind}).Asked
		s.sides = asked[collector.Ingress] || asked[collector.Downstream]
	}
	for _, ru := range e.rules {
		if ru.on && !ru.pair {
			s.sights[ru.idx].settle(s, &ru.spec, r)
		}
	}
}

// hasTraffic reports whether ingress or attempts had a sample at some time.
func (s *system) hasTraffic() bool { return s.seen[collector.Ingress] || s.seen[collector.Downstream] }

func (g *sight) settle(s *system, spec *collector.RuleSpec, r *collector.Reading) {
	sig, counts := spec.Signal, &s.survey
	from := s.needs(sig)
	g.failed = counts.states[sig][collector.Failed] > 0 || failedAny(r.Failures, s.name, sig, from)
	g.holey = counts.states[sig][collector.Partial] > 0
	for _, n := range from {
		g.holey = g.holey || counts.states[n][collector.Partial] > 0
	}
	if counts.samples(sig) > 0 {
		g.ever = true
	}
	if counts.sound(sig) > 0 {
		g.blind, g.blindWhy = false, WhyNone
		return
	}
	if !g.blind {
		g.blind, g.blindSince = true, r.At
	}
	g.blindLast = r.At
	switch {
	case g.failed:
		g.blindWhy = WhyFailed
	case g.holey:
		g.blindWhy = WhyPartial
	case counts.fanOut > 0 && ratio(sig):
		g.blindWhy = WhyFanOut
	default:
		g.blindWhy = WhyNoData
	}
}

// unknownWhy says why a rule was never judged by the system.
func (s *system) unknownWhy(g *sight) Why {
	switch {
	case !g.blind:
		return WhySoon
	case g.failed:
		return WhyFailed
	case g.blindWhy == WhyFanOut:
		return WhyFanOut
	case s.there || s.anySeen():
		return WhyNotExported
	}
	return WhyNoData
}

// anySeen reports whether there was a sample of a signal that a rule needs.
func (s *system) anySeen() bool {
	for _, ok := range s.seen {
		if ok {
			return true
		}
	}
	return false
}

// culprit is the input without which a rule's signal is not there.
func (s *system) culprit(spec *collector.RuleSpec) collector.Signal {
	for _, n := range s.needs(spec.Signal) {
		if s.survey.sound(n) == 0 {
			return n
		}
	}
	return spec.Signal
}

// failedAny reports whether the query of a signal, or of one that it follows
// from, failed for a system.
func failedAny(fs []collector.Failure, system string, sig collector.Signal, from []collector.Signal) bool {
	for _, f := range fs {
		if f.Kind == collector.NothingFound {
			continue // the server answered: there is nothing of the kind
		}
		if f.System != "" && system != "" && f.System != system {
			continue
		}
		if f.Signal == collector.NoSignal || f.Signal == sig {
			return true
		}
		for _, n := range from {
			if f.Signal == n {
				return true
			}
		}
	}
	return false
}

package alerts

import "stormtop/collector"

// survey counts, over the rows of one reading, in which states a signal came:
// whether a whole side is missing shows only there.
type survey [collector.NumSignals][collector.Failed + 1]int32

func (s *survey) add(v *collector.Values, signals []collector.Signal) {
	for _, sig := range signals {
		if st := v[sig].State; st <= collector.Failed {
			s[sig][st]++
		}
	}
}

// sound counts the rows in which the signal can be judged by.
func (s *survey) sound(sig collector.Signal) int32 {
	c := &s[sig]
	return c[collector.Ok] + c[collector.Idle] + c[collector.Infinite] + c[collector.Stale]
}

// samples counts the rows in which the signal has a sample of any kind.
func (s *survey) samples(sig collector.Signal) int32 {
	return s.sound(sig) + s[sig][collector.Partial]
}

// take looks over a reading and settles for each rule whether it can be judged
// by it at all.
func (e *Engine) take(r *collector.Reading) {
	for i := range e.surveys {
		e.surveys[i] = survey{}
	}
	e.surveys[collector.ScopeTotal].add(&r.Total.Values, e.signals)
	all, edge := &e.surveys[collector.ScopeTarget], &e.surveys[collector.ScopeEdge]
	for i := range r.Targets {
		row := &r.Targets[i]
		all.add(&row.Values, e.signals)
		if e.hasEdge && row.Target.Kind == collector.Edge {
			edge.add(&row.Values, e.signals)
		}
	}
	for _, sig := range e.signals {
		if all.samples(sig) > 0 || e.surveys[collector.ScopeTotal].samples(sig) > 0 {
			e.seen[sig] = true
		}
	}
	for _, ru := range e.rules {
		if ru.on && !ru.pair {
			ru.settle(&e.surveys[ru.spec.Scope], r, e.seen[collector.Retries])
		}
	}
}

// settle says from a survey whether the rule can be judged, and since when not.
func (ru *rule) settle(s *survey, r *collector.Reading, hasRetries bool) {
	sig := ru.spec.Signal
	ru.failed = s[sig][collector.Failed] > 0 || failedAny(r.Failures, sig, needs(sig, hasRetries))
	ru.holey = s[sig][collector.Partial] > 0
	for _, n := range needs(sig, hasRetries) {
		ru.holey = ru.holey || s[n][collector.Partial] > 0
	}
	if s.samples(sig) > 0 {
		ru.ever = true
	}
	if s.sound(sig) > 0 {
		ru.blind, ru.blindWhy = false, WhyNone
		return
	}
	if !ru.blind {
		ru.blind, ru.blindSince = true, r.At
	}
	ru.blindLast = r.At
	switch {
	case ru.failed:
		ru.blindWhy = WhyFailed
	case ru.holey:
		ru.blindWhy = WhyPartial
	default:
		ru.blindWhy = WhyNoData
	}
}

func failedAny(fs []collector.Failure, sig collector.Signal, from []collector.Signal) bool {
	for _, f := range fs {
		if f.Kind == collector.NothingFound {
			continue // the server answered: there is nothing of the kind
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

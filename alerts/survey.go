package alerts

import "stormtop/collector"

// survey counts, over the rows of one system in one reading, in which states a
// signal came: whether a whole side is missing shows only there.
type survey struct {
	states [collector.NumSignals][collector.Failed + 1]int32
	fanOut int32 // rows whose ratio is no judge of retries
}

func (s *survey) add(row *collector.Row, signals []collector.Signal) {
	fan := fansOut(row)
	if fan {
		s.fanOut++
	}
	for _, sig := range signals {
		if fan && ratio(sig) {
			continue
		}
		if st := row.Values[sig].State; st <= collector.Failed {
			s.states[sig][st]++
		}
	}
}

// fansOut reports whether the ratio of a row holds fan-out that no baseline takes
// out: three calls for a request may be how a service works.
func fansOut(row *collector.Row) bool {
	return row.Baseline == 0 && row.Values[collector.Amplification].Trust == collector.Heuristic
}

// ratio reports whether a signal is made of both sides of the ratio.
func ratio(sig collector.Signal) bool {
	return sig == collector.Amplification || sig == collector.RetryRate
}

// sound counts the rows in which the signal can be judged by.
func (s *survey) sound(sig collector.Signal) int32 {
	c := &s.states[sig]
	return c[collector.Ok] + c[collector.Idle] + c[collector.Infinite] + c[collector.Stale]
}

// samples counts the rows in which the signal has a sample of any kind.
func (s *survey) samples(sig collector.Signal) int32 {
	return s.sound(sig) + s.states[sig][collector.Partial]
}

// take looks over a reading and settles for each rule and each system whether
// the one can be judged by the other at all.
func (e *Engine) take(r *collector.Reading) {
	for i := range r.Failures {
		e.expect(r.Failures[i].System)
	}
	for _, s := range e.systems {
		s.survey = survey{}
	}
	var s *system
	for i := range r.Targets {
		row := &r.Targets[i]
		if s == nil || !s.of(&row.Target) {
			s = e.systemOf(&row.Target)
			s.there = true
		}
		s.survey.add(row, e.signals)
	}
	e.total.survey, e.total.name = survey{}, r.Total.Target.System
	e.total.survey.add(&r.Total, e.signals)
	e.total.settle(e, r)
	e.nobody.settle(e, r)
	for _, s := range e.systems {
		s.settle(e, r)
	}
}

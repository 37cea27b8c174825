package tune

import (
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// The size of the map that a recommendation is made from.
const (
	MapThresholds = 60
	MapFors       = 40
)

// Study is one rule over all histories: as it is, everywhere on the map, and
// with the numbers that are recommended.
type Study struct {
	Spec      collector.RuleSpec
	Own       *collector.OwnRule // nil: one of stormtop's
	Histories []*History
	Now       Judge  // as it is
	Map       *Map   // nil for a rule made of two others
	Advice    Advice // of the map
	Tuned     Judge  // as recommended
	Unseen    *Trial // on histories that the recommendation was not made of; nil: there are none
	Judged    bool   // there was something to judge by
	Fixed     bool   // its threshold cannot be tuned, only for and keep
}

// Trial compares a rule with the recommendation on other histories.
type Trial struct{ Now, Tuned Judge }

// Examine studies a rule. Histories in unseen serve the trial alone.
func Examine(spec collector.RuleSpec, own *collector.OwnRule, list, unseen []*History) Study {
	s := Study{Spec: spec, Own: own, Histories: list, Now: BacktestAll(list, spec), Fixed: own != nil && !own.Tunable}
	s.Judged = judged(list, own)
	thresholds := []float64{spec.Threshold}
	if !s.Fixed {
		thresholds = Thresholds(list, spec, MapThresholds)
	}
	s.Map = NewMap(list, spec, thresholds, Fors(list, MapFors, spec.For))
	s.Advice = Recommend(s.Map, spec)
	s.Tuned = BacktestAll(list, s.Recommended())
	if len(unseen) > 0 {
		s.Unseen = &Trial{BacktestAll(unseen, spec), BacktestAll(unseen, s.Recommended())}
	}
	return s
}

// ExaminePair studies a rule that is made of two others, as it is.
func ExaminePair(spec, first, second collector.RuleSpec, a, b []*History) Study {
	s := Study{Spec: spec, Histories: a, Judged: judged(a, nil) && judged(b, nil)}
	var results []Result
	for i := range a {
		results = append(results, Pair(spec, a[i], b[i], first, second))
	}
	s.Now = Sum(spec, results)
	s.Tuned = s.Now
	return s
}

// Recommended is the rule with the numbers of the advice.
func (s *Study) Recommended() collector.RuleSpec {
	out := s.Spec
	if s.Map != nil && len(s.Map.Cells) > 0 {
		out.Threshold, out.For = s.Advice.Threshold, s.Advice.For
	}
	return out
}

// judged reports whether a rule had a number to be judged by at some time. An
// expression that cannot be tuned has none while it does not hold.
func judged(list []*History, own *collector.OwnRule) bool {
	if own != nil && !own.Tunable {
		return true
	}
	for _, h := range list {
		for i := range h.Courses {
			for k := range h.Courses[i].samples {
				if s := &h.Courses[i].samples[k]; s.Value == s.Value || s.Why == alerts.WhyIdle || s.Why == alerts.WhyLowTraffic {
					return true
				}
			}
		}
	}
	return false
}

// Gained is how much earlier, in the median, the recommendation warns.
func (s *Study) Gained() time.Duration {
	if s.Now.All.Found == 0 || s.Tuned.All.Found == 0 {
		return 0
	}
	return s.Now.All.Median - s.Tuned.All.Median
}

package alerts

import (
	"maps"
	"regexp"

	"stormtop/collector"
)

// rule is a RuleSpec made ready, with what is remembered of it as a whole.
type rule struct {
	spec collector.RuleSpec
	idx  int    // its place in the engine, and in track.entries
	on   bool   // judged at all
	both [2]int // the places of the two rules that it is made of
	pair bool   // made of two rules

	selects map[string]*regexp.Regexp // spec.Select, anchored

	born uint64 // its first evaluation

	worst *track // the worst target when none is active
	score float64
}

// newRules makes rules ready. A pair whose parts do not exist or are off is off.
func newRules(specs []collector.RuleSpec) []*rule {
	place := make(map[string]int, len(specs))
	for i, s := range specs {
		if _, again := place[s.Name]; !again {
			place[s.Name] = i
		}
	}
	out := make([]*rule, len(specs))
	for i, s := range specs {
		out[i] = &rule{spec: s, idx: i, on: !s.Off && s.Scope <= collector.ScopeTotal, pair: s.Both != ([2]string{}), selects: anchored(s.Select)}
		if !out[i].pair && (s.Signal == collector.NoSignal || s.Signal >= collector.NumSignals) {
			out[i].on = false
		}
	}
	for _, ru := range out {
		if !ru.pair {
			continue
		}
		for k, name := range ru.spec.Both {
			j, ok := place[name]
			if !ok || out[j].pair || !out[j].on {
				ru.on = false
				continue
			}
			ru.both[k] = j
		}
		if ru.on {
			first := &out[ru.both[0]].spec
			ru.spec.Signal, ru.spec.Compare, ru.spec.Threshold = first.Signal, first.Compare, first.Threshold
		}
	}
	return out
}

// anchored makes selectors match whole values, as Prometheus does.
func anchored(in map[string]*regexp.Regexp) map[string]*regexp.Regexp {
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]*regexp.Regexp, len(in))
	for name, re := range in {
		if re == nil {
			continue
		}
		if whole, err := regexp.Compile("^(?s:" + re.String() + ")$"); err == nil {
			re = whole
		}
		out[name] = re
	}
	return out
}

// matches reports whether the rule looks at a target. A label that is not there
// is the empty string, as in Prometheus.
func (ru *rule) matches(t *collector.Target) bool {
	if (ru.spec.Scope == collector.ScopeTotal) != (t.ID == collector.TotalID) {
		return false
	}
	if ru.spec.Scope == collector.ScopeEdge && t.Kind != collector.Edge {
		return false
	}
	for name, re := range ru.selects {
		if !re.MatchString(t.Label(name)) {
			return false
		}
	}
	return true
}

// sameJudgement reports whether two specs judge alike, so that what is known
// under one holds under the other. The severity does not judge.
func sameJudgement(a, b collector.RuleSpec) bool {
	return a.Name == b.Name && a.Signal == b.Signal && a.Compare == b.Compare && a.Threshold == b.Threshold &&
		a.For == b.For && a.KeepFiring == b.KeepFiring && a.Scope == b.Scope && a.MinTraffic == b.MinTraffic &&
		a.Off == b.Off && a.Both == b.Both && maps.EqualFunc(a.Select, b.Select, sameRegexp)
}

func sameRegexp(a, b *regexp.Regexp) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.String() == b.String()
}

// needs lists the signals that a rule's signal follows from.
func needs(s collector.Signal, hasRetries bool) []collector.Signal {
	switch s {
	case collector.Amplification:
		return []collector.Signal{collector.Ingress, collector.Downstream}
	case collector.RetryRate:
		if hasRetries {
			return []collector.Signal{collector.Downstream, collector.Retries}
		}
		return []collector.Signal{collector.Ingress, collector.Downstream}
	case collector.RescuedShare:
		return []collector.Signal{collector.Successes, collector.Rescued}
	case collector.Delivered:
		return []collector.Signal{collector.Ingress, collector.Successes}
	}
	return nil
}

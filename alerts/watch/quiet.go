package watch

import (
	"stormtop/alerts"
	"stormtop/collector"
)

// quiet is the status of a rule in a past picture as far as it was not active:
// that of the worst target it looked at. It is Inactive only where there was a
// value to judge by.
func (then *Snapshot) quiet(rule collector.RuleSpec, was replayed, now Snapshot) alerts.Status {
	row, ok := then.worstFor(rule, now)
	st := alerts.Status{
		Rule: rule, Target: row.Target, Value: row.Values[rule.Signal], Amplification: row.Values[collector.Amplification],
		State: alerts.Unknown, Shown: alerts.Unknown, Why: alerts.WhyNoData,
	}
	if st.Value.Unit == collector.NoUnit {
		st.Value.Unit = rule.Signal.Unit()
	}
	_, known := st.Value.Float()
	_, told := was.states[stateKey{rule.Name, row.Target.ID}]
	switch why := unjudged(rule, now); {
	case !ok:
		return st
	case !was.begun && !told:
		st.Why = alerts.WhySoon
		return st
	case why == alerts.WhyFanOut:
		st.Why = why
		return st
	case !was.blind.IsZero() || st.Value.State == collector.Failed:
		st.Why, st.Held, st.HeldWhy, st.HeldSince = alerts.WhyFailed, true, alerts.WhyFailed, was.blind
		if st.HeldSince.IsZero() {
			st.HeldSince = then.Last.At
		}
	case !known:
		if why != alerts.WhyNone {
			st.Why = why
		}
		return st
	case st.Value.State == collector.Partial:
		st.Why, st.Held, st.HeldWhy, st.HeldSince = alerts.WhyPartial, true, alerts.WhyPartial, then.Last.At
	case st.Value.State == collector.Idle:
		st.Why = alerts.WhyIdle
	case below(rule.MinTraffic, row.Values[collector.Ingress]) && below(rule.MinTraffic, row.Values[collector.Downstream]):
		st.Why = alerts.WhyLowTraffic
	default:
		st.Why = alerts.WhyFalse
	}
	st.State, st.Shown = alerts.Inactive, alerts.Inactive
	return st
}

// worstFor is the row with the worst ratio of those that a rule looks at and of
// which something is known.
func (then *Snapshot) worstFor(rule collector.RuleSpec, now Snapshot) (worst collector.Row, ok bool) {
	if rule.Scope == collector.ScopeTotal {
		return then.Good.Total, true
	}
	if len(rule.Select) > 0 { // whom it selects is known to the engine alone
		for i := range now.Statuses {
			if now.Statuses[i].Rule.Name == rule.Name {
				return then.Good.Row(now.Statuses[i].Target.ID)
			}
		}
		return worst, false
	}
	rank := -1
	for i := range then.Good.Targets {
		row := &then.Good.Targets[i]
		if rule.Scope == collector.ScopeEdge && row.Target.Kind != collector.Edge {
			continue
		}
		here := certainty(row.Values[rule.Signal])
		if here > rank || here == rank && collector.Worse(row.Values[collector.Amplification], worst.Values[collector.Amplification]) {
			worst, rank = *row, here
		}
	}
	return worst, rank >= 0
}

// certainty ranks values by how far a rule can be judged by them.
func certainty(v collector.Value) int {
	switch v.State {
	case collector.Ok, collector.Stale, collector.Infinite:
		return 3
	case collector.Idle, collector.Partial:
		return 2
	case collector.Failed:
		return 1
	}
	return 0
}

// unjudged is why a rule cannot be judged by this source at all, as it was told
// last; WhyNone when it can.
func unjudged(rule collector.RuleSpec, now Snapshot) alerts.Why {
	for _, m := range now.Coverage.Missing {
		if m.Rule == rule.Name && (m.Why == alerts.WhyNotExported || m.Why == alerts.WhyFanOut) {
			return m.Why
		}
	}
	return alerts.WhyNone
}

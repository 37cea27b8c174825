package watch

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// judge makes the statuses of a past picture, and how many rules were judged.
func (then *Snapshot) judge(was replayed, now Snapshot) {
	for _, rule := range then.Rules {
		if rule.Off {
			continue
		}
		active := false
		for key, st := range was.states {
			if key.rule == rule.Name && st.State >= alerts.Pending {
				then.Statuses = append(then.Statuses, then.status(rule, key.target, st))
				active = true
			}
		}
		quiet := then.quiet(rule, was, now)
		if !active {
			then.Statuses = append(then.Statuses, quiet)
		}
		if rule.Both != ([2]string{}) {
			continue
		}
		then.Coverage.Of++
		if quiet.Shown != alerts.Unknown && !quiet.Held {
			then.Coverage.Judged++
			continue
		}
		why := quiet.Why
		if quiet.Held {
			why = quiet.HeldWhy
		}
		then.Coverage.Missing = append(then.Coverage.Missing, alerts.Missing{Rule: rule.Name, Signal: rule.Signal, Why: why})
	}
	then.pairsAtLeast()
	slices.SortFunc(then.Statuses, func(a, b alerts.Status) int {
		return cmp.Or(alerts.Rank(a, b), strings.Compare(a.Rule.Name, b.Rule.Name), strings.Compare(a.Target.ID, b.Target.ID))
	})
}

// status is that of a rule that was pending or firing on a target.
func (then *Snapshot) status(rule collector.RuleSpec, id string, was stood) alerts.Status {
	row, here := then.Good.Row(id)
	if !here {
		row.Target = collector.Target{ID: id, Name: was.name}
	}
	st := alerts.Status{
		Rule: rule, Target: row.Target, Value: row.Values[rule.Signal], Amplification: row.Values[collector.Amplification],
		State: was.State, Shown: was.State, Held: was.Held, Why: alerts.WhyTrue,
		ActiveAt: was.active, FiredAt: was.fired, Since: was.From,
	}
	if then.Last.Blind() {
		st.Value = collector.Value{State: collector.Failed, Unit: rule.Signal.Unit()}
	}
	if was.Held {
		st.HeldSince, st.HeldWhy = was.heldSince, was.heldWhy
	}
	course := then.History.Series(id, rule.Signal)
	st.Peak, st.AtLeast = peak(course, was.active, then.Last.At, rule.Compare), !knownBefore(course, was.active)
	return st
}

// pairsAtLeast settles of rules made of two whether they may have begun to fire
// earlier than was seen: where the part that fired last may have.
func (then *Snapshot) pairsAtLeast() {
	for i := range then.Statuses {
		pair := &then.Statuses[i]
		if pair.Rule.Both == ([2]string{}) || !pair.Active() {
			continue
		}
		var last alerts.Status
		for _, st := range then.Statuses {
			part := st.Rule.Name == pair.Rule.Both[0] || st.Rule.Name == pair.Rule.Both[1]
			if part && st.Target.ID == pair.Target.ID && (last.Rule.Name == "" || st.FiredAt.After(last.FiredAt)) {
				last = st
			}
		}
		pair.AtLeast = last.AtLeast
	}
}

// peak is the worst certain value from one instant to another, both included.
func peak(course collector.Series, from, to time.Time, by collector.Comparison) collector.Value {
	var worst collector.Value
	course = course.Since(from)
	low := by == collector.Below || by == collector.AtMost
	for i := 0; i < course.Len() && !course.Time(i).After(to); i++ {
		v := course.Value(i)
		f, ok := v.Float()
		if !ok || f != f || v.State == collector.Partial {
			continue
		}
		if most, any := worst.Float(); !any || (f < most) == low && f != most {
			worst = v
		}
	}
	return worst
}

// knownBefore reports whether a course has a value before an instant.
func knownBefore(course collector.Series, t time.Time) bool {
	for i := 0; i < course.Len() && course.Time(i).Before(t); i++ {
		if _, ok := course.Value(i).Float(); ok {
			return true
		}
	}
	return course.Len() > 0 && course.Time(0).After(t)
}

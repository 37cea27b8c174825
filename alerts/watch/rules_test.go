package watch_test

import (
	"slices"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// burning is a watch of the storm at its plateau.
func burning(t *testing.T) (*watch.Watch, watchtest.Storm) {
	t.Helper()
	storm := watchtest.Storm{Targets: 3}
	w := watch.New(alerts.Documented(), time.Hour, watch.DefaultTargets)
	for _, r := range storm.Readings(0, watchtest.Plateau) {
		w.Add(r)
	}
	return w, storm
}

// stateOnPayments is what a snapshot shows of a rule on the target that burns.
func stateOnPayments(s watch.Snapshot, rule string) alerts.State {
	for _, st := range s.Statuses {
		if st.Rule.Name == rule && st.Target.Name == watchtest.Payments {
			return st.Shown
		}
	}
	return alerts.Unknown
}

func TestOtherNumbersResetTheirRuleAloneAndSaySo(t *testing.T) {
	w, storm := burning(t)
	rules := alerts.Documented()
	rules[0].Threshold, rules[0].For = 1.2, 30*time.Second
	e := w.SetRules(rules, collector.Event{Text: "RetryAmplificationHigh: > 1.2x\x1b[2J"})
	if e.Kind != collector.EventChange || e.Text != "RetryAmplificationHigh: > 1.2x\ufffd[2J" || !e.At.Equal(watchtest.Start.Add(watchtest.Plateau)) {
		t.Errorf("the event is %+v", e)
	}
	if s := w.Snapshot(); s.Events[len(s.Events)-1] != e || s.Rules[0].Threshold != 1.2 {
		t.Errorf("the last event is %+v, the rule %+v", s.Events[len(s.Events)-1], s.Rules[0])
	}
	after := w.Add(storm.Reading(watchtest.Plateau + watchtest.Step))
	s := w.Snapshot()
	if got := stateOnPayments(s, alerts.RetryRateHigh); got != alerts.Firing {
		t.Errorf("another rule is %s", got)
	}
	if got := stateOnPayments(s, alerts.RetryAmplificationHigh); got != alerts.Pending {
		t.Errorf("the changed rule is %s, want pending: it is judged anew", got)
	}
	ended := func(e collector.Event) bool {
		return e.Kind == collector.EventInactive && e.Rule == alerts.RetryAmplificationHigh && e.Text == "no longer firing: rule changed"
	}
	if !slices.ContainsFunc(after, ended) {
		t.Errorf("what it showed does not end: %+v", after)
	}
	for at := watchtest.Plateau + 2*watchtest.Step; at <= watchtest.Plateau+40*time.Second; at += watchtest.Step {
		w.Add(storm.Reading(at))
	}
	if got := stateOnPayments(w.Snapshot(), alerts.RetryAmplificationHigh); got != alerts.Firing {
		t.Errorf("after its new for it is %s", got)
	}
}

func TestARuleMadeOfTwoFollowsItsFirst(t *testing.T) {
	w, _ := burning(t)
	rules := alerts.Documented()
	rules[0].Threshold = 1.35
	w.SetRules(rules, collector.Event{Text: "changed"})
	if got := w.Snapshot().Rules[3]; got.Threshold != 1.35 {
		t.Errorf("it shows %v", got.Threshold)
	}
	if rules[3].Threshold != 1.5 {
		t.Error("the rules of the caller were changed")
	}
}

func TestOtherRulesStayWhenTheSourceBeginsAnew(t *testing.T) {
	w, storm := burning(t)
	rules := alerts.Documented()
	rules[1].Off = true
	w.SetRules(rules, collector.Event{Text: "off"})
	r := *storm.Reading(watchtest.Plateau + watchtest.Step)
	r.Begins = true
	w.Add(&r)
	for _, st := range w.Snapshot().Statuses {
		if st.Rule.Name == alerts.RetryRateHigh {
			t.Errorf("the rule that is off is judged: %+v", st)
		}
	}
}

package trial_test

import (
	"slices"
	"testing"
	"time"

	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// ownRule looks at the amplification of the target that burns, and of one that is
// calm, as somebody's own expression would; of one that cannot be tuned there are
// samples while it is above 2.
func ownRule(tunable bool) trial.Own {
	rule := collector.OwnRule{Name: "Mine", Tunable: tunable, Left: "x", Threshold: 1.5, For: time.Minute}
	var at []time.Time
	var burns, calm tune.Values
	burns.Labels, calm.Labels = []collector.Label{{Name: "a", Value: "burns"}}, []collector.Label{{Name: "a", Value: "calm"}}
	for _, r := range (watchtest.Storm{Targets: 4}).Readings(0, 50*time.Minute) {
		at = append(at, r.At)
		v, ok := r.Targets[slices.IndexFunc(r.Targets, func(row collector.Row) bool { return row.Target.Name == "payments-channel" })].Values[collector.Amplification].Number()
		burns.Values, burns.Has = append(burns.Values, v), append(burns.Has, ok && (tunable || v > 2))
		calm.Values, calm.Has = append(calm.Values, 1), append(calm.Has, tunable)
	}
	spec := rule.Spec()
	spec.Name = "own"
	return trial.Own{Rule: spec, History: tune.Own(&rule, at, []tune.Values{calm, burns}), Tunable: tunable}
}

func TestAnOwnRuleIsJudgedAsOursOfTheSameNumbers(t *testing.T) {
	p := storm(rules(), burning())
	p.Join(ownRule(true), trial.Lens{})
	for _, threshold := range []float64{1.05, 1.2, 1.5, 2, 9} {
		for _, wait := range []time.Duration{0, time.Minute, time.Hour} {
			draft := ownRule(true).Rule
			draft.Threshold, draft.For = threshold, wait
			own, ok := p.Judge(draft)
			ours, _ := p.Judge(with(threshold, wait))
			if !ok || own.Now.Figures != ours.Now.Figures || own.Grace != ours.Grace {
				t.Errorf("> %g for %s: %+v, ours %+v", threshold, wait, own.Now.Figures, ours.Now.Figures)
			}
			if own.Own == nil || own.Own.Target.Name != "burns" || own.Own.Values.Len() != 601 || own.Fixed || own.Every != 5*time.Second {
				t.Errorf("> %g for %s: what it saw: %+v", threshold, wait, own.Own)
			}
		}
	}
	draft := ownRule(true).Rule
	draft.Threshold, draft.For = 1.01, 0
	if a, _ := p.Judge(draft); len(a.First) != 1 || a.First[0].Rule != "own" {
		t.Errorf("first to warn: %+v", a.First)
	}
	l := p.Landscape(draft)
	if l == nil || len(l.Map.Thresholds) < 5 || l.Documented != nil {
		t.Errorf("the map: %+v", l)
	}
}

func TestOfAnOwnRuleWithoutANumberForAloneIsTurned(t *testing.T) {
	p := storm(rules(), burning())
	p.Join(ownRule(false), trial.Lens{})
	draft := ownRule(false).Rule
	draft.For = 0
	a, ok := p.Judge(draft)
	if !ok || !a.Fixed || a.Now.Found != 1 || a.Now.Lead >= a.Before.Lead {
		t.Errorf("%v %+v", ok, a)
	}
	if l := p.Landscape(draft); len(l.Map.Thresholds) != 1 || len(l.Map.Fors) < 5 {
		t.Errorf("%+v", l.Map)
	}
	if v := a.Own.Values.Value(0); v.State != collector.Ok || v.V != 0 {
		t.Errorf("where it does not hold it is no gap: %+v", v)
	}
}

func TestAnOwnRuleIsJudgedWithoutReadings(t *testing.T) {
	far := tune.Incident{From: watchtest.Start.Add(-time.Hour), To: watchtest.Start.Add(-time.Minute), Text: "far"}
	p := trial.New(rules(), slices.Values([]*collector.Reading(nil)), []tune.Incident{burning(), far}, trial.Lens{})
	p.Join(ownRule(true), trial.Lens{})
	a, ok := p.Judge(ownRule(true).Rule)
	if !ok || a.Now.Incidents != 1 || a.Now.Found != 1 || a.From.IsZero() {
		t.Errorf("%v %+v", ok, a)
	}
}

func TestAnOwnRuleWithoutASampleIsNotKnown(t *testing.T) {
	rule := collector.OwnRule{Tunable: true, Left: "x", Threshold: 1}
	spec := rule.Spec()
	spec.Name = "own"
	for name, list := range map[string][]tune.Values{
		"no series":     nil,
		"nothing in it": {{Values: []float64{0, 0}, Has: []bool{false, false}}},
	} {
		p := storm(rules())
		p.Join(trial.Own{Rule: spec, History: tune.Own(&rule, []time.Time{watchtest.Start, watchtest.Start.Add(time.Minute)}, list), Tunable: true}, trial.Lens{})
		a, ok := p.Judge(spec)
		if !ok || a.Known || a.Now.Firings != 0 {
			t.Errorf("%s: %v %+v", name, ok, a)
		}
		if a.From.IsZero() || !a.To.After(a.From) {
			t.Errorf("%s: it is of %s to %s", name, a.From, a.To)
		}
	}
}

func TestAnOwnRuleIsEvaluatedSeldomBesideTheOneInForce(t *testing.T) {
	p := storm(rules(), burning())
	p.Join(ownRule(true), trial.Lens{Every: time.Minute})
	a, _ := p.Judge(ownRule(true).Rule)
	if a.Every != time.Minute || a.Step != 5*time.Second || a.Before.Lead >= a.Now.Lead || a.Problem != "" {
		t.Errorf("%+v", a)
	}
	p = storm(rules(), burning())
	p.Join(ownRule(true), trial.Lens{Every: 7 * time.Second})
	if a, _ := p.Judge(ownRule(true).Rule); a.Problem == "" || a.Every != 5*time.Second {
		t.Errorf("an interval between the evaluations: %+v", a)
	}
}

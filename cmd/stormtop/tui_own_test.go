package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/rulefile"
)

// oracle stands for a server: a series has the value 2 from since on.
type oracle struct {
	rules []collector.OwnRule
	fails error // of the rules
	since map[string]time.Time
	steps []time.Duration
}

func (o *oracle) Rules(context.Context) ([]collector.OwnRule, error) { return o.rules, o.fails }

func (o *oracle) Ranged(_ context.Context, promql string, from, to time.Time, step time.Duration) (*prom.Ranged, error) {
	o.steps = append(o.steps, step)
	if promql == "broken" {
		return nil, errors.New("the server refused it")
	}
	out := &prom.Ranged{Start: from, Step: step, Steps: int(to.Sub(from)/step) + 1}
	if since, ok := o.since[promql]; ok {
		c := prom.Course{Labels: []collector.Label{{Name: "service", Value: "payments"}}, Values: make([]float64, out.Steps), Has: make([]bool, out.Steps)}
		some := false
		for i := range out.Steps {
			if c.Has[i] = !out.Time(i).Before(since); c.Has[i] {
				c.Values[i], some = 2, true
			}
		}
		if some {
			out.Courses = append(out.Courses, c)
		}
	}
	return out, nil
}

var ownAt = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func ownOf(name, expr, from string, wait time.Duration) collector.OwnRule {
	r := rulefile.OwnRule(name, "g", expr, from)
	r.For = wait
	return r
}

func TestOwnRulesAreJudgedByThePastAndKeepTheServersState(t *testing.T) {
	theirs := ownOf("High", "x>1.5", "server", time.Minute)
	theirs.State, theirs.Since = "pending", ownAt.Add(-30*time.Second)
	alone := ownOf("Alone", "calm > 3", "server", 0)
	alone.State = "inactive"
	o := &oracle{rules: []collector.OwnRule{alone, theirs}, since: map[string]time.Time{
		"x": ownAt.Add(-3 * time.Minute), "calm": ownAt.Add(-time.Hour), "fixed and y": ownAt.Add(-time.Hour), "long": ownAt.Add(-2 * time.Hour),
	}}
	j := &ownJudge{server: o, book: newOwnBook(), span: 15 * time.Minute, own: []collector.OwnRule{
		ownOf("High", "x > 1.5", "/etc/rules.yml:3", time.Minute), ownOf("Fixed", "fixed and y", "rules.yml:9", 0), ownOf("Long", "long > 1", "rules.yml:12", time.Hour),
		ownOf("Gone", "gone > 1", "rules.yml:15", 0), ownOf("Quiet", "gone and y", "rules.yml:18", 0), ownOf("Broken", "broken > 1", "rules.yml:21", 0),
	}}
	msg := j.judge(t.Context(), ownAt, 5*time.Second)
	type told struct {
		Name, From   string
		State        alerts.State
		Since        time.Duration
		AtLeast      bool
		Labels       string
		Value        float64
		HasValue     bool
		Server       string
		Absent, Says bool
	}
	var got []told
	for _, r := range msg.Rows {
		w := told{Name: r.Name, From: r.From, State: r.State, AtLeast: r.AtLeast, Labels: r.Labels, Value: r.Value, HasValue: r.HasValue, Server: r.Server, Absent: r.Absent, Says: r.Error != ""}
		if !r.Since.IsZero() {
			w.Since = ownAt.Sub(r.Since)
		}
		got = append(got, w)
	}
	want := []told{
		{Name: "High", From: "yours, rules.yml:3", State: alerts.Firing, Since: 2 * time.Minute, Labels: "payments", Value: 2, HasValue: true, Server: "pending"},
		{Name: "Fixed", From: "yours, rules.yml:9", State: alerts.Firing, Since: 15 * time.Minute, AtLeast: true, Labels: "payments", Value: 2, HasValue: true, Absent: true},
		{Name: "Long", From: "yours, rules.yml:12", State: alerts.Firing, Since: time.Hour, Labels: "payments", Value: 2, HasValue: true, Absent: true},
		{Name: "Gone", From: "yours, rules.yml:15", State: alerts.Unknown, Absent: true, Says: true},
		{Name: "Quiet", From: "yours, rules.yml:18", State: alerts.Inactive, Absent: true},
		{Name: "Broken", From: "yours, rules.yml:21", State: alerts.Unknown, Absent: true, Says: true},
		{Name: "Alone", From: "server", State: alerts.Inactive, Value: 2, HasValue: true, Server: "inactive"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if last := msg.Rows[0].History; len(last) != 3 || last[0].State != alerts.Unknown || last[1].State != alerts.Pending || last[2].State != alerts.Firing || !last[2].To.Equal(ownAt) {
		t.Errorf("history %+v", last)
	}
	for _, s := range o.steps {
		if s < 5*time.Second || s > 16*time.Second {
			t.Errorf("asked at a step of %s", s)
		}
	}
}

func TestRulesThatTheServerDoesNotTellAreNotCalledAbsent(t *testing.T) {
	j := &ownJudge{server: &oracle{fails: errors.New("403")}, book: newOwnBook(), span: time.Minute, own: []collector.OwnRule{ownOf("High", "x > 1.5", "rules.yml:3", 0)}}
	msg := j.judge(t.Context(), ownAt, time.Second)
	if msg.Note != "403" || len(msg.Rows) != 1 || msg.Rows[0].Absent || msg.Rows[0].Server != "" {
		t.Errorf("%+v", msg)
	}
}

func TestNoMoreRulesAreJudgedThanAServerShouldBeAskedFor(t *testing.T) {
	o := &oracle{}
	for range mostOwn + 7 {
		o.rules = append(o.rules, ownOf("Many", "x > 1", "server", 0))
	}
	msg := (&ownJudge{server: o, book: newOwnBook(), span: time.Hour}).judge(t.Context(), ownAt, time.Second)
	if len(msg.Rows) != mostOwn || msg.Left != 7 || len(o.steps) != mostOwn || o.steps[0] != 8*time.Second {
		t.Errorf("%d rows, %d left, %d queries at %s", len(msg.Rows), msg.Left, len(o.steps), o.steps[0])
	}
}

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
	"stormtop/views"
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

func TestRulesThatTheServerToldOnceStayWhileItDoesNotAnswer(t *testing.T) {
	theirs := ownOf("High", "x > 1.5", "server", 0)
	theirs.State = "firing"
	o := &oracle{rules: []collector.OwnRule{theirs}}
	j := &ownJudge{server: o, book: newOwnBook(), span: time.Minute}
	if msg := j.judge(t.Context(), ownAt, time.Second); len(msg.Rows) != 1 || msg.Rows[0].Server != "firing" {
		t.Fatalf("%+v", msg)
	}
	o.rules, o.fails = nil, errors.New("503")
	if msg := j.judge(t.Context(), ownAt, time.Second); len(msg.Rows) != 1 || msg.Rows[0].Server != "" || msg.Rows[0].Absent || msg.Note != "503" {
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

// ownQuery asks about an own rule over an hour before ownAt.
func ownQuery(r *collector.OwnRule, threshold float64) views.Query {
	spec := r.Spec()
	spec.Name = "\x00" + ownID(r)
	draft := spec
	draft.Threshold = threshold
	return views.Query{Serial: 1, From: ownAt.Add(-time.Hour), To: ownAt, Rules: alerts.Documented(), Own: ownID(r), Force: spec, Draft: draft}
}

func TestAnOwnRuleIsTunedOverWhatItsExpressionWas(t *testing.T) {
	r := ownOf("High", "x > 3", "rules.yml:3", time.Minute)
	book := newOwnBook()
	book.enter(r)
	o := &oracle{since: map[string]time.Time{"x": ownAt.Add(-10 * time.Minute)}}
	var got []views.JudgedMsg
	a := &assessor{
		ctx: t.Context(), book: book, server: o, send: func(m views.JudgedMsg) { got = append(got, m) },
		truth: &truths{ref: ownAt, windows: []window{windowOf(t, "-10m/")}},
	}
	a.answer(ownQuery(&r, 1.5))
	if len(got) != 2 || got[1].Answer.Land == nil {
		t.Fatalf("%+v", got)
	}
	g := got[0].Answer
	if g.Before.Firings != 0 || g.Now.Firings != 1 || g.Now.Lead != time.Minute || g.Now.False != 0 || g.Fixed || !g.Known || g.Own == nil || g.Own.Target.Name != "payments" {
		t.Errorf("%+v", g)
	}
	if len(g.First) != 1 || g.First[0].Rule != g.Rule {
		t.Errorf("first to warn: %+v", g.First)
	}
	asked := len(o.steps)
	a.answer(ownQuery(&r, 1.2))
	if len(o.steps) != asked {
		t.Error("a turn of a number asks the server again")
	}
	seldom := ownQuery(&r, 1.5)
	seldom.Lens.Every = time.Minute
	a.answer(seldom)
	if g := got[len(got)-1].Answer; g.Every != time.Minute || g.Step != 2*time.Second || g.Problem != "" {
		t.Errorf("evaluated every %s, of %s: %s", g.Every, g.Step, g.Problem)
	}
}

func TestAnOwnRuleThatCannotBeReadSaysWhy(t *testing.T) {
	r := ownOf("Broken", "broken > 1", "rules.yml:3", 0)
	book := newOwnBook()
	book.enter(r)
	var got []views.JudgedMsg
	a := &assessor{ctx: t.Context(), book: book, server: &oracle{}, truth: &truths{}, send: func(m views.JudgedMsg) { got = append(got, m) }}
	a.answer(ownQuery(&r, 2))
	if len(got) != 1 || got[0].Answer.Problem != "the server refused it" || got[0].Answer.Known {
		t.Errorf("%+v", got)
	}
	a.server = nil
	a.answer(ownQuery(&r, 2))
	if len(got) != 2 || got[1].Answer.Problem == "" {
		t.Errorf("without a server: %+v", got)
	}
}

func TestNumbersThatArePutInForceAreJudgedAtOnce(t *testing.T) {
	r := ownOf("High", "x > 3", "rules.yml:3", time.Minute)
	o := &oracle{since: map[string]time.Time{"x": ownAt.Add(-10 * time.Minute)}}
	var got []views.OwnRulesMsg
	j := &ownJudge{server: o, own: []collector.OwnRule{r}, book: newOwnBook(), span: 15 * time.Minute, send: func(m views.OwnRulesMsg) { got = append(got, m) }}
	j.tell(j.judge(t.Context(), ownAt, time.Second), time.Second)
	to := r.Spec()
	to.Threshold = 1.5
	j.book.put(ownID(&r), to)
	j.again(t.Context())
	to.Off = true
	j.book.put(ownID(&r), to)
	j.again(t.Context())
	type told struct {
		State        alerts.State
		Threshold    float64
		Changed, Off bool
	}
	var list []told
	for _, m := range got {
		w := m.Rows[0]
		list = append(list, told{w.State, w.Threshold, w.Changed, w.Off})
	}
	want := []told{{alerts.Inactive, 3, false, false}, {alerts.Firing, 1.5, true, false}, {alerts.Unknown, 1.5, true, true}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(got[1].Rows[0].History) == 0 || got[1].Rows[0].CourseOf != "payments" || got[1].Rows[0].Course.Len() == 0 {
		t.Errorf("%+v", got[1].Rows[0])
	}
}

func TestOfThePastTheServersStatesOfNowAreNotTold(t *testing.T) {
	theirs := ownOf("High", "x > 1.5", "server", 0)
	theirs.State, theirs.Since, theirs.Active = "firing", ownAt.Add(time.Hour), 3
	j := &ownJudge{server: &oracle{rules: []collector.OwnRule{theirs}}, own: []collector.OwnRule{ownOf("Alone", "y > 1", "rules.yml:3", 0)}, book: newOwnBook(), span: time.Minute, past: true}
	msg := j.judge(t.Context(), ownAt, time.Second)
	for _, r := range msg.Rows {
		if r.Server != "" || r.Absent || !r.ServerSince.IsZero() || !msg.At.Equal(ownAt) {
			t.Errorf("%s: %q %v %s", r.Name, r.Server, r.Absent, msg.At)
		}
	}
}

func TestWithoutAServerOwnRulesAreListedWithTheReason(t *testing.T) {
	msg := unserved([]collector.OwnRule{ownOf("High", "x > 1.5", "/etc/rules.yml:3", time.Minute)}, newOwnBook())
	if len(msg.Rows) != 1 || msg.Served || msg.Rows[0].From != "yours, rules.yml:3" || msg.Rows[0].Error == "" || msg.Rows[0].State != alerts.Unknown {
		t.Errorf("%+v", msg)
	}
}

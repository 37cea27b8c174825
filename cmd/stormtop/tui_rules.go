package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/collector/recording"
	"stormtop/views"
)

// withEarly adds the early warnings that are not there, switched off: on the
// screen they can be looked at, tuned and switched on.
func withEarly(rules []collector.RuleSpec) []collector.RuleSpec {
	out := slices.Clone(rules)
	for _, r := range alerts.Early() {
		if !slices.ContainsFunc(out, func(o collector.RuleSpec) bool { return o.Name == r.Name }) {
			out = append(out, r)
		}
	}
	return out
}

// setRules puts other rules in force, and enters what somebody did.
func (b *board) setRules(rules []collector.RuleSpec, said string) error {
	if err := alerts.Validate(rules); err != nil {
		return err
	}
	b.mu.Lock()
	b.watch.setRules(rules, said)
	b.mu.Unlock()
	b.changed()
	return nil
}

// setRules puts other rules in force, and writes that down.
func (d *diary) setRules(rules []collector.RuleSpec, said string) {
	d.follows = false
	e := d.SetRules(rules, collector.Event{Text: said})
	d.to.events([]collector.Event{e})
	d.to.setRules(recording.Ruling{At: e.At, Rules: rules})
}

// assessor judges the past by rules with other numbers. Of questions that come
// while it is at work the newest is answered; what was made of a past serves all
// questions about it.
type assessor struct {
	ctx    context.Context // of the questions to the server
	start  func(func() error)
	send   func(views.JudgedMsg)
	truth  *truths
	server ranger // evaluates people's own rules; nil: there is none
	book   *ownBook

	mu   sync.Mutex
	next *views.Query // nil: nothing waits
	busy bool         // the rest belongs to the goroutine at work

	past  *trial.Past
	of    views.Query // what past was made of
	known verdictOf   // of its time
	said  error       // what of that is not known
}

// ask takes a question; it never waits for the answer.
func (j *assessor) ask(q views.Query) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.next = &q; j.busy {
		return
	}
	j.busy = true
	j.start(j.work)
}

// take is the question that waits; without one the work is done.
func (j *assessor) take() (views.Query, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.next == nil {
		j.busy = false
		return views.Query{}, false
	}
	q := *j.next
	j.next = nil
	return q, true
}

// waiting reports whether another question waits.
func (j *assessor) waiting() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.next != nil
}

func (j *assessor) work() error {
	for {
		q, ok := j.take()
		if !ok {
			return nil
		}
		j.answer(q)
	}
}

// answer tells the figures first; the map, which takes longer, comes when nobody
// has gone on.
func (j *assessor) answer(q views.Query) {
	if j.past == nil || !samePast(j.of, q) {
		past, err := j.make(q)
		if j.ctx.Err() != nil {
			return
		}
		if j.past, j.of = past, q; err != nil {
			j.past = nil
			j.send(views.JudgedMsg{Serial: q.Serial, Answer: trial.Answer{Rule: q.Draft.Name, From: q.From, To: q.To, Problem: err.Error()}})
			return
		}
	}
	a, ok := j.past.Judge(q.Draft)
	if !ok {
		return
	}
	a.Truth, a.Sure = j.known.words, j.known.sure
	if j.said != nil && a.Problem == "" {
		a.Problem = j.said.Error()
	}
	j.send(views.JudgedMsg{Serial: q.Serial, Answer: a})
	if a.Land != nil || j.waiting() {
		return
	}
	a.Land = j.past.Landscape(q.Draft)
	j.send(views.JudgedMsg{Serial: q.Serial, Answer: a})
}

// make reads the past that a question is about: the readings, and of one of
// people's own rules what its expression was.
func (j *assessor) make(q views.Query) (*trial.Past, error) {
	s := q.Snapshot
	j.known, j.said = j.truth.of(j.ctx, s, q.From, q.To)
	from := q.From
	if j.known.since.After(from) {
		from = j.known.since
	}
	first := placeOf(s.History, from)
	past := trial.New(q.Rules, stretchOf(s, first, first, q.To), j.known.incidents, q.Lens)
	if q.Own == "" {
		return past, nil
	}
	rule, ok := j.book.of(q.Own)
	if !ok || j.server == nil {
		return nil, errors.New("it is judged by a server that has it: here is none")
	}
	got, err := j.server.Ranged(j.ctx, rule.Query(), from, q.To, tuningStep(q))
	if err != nil {
		return nil, err
	}
	force := rule.Spec()
	force.Name, force.Threshold, force.For, force.KeepFiring = q.Draft.Name, q.Force.Threshold, q.Force.For, q.Force.KeepFiring
	past.Join(trial.Own{Rule: force, History: ownHistory(&rule, got), Tunable: rule.Tunable}, q.Lens)
	return past, nil
}

// tuningSteps bounds the evaluations of an own rule that is tuned: a day of them
// at 30 s.
const tuningSteps = 2880

// tuningStep is the time between two of them: that of the readings, unless there
// would be too many.
func tuningStep(q views.Query) time.Duration {
	var step time.Duration
	if g := q.Snapshot.Good; g != nil && g.Origin != nil {
		step = g.Origin.Interval
	}
	least := (q.To.Sub(q.From)/tuningSteps + time.Second - 1).Truncate(time.Second)
	return max(step, least, time.Second)
}

// samePast reports whether two questions are about the same readings, rules and
// incidents.
func samePast(a, b views.Query) bool {
	return a.Snapshot.Last == b.Snapshot.Last && a.Own == b.Own && sameRule(a.Force, b.Force) && a.Lens == b.Lens && a.From.Equal(b.From) && a.To.Equal(b.To) &&
		slices.Equal(a.Snapshot.Marks, b.Snapshot.Marks) && slices.EqualFunc(a.Rules, b.Rules, sameRule)
}

// sameRule reports whether two rules judge by the same numbers.
func sameRule(a, b collector.RuleSpec) bool {
	return a.Name == b.Name && a.Threshold == b.Threshold && a.For == b.For && a.KeepFiring == b.KeepFiring && a.MinTraffic == b.MinTraffic && a.Off == b.Off
}

// markedIn are those that somebody bounded with two marks.
func markedIn(s watch.Snapshot) []tune.Incident {
	var out []tune.Incident
	for _, i := range s.Incidents() {
		out = append(out, tune.Incident{From: i.From.At, To: i.To.At, Text: tune.MarkedText})
	}
	return out
}

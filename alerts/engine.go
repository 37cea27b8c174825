package alerts

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
)

// Engine judges readings by rules. It yields two things for every rule and
// target: the state that Prometheus would hold for the same samples, and what
// is to be shown, which stays as it was while it cannot be judged (Status).
//
// An Engine is not safe for concurrent use. What its methods return is fresh
// and stays as it is.
type Engine struct {
	rules   []*rule
	signals []collector.Signal // those that a rule needs
	plain   bool               // every rule looks at every target
	calmAt  float64            // the largest amplification that counts as calm

	n       uint64    // evaluations so far
	at      time.Time // the last one
	first   time.Time // the first one
	sighted time.Time // the last one, before this, in which anything could be read
	seeing  time.Time // the same, this one included
	last    *collector.Reading
	systems []*system // whose targets were there at some time, or whose queries failed
	total   *system   // that of the total alone
	nobody  *system   // stands for all while systems is empty

	tracks map[string]*track
	order  []*track // the tracks of the last reading's targets, in its order
	live   []*track // those with a live entry

	notices  []collector.Event // of SetRules, for the next Eval
	events   []collector.Event
	episodes []Episode
	clear    time.Time
}

// New makes an engine. Rules that Validate refuses do no harm, but may never fire.
func New(rules []collector.RuleSpec) *Engine {
	e := &Engine{tracks: map[string]*track{}}
	e.adopt(newRules(slices.Clone(rules)))
	e.total, e.nobody = e.newSystem("", collector.NoRatioKind), e.newSystem("", collector.NoRatioKind)
	return e
}

// adopt settles what follows from the rules.
func (e *Engine) adopt(rules []*rule) {
	e.rules, e.plain, e.calmAt = rules, true, 0
	var want [collector.NumSignals]bool
	for _, s := range []collector.Signal{collector.Ingress, collector.Downstream, collector.Retries} {
		want[s] = true
	}
	for _, ru := range rules {
		s := ru.spec
		if s.Scope != collector.ScopeTarget || len(s.Select) > 0 {
			e.plain = false
		}
		if !ru.on || ru.pair {
			continue
		}
		want[s.Signal] = true
		for _, n := range needs(s.Signal, false) {
			want[n] = true
		}
		for _, n := range needs(s.Signal, true) {
			want[n] = true
		}
		if s.Signal == collector.Amplification && s.Compare <= collector.AtLeast && s.Threshold > 1 && e.calmAt == 0 {
			e.calmAt = calmLimit(s.Threshold)
		}
	}
	if e.calmAt == 0 {
		e.calmAt = calmLimit(1.5)
	}
	e.signals = e.signals[:0:0]
	for s, ok := range want {
		if ok {
			e.signals = append(e.signals, collector.Signal(s))
		}
	}
	for _, t := range e.tracks {
		e.matchAll(t)
	}
}

// Eval judges one reading at its instant, a past one like any other, and
// returns what changed in what is shown, in the order of the targets and rules.
// A reading that is not later than the one before is ignored.
func (e *Engine) Eval(r *collector.Reading) []collector.Event {
	if r == nil || e.n > 0 && !r.At.After(e.at) {
		return nil
	}
	e.n++
	e.at, e.last = r.At, r
	if e.n == 1 {
		e.first = r.At
	}
	if e.sighted = e.seeing; !r.Blind() {
		e.seeing = r.At
	}
	e.events, e.notices = e.notices, nil
	for i := range e.events {
		e.events[i].At = r.At
	}
	e.take(r)
	for _, ru := range e.rules {
		ru.score = e.standing(ru)
	}
	before := e.live
	e.live = make([]*track, 0, len(before))
	e.evalRow(e.totalTrack(r), &r.Total, -1)
	for i := range r.Targets {
		row := &r.Targets[i]
		if t := e.trackOf(i, &row.Target); t.read != e.n {
			e.evalRow(t, row, i)
		}
	}
	e.order = e.order[:min(len(e.order), len(r.Targets))]
	e.evalGone(before)
	e.sweep(len(r.Targets))
	e.settleClear()
	out := e.events
	e.events = nil
	return out
}

// totalTrack is the track of the total.
func (e *Engine) totalTrack(r *collector.Reading) *track {
	t := e.tracks[collector.TotalID]
	if t == nil {
		t = &track{}
		e.tracks[collector.TotalID] = t
	}
	t.target = r.Total.Target
	t.target.ID = collector.TotalID
	t.system = e.total
	if t.target.Name == "" {
		t.target.Name = "total"
	}
	if t.match == nil {
		e.matchAll(t)
	}
	return t
}

// evalRow judges one row by every rule.
func (e *Engine) evalRow(t *track, row *collector.Row, i int) {
	t.row, t.read, t.readAt = i, e.n, e.at
	sampled := false
	for _, ru := range e.rules {
		if !ru.on || ru.pair || !t.matched(ru.idx) {
			continue
		}
		t.system.sights[ru.idx].met = true
		v := e.judge(ru, t, row)
		if !sampled {
			_, sampled = v.value.Float()
		}
		e.apply(ru, t, v)
		e.candidate(ru, t, row, v)
	}
	e.evalPairs(t, row)
	t.judged = t.judged || sampled
	t.follow(e, &row.Values)
	t.calm.note(e.at, &row.Values, e.calmAt, t.settled(e))
	e.keep(t)
}

// evalGone judges the targets that had an alert and are not in the reading.
func (e *Engine) evalGone(before []*track) {
	gone := before[:0]
	for _, t := range before {
		if t.read != e.n {
			gone = append(gone, t)
		}
	}
	slices.SortFunc(gone, func(a, b *track) int {
		return cmp.Or(strings.Compare(a.target.Name, b.target.Name), strings.Compare(a.target.ID, b.target.ID))
	})
	for _, t := range gone {
		for _, ru := range e.rules {
			if ru.on && !ru.pair && t.matched(ru.idx) {
				e.apply(ru, t, e.judge(ru, t, nil))
			}
		}
		e.evalPairs(t, nil)
		e.keep(t)
	}
}

// keep lists a track with a live entry for the next evaluation.
func (e *Engine) keep(t *track) {
	if t.live = t.entries != nil && t.anyLive(); t.live {
		e.live = append(e.live, t)
	}
}

// The scores of targets by which a rule was not judged, worse the less is known.
const (
	scoreUndecided = -1.0  // idle, too little traffic, partial, not there now
	scoreGone      = -1.25 // of a system that judged before, without a row now
	scoreNever     = -1.5  // of a system that never judged
	scoreNone      = -2.0
)

// candidate remembers the worst target of a rule for when none is active: one
// that could be judged before one that could not, then the amplification.
func (e *Engine) candidate(ru *rule, t *track, row *collector.Row, v verdict) {
	score := scoreUndecided
	switch {
	case v.why == WhyFalse || v.why == WhyTrue:
		score = amplitude(row.Values[collector.Amplification])
	case !t.everJudged(e, ru):
		score = scoreNever
	}
	if ru.worst == nil || score > ru.score {
		ru.worst, ru.score = t, score
	}
}

// standing is the score of the worst target before a reading is looked at: it
// gives way to any other that is there, unless its own system is gone and what
// is there cannot judge.
func (e *Engine) standing(ru *rule) float64 {
	if t := ru.worst; t != nil && t.everJudged(e, ru) {
		if blind, _, _ := e.blindness(ru, t); blind {
			return scoreGone
		}
	}
	return scoreNone
}

// settleClear follows since when nothing has been active.
func (e *Engine) settleClear() {
	for _, t := range e.live {
		for _, en := range t.entries {
			if en != nil && en.shown >= Pending {
				e.clear = time.Time{}
				return
			}
		}
	}
	if !e.clear.IsZero() {
		return
	}
	for _, ru := range e.rules {
		for _, s := range e.systemsOf(ru) {
			if s.sights[ru.idx].ever {
				e.clear = e.at
				return
			}
		}
	}
}

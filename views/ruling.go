package views

import (
	"slices"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// ruling is what the screens of the rules remember.
type ruling struct {
	chosen string // the rule that is pointed at, by name, of people's own by its id; "": the first
	first  int    // the first row on the screen
	page   int    // rows on it, as of the last frame
	own    own    // people's own rules

	rule    string             // the one that is tuned
	target  string             // Target.ID of the chart of it
	knobs   knobs              // those that arrows turn
	drafts  map[string][]draft // by rule: its numbers as they were turned, the newest last
	asked   asked
	serial  int                     // of the last question
	answers map[string]trial.Answer // the newest by rule

	answered int  // the serial of the newest answer
	waits    bool // for a proposal
	proposal ProposalMsg
}

// draft is a rule with other numbers, and how its past is looked at.
type draft struct {
	rule collector.RuleSpec
	lens trial.Lens
}

// knobs are two numbers that the arrows turn.
type knobs uint8

const (
	thresholdAndFor knobs = iota
	floorAndKeep
	rateAndEvery
	numKnobs

	// Of people's own rules the second pair is the interval of the evaluations and
	// keep, and there is no third.
	everyAndKeep = floorAndKeep
	numOwnKnobs  = everyAndKeep + 1
)

// farSteps is how many steps the keys for larger ones go.
const farSteps = 5

// mostTurns bounds what can be undone.
const mostTurns = 500

// asked is what the last question was about.
type asked struct {
	rule     string
	draft    collector.RuleSpec
	lens     trial.Lens
	force    collector.RuleSpec // the rule in force
	picture  watch.Snapshot
	at       time.Time // the newest reading of the picture
	span     time.Duration
	end      time.Time
	from, to time.Time // what the charts showed
}

// rulesNow are the rules in force, whatever the picture shows.
func (m *Model) rulesNow() []collector.RuleSpec { return m.live.Rules }

// ruleNow is a rule, ours or one of people's own, as it is in force.
func (m *Model) ruleNow(name string) (collector.RuleSpec, bool) {
	if r, ok := m.ownRule(name); ok {
		return r.spec(name), true
	}
	for _, r := range m.rulesNow() {
		if r.Name == name {
			return r, true
		}
	}
	return collector.RuleSpec{}, false
}

// chosenRule is the place of the rule of ours that is pointed at; 0 where it is
// one of people's own.
func (m *Model) chosenRule() int {
	return max(slices.IndexFunc(m.rulesNow(), func(r collector.RuleSpec) bool { return r.Name == m.ruling.chosen }), 0)
}

// pointRule points at another rule.
func (m *Model) pointRule(by int) {
	if len(m.rulesNow()) > 0 {
		m.ruling.chosen = m.ruleAt(min(max(m.rulePlace()+by, 0), m.rulePlaces()-1))
	}
}

// tunable is the rule that the key for tuning is about: the one that is pointed
// at, on other screens that of the verdict.
func (m *Model) tunable() (collector.RuleSpec, bool) {
	rules := m.rulesNow()
	if len(rules) == 0 || m.empty() || m.base.History.Len() < 2 || m.opt.Judge == nil {
		return collector.RuleSpec{}, false
	}
	if m.path.screen() == ruleList {
		if i, own := m.chosenOwn(); own {
			o := &m.ruling.own
			return o.rows[i].spec(o.ids[i]), o.served
		}
		r := rules[m.chosenRule()]
		return r, r.Both == ([2]string{})
	}
	for _, st := range m.shown.Statuses {
		if !st.Active() {
			break
		}
		if r, ok := m.ruleNow(st.Rule.Name); ok && r.Both == ([2]string{}) {
			return r, true
		}
	}
	for _, r := range rules {
		if r.Both == ([2]string{}) {
			return r, true
		}
	}
	return collector.RuleSpec{}, false
}

// startTuning opens the screen on which a rule is tuned.
func (m *Model) startTuning() {
	r, ok := m.tunable()
	if !ok {
		return
	}
	m.ruling.rule, m.ruling.chosen, m.ruling.knobs = r.Name, r.Name, thresholdAndFor
	if m.ruling.target = ""; !isOwn(r.Name) {
		m.ruling.target = m.targetOf(r.Name)
	}
	m.ruling.asked = asked{}
	m.enter(tuning)
}

// targetOf is the target on which a rule is worst; where it is calm now, that on
// which it was active last, else the one that the screen is about.
func (m *Model) targetOf(rule string) string {
	st, ok := m.worstOf(rule)
	if ok && st.Active() {
		return st.Target.ID
	}
	if list := m.disturbed(rule, 1); len(list) > 0 {
		return list[0]
	}
	if ok && st.Target.Name != "all" {
		return st.Target.ID
	}
	return m.subject().Target.ID
}

// disturbed are at most n targets on which a rule was active, the last one first.
func (m *Model) disturbed(rule string, n int) []string {
	var out []string
	for i := len(m.base.Events) - 1; i >= 0 && len(out) < n; i-- {
		if e := &m.base.Events[i]; e.Rule == rule && !slices.Contains(out, e.Target) && m.base.History.Has(e.Target) {
			out = append(out, e.Target)
		}
	}
	return out
}

// worstOf is the status of a rule on its worst target.
func (m *Model) worstOf(rule string) (alerts.Status, bool) {
	if i, ok := m.indexed().worst[rule]; ok {
		return m.shown.Statuses[i], true
	}
	return alerts.Status{}, false
}

// activeOn counts the targets on which a rule is pending or firing.
func (m *Model) activeOn(rule string) int { return m.indexed().active[rule] }

// draftOf is a rule with the numbers that were turned.
func (m *Model) draftOf(name string) collector.RuleSpec {
	is, _ := m.ruleNow(name)
	if list := m.ruling.drafts[name]; len(list) > 0 {
		d := list[len(list)-1].rule
		is.Threshold, is.For, is.KeepFiring, is.MinTraffic = d.Threshold, d.For, d.KeepFiring, d.MinTraffic
	}
	return is
}

// sameNumbers reports whether two rules have what can be turned in common.
func sameNumbers(a, b collector.RuleSpec) bool {
	return a.Threshold == b.Threshold && a.For == b.For && a.KeepFiring == b.KeepFiring && a.MinTraffic == b.MinTraffic
}

// tuned reports whether the numbers of a rule were turned, and are not in force.
func (m *Model) tuned(name string) bool {
	is, ok := m.ruleNow(name)
	return ok && len(m.ruling.drafts[name]) > 0 && !sameNumbers(is, m.draftOf(name))
}

// lensOf is how the past of a rule is looked at.
func (m *Model) lensOf(name string) trial.Lens {
	if list := m.ruling.drafts[name]; len(list) > 0 {
		return list[len(list)-1].lens
	}
	return trial.Lens{}
}

// redraft makes other numbers the draft of the rule that is tuned.
func (m *Model) redraft(to collector.RuleSpec, lens trial.Lens) {
	name := m.ruling.rule
	is := draft{m.draftOf(name), m.lensOf(name)}
	if sameNumbers(is.rule, to) && is.lens == lens {
		return
	}
	if m.ruling.drafts == nil {
		m.ruling.drafts = map[string][]draft{}
	}
	list := m.ruling.drafts[name]
	if len(list) == 0 {
		list = append(list, is) // the first step back is to what was in force
	}
	if list = append(list, draft{to, lens}); len(list) > mostTurns {
		list = list[len(list)-mostTurns:]
	}
	m.ruling.drafts[name] = list
}

// documentedRule is a rule with the numbers that stormtop brings.
func documentedRule(name string) (collector.RuleSpec, bool) {
	for _, r := range append(alerts.Documented(), alerts.Early()...) {
		if r.Name == name {
			return r, true
		}
	}
	return collector.RuleSpec{}, false
}

// turned is a rule after one step of a knob. The numbers in force and the
// documented ones are steps, too.
func (m *Model) turned(d draft, across, up bool) draft {
	is := &d.rule
	stops := make([]collector.RuleSpec, 0, 2)
	if r, ok := m.ruleNow(is.Name); ok {
		stops = append(stops, r)
	}
	if r, ok := documentedRule(is.Name); ok {
		stops = append(stops, r)
	}
	if isOwn(is.Name) {
		return m.turnedOwn(d, stops, across, up)
	}
	var thresholds, floors []float64
	var fors, keeps []time.Duration
	for _, r := range stops {
		thresholds, floors = append(thresholds, r.Threshold), append(floors, r.MinTraffic)
		fors, keeps = append(fors, r.For), append(keeps, r.KeepFiring)
	}
	switch {
	case m.ruling.knobs == rateAndEvery:
		d.lens = m.refocused(d.lens, across, up)
	case m.ruling.knobs == floorAndKeep && across:
		is.MinTraffic = tune.NextFloor(is.MinTraffic, up, floors...)
	case m.ruling.knobs == floorAndKeep:
		is.KeepFiring = tune.NextFor(is.KeepFiring, up, keeps...)
	case across:
		is.Threshold = tune.NextThreshold(*is, m.ruleUnit(*is), up, thresholds...)
	default:
		is.For = tune.NextFor(is.For, up, fors...)
	}
	return d
}

// turnedOwn is turned of one of people's own rules, which has no floor, and of
// which the range of the rates stands in its expression.
func (m *Model) turnedOwn(d draft, stops []collector.RuleSpec, across, up bool) draft {
	is := &d.rule
	var thresholds []float64
	var fors, keeps []time.Duration
	for _, r := range stops {
		thresholds, fors, keeps = append(thresholds, r.Threshold), append(fors, r.For), append(keeps, r.KeepFiring)
	}
	switch {
	case m.ruling.knobs == thresholdAndFor && across:
		if r, ok := m.ownRule(is.Name); ok && r.Tunable {
			is.Threshold = tune.NextThreshold(*is, collector.NoUnit, up, thresholds...)
		}
	case m.ruling.knobs == thresholdAndFor:
		is.For = tune.NextFor(is.For, up, fors...)
	case across:
		if step := m.ruling.answers[is.Name].Step; step > 0 {
			d.lens = seldom(d.lens, &collector.Origin{Interval: step}, up)
		}
	default:
		is.KeepFiring = tune.NextFor(is.KeepFiring, up, keeps...)
	}
	return d
}

// seldom is a lens with the next interval of evaluations.
func seldom(l trial.Lens, o *collector.Origin, up bool) trial.Lens {
	if l.Every = trial.NextEvery(o, l, up); l.Every == o.Interval {
		l.Every = 0
	}
	return l
}

// refocused is a lens after one step; what is as it was read is 0.
func (m *Model) refocused(l trial.Lens, across, up bool) trial.Lens {
	if m.base.Good == nil || m.base.Good.Origin == nil {
		return l
	}
	o := m.base.Good.Origin
	if across {
		if l.Rate = trial.NextRate(o, l, up); l.Rate == o.RateRange {
			l.Rate = 0
		}
		return l
	}
	return seldom(l, o, up)
}

func (m *Model) turnAcross(by int) { m.turnKnob(true, by) }
func (m *Model) turnUp(by int)     { m.turnKnob(false, by) }

// turnKnob turns a number by steps; a number that is farther than any is no step.
func (m *Model) turnKnob(across bool, by int) {
	to := draft{m.draftOf(m.ruling.rule), m.lensOf(m.ruling.rule)}
	for range min(max(by, -by), farSteps) {
		to = m.turned(to, across, by > 0)
	}
	m.redraft(to.rule, to.lens)
}

// turns reports whether a step changes anything.
func (m *Model) turns(across, up bool) bool {
	is := draft{m.draftOf(m.ruling.rule), m.lensOf(m.ruling.rule)}
	to := m.turned(is, across, up)
	return !sameNumbers(is.rule, to.rule) || is.lens != to.lens
}

func (m *Model) knobNext() {
	n := numKnobs
	if isOwn(m.ruling.rule) {
		n = numOwnKnobs
	}
	m.ruling.knobs = (m.ruling.knobs + 1) % n
}

// undo takes the last turn back.
func (m *Model) undo() {
	if list := m.ruling.drafts[m.ruling.rule]; len(list) > 1 {
		m.ruling.drafts[m.ruling.rule] = list[:len(list)-1]
	}
}

// reset goes back to the numbers in force, which can be undone.
func (m *Model) reset() {
	if is, ok := m.ruleNow(m.ruling.rule); ok {
		m.redraft(is, trial.Lens{})
	}
}

// land is the map of the rule that is tuned, where it was made.
func (m *Model) land() *trial.Landscape {
	if a, ok := m.ruling.answers[m.ruling.rule]; ok {
		return a.Land
	}
	return nil
}

// bestPoint is where the landscape is best; ok is false where nothing is known to
// tell good from bad.
func (m *Model) bestPoint() (to collector.RuleSpec, ok bool) {
	l := m.land()
	if l == nil || l.Map.Incidents == 0 || len(l.Map.Cells) == 0 || l.Advice.Cell.Missed == l.Map.Incidents {
		return to, false
	}
	to = m.draftOf(m.ruling.rule)
	to.Threshold, to.For = l.Advice.Threshold, l.Advice.For
	return to, true
}

func (m *Model) toBest() {
	if to, ok := m.bestPoint(); ok {
		m.redraft(to, m.lensOf(m.ruling.rule))
	}
}

// ruleUnit is the unit of a rule's threshold, as the target of the screen has it.
func (m *Model) ruleUnit(r collector.RuleSpec) collector.Unit {
	if isOwn(r.Name) {
		return collector.NoUnit
	}
	if st, ok := m.worstOf(r.Name); ok && st.Value.State.HasNumber() {
		return st.Value.Unit
	}
	if m.shown.Good != nil {
		for i := range m.shown.Good.Targets {
			if v := m.shown.Good.Targets[i].Values[r.Signal]; v.State.HasNumber() {
				return v.Unit
			}
		}
	}
	return r.Signal.Unit()
}

// patience is how much newer the data must be before the past is judged again.
func (m *Model) patience() time.Duration { return max(15*time.Second, m.time.span/240) }

// retune asks for a judgement where the last one is of something else, or old.
func (m *Model) retune() {
	if m.path.screen() != tuning || m.opt.Judge == nil || m.base.History.Len() < 2 {
		return
	}
	q := &m.ruling.asked
	force, ok := m.ruleNow(m.ruling.rule)
	if !ok {
		return
	}
	draft, lens, last := m.draftOf(force.Name), m.lensOf(force.Name), m.base.History.Time(m.base.History.Len()-1)
	moved := q.rule != force.Name || q.span != m.time.span || q.end != m.time.end || len(q.picture.Marks) != len(m.base.Marks) ||
		last.Sub(q.at).Abs() >= m.patience() || !sameNumbers(q.force, force) || q.force.Off != force.Off
	if !moved && sameNumbers(q.draft, draft) && q.lens == lens {
		return
	}
	if moved {
		*q = asked{rule: force.Name, force: force, picture: m.base, at: last, span: m.time.span, end: m.time.end, from: m.begin(), to: m.edge()}
	}
	q.draft, q.lens = draft, lens
	m.ruling.serial++
	ask := Query{Serial: m.ruling.serial, Snapshot: q.picture, From: q.from, To: q.to, Rules: m.rulesNow(), Draft: draft, Lens: lens}
	if r, ok := m.ownRule(force.Name); ok {
		ask.Own, ask.Force = r.ID, force
	}
	m.opt.Judge(ask)
}

package views

import (
	"slices"
	"strings"

	"stormtop/alerts/trial"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// judged takes an answer. One that is older than what is shown comes too late.
func (m *Model) judged(msg JudgedMsg) {
	if msg.Serial > m.ruling.serial || msg.Serial < m.ruling.answered {
		return
	}
	if m.ruling.answers == nil {
		m.ruling.answers = map[string]trial.Answer{}
	}
	m.ruling.answered = msg.Serial
	msg.Answer.Evidence, msg.Answer.Truth = collector.Clean(msg.Answer.Evidence), collector.Clean(msg.Answer.Truth)
	if old, ok := m.ruling.answers[msg.Answer.Rule]; ok && msg.Answer.Land == nil {
		msg.Answer.Land = old.Land // until the new one comes
	}
	m.ruling.answers[msg.Answer.Rule] = msg.Answer
	if m.path.screen() == tuning {
		m.fresh = false
	}
}

// use puts the numbers of the rule that is tuned in force.
func (m *Model) use() {
	is, ok := m.ruleNow(m.ruling.rule)
	to := m.draftOf(m.ruling.rule)
	if !ok {
		return
	}
	to.Off = false
	said := m.nameOf(to.Name) + ": " + m.numbersOf(to) + " (before: " + m.numbersOf(is) + ")"
	if sameNumbers(is, to) {
		said = m.nameOf(to.Name) + " switched on"
	}
	m.putInForce(to, said)
	lens := m.lensOf(to.Name)
	delete(m.ruling.drafts, to.Name)
	if lens != (trial.Lens{}) { // the source goes on as it did
		m.ruling.drafts[to.Name] = []draft{{to, lens}}
	}
}

// numbersOf are what of a rule can be turned: "> 1.5x for 1m".
func (m *Model) numbersOf(r collector.RuleSpec) string {
	if own, ok := m.ownRule(r.Name); ok {
		text := "for " + collector.FormatInterval(r.For)
		if own.Tunable {
			text = r.Compare.String() + " " + collector.FormatThreshold(r.Threshold, collector.NoUnit) + " " + text
		}
		if r.KeepFiring > 0 {
			text += ", keep " + collector.FormatInterval(r.KeepFiring)
		}
		return text
	}
	return strings.Join(nonEmpty(r.Compare.String()+" "+collector.FormatThreshold(r.Threshold, m.ruleUnit(r))+" for "+collector.FormatInterval(r.For), extras(r)), ", ")
}

// extras are the numbers of a rule that mostly are as they always are.
func extras(r collector.RuleSpec) string {
	var parts []string
	if r.KeepFiring > 0 {
		parts = append(parts, "keep "+collector.FormatInterval(r.KeepFiring))
	}
	return strings.Join(append(parts, "floor "+collector.FormatThreshold(r.MinTraffic, collector.PerSecond)), ", ")
}

// switchRule switches the rule that is pointed at on or off.
func (m *Model) switchRule() {
	to, ok := m.pointedRule()
	if !ok {
		return
	}
	to.Off = !to.Off
	said := m.nameOf(to.Name) + " switched on"
	if to.Off {
		said = m.nameOf(to.Name) + " switched off"
	}
	m.putInForce(to, said)
}

// pointedRule is the rule that is pointed at, ours or one of people's own.
func (m *Model) pointedRule() (collector.RuleSpec, bool) {
	if i, own := m.chosenOwn(); own {
		return m.ruling.own.rows[i].spec(m.ruling.own.ids[i]), true
	}
	if rules := m.rulesNow(); len(rules) > 0 {
		return rules[m.chosenRule()], true
	}
	return collector.RuleSpec{}, false
}

// putInForce asks for a rule in place of the one with its name.
func (m *Model) putInForce(to collector.RuleSpec, said string) {
	if isOwn(to.Name) {
		m.putOwnInForce(to, said)
		return
	}
	rules := slices.Clone(m.rulesNow())
	for i := range rules {
		if rules[i].Name == to.Name {
			rules[i] = to
		}
	}
	m.live.Rules = rules // as they will come back
	m.opt.SetRules(rules, said)
	m.notify(NoticeMsg{Text: said})
}

// propose asks for the rule file of the rules as they are tuned.
func (m *Model) propose() {
	w := Wanted{Snapshot: m.base, Rules: slices.Clone(m.rulesNow())}
	for i := range w.Rules {
		r := &w.Rules[i]
		if r.Both == ([2]string{}) {
			*r = m.draftOf(r.Name)
		}
		if a, ok := m.ruling.answers[r.Name]; ok && sameNumbers(a.Now.Rule, *r) {
			w.Evidence = append(w.Evidence, a)
		}
	}
	m.proposeOwn(&w)
	w.Lens = m.lensOf(m.ruling.rule)
	m.ruling.serial++
	w.Serial, m.ruling.waits = m.ruling.serial, true
	m.opt.Propose(w)
}

// proposeOwn adds people's own rules that have other numbers than they were read
// with, in force here or not.
func (m *Model) proposeOwn(w *Wanted) {
	o := &m.ruling.own
	for i, name := range o.ids {
		if r := &o.rows[i]; !r.Changed && !m.tuned(name) {
			continue
		}
		to := m.draftOf(name)
		w.Own = append(w.Own, OwnDraft{ID: o.rows[i].ID, Name: name, To: to})
		if a, ok := m.ruling.answers[name]; ok && sameNumbers(a.Now.Rule, to) {
			w.Evidence = append(w.Evidence, a)
		}
	}
}

// proposed shows a rule file before it is written, unless somebody has gone on.
func (m *Model) proposed(p ProposalMsg) {
	if !m.ruling.waits || p.Serial != m.ruling.serial {
		return
	}
	p.Name = collector.Clean(p.Name)
	m.ruling.proposal, m.ruling.waits, m.fresh = p, false, false
	m.enter(proposing)
}

// confirm writes the file that is shown.
func (m *Model) confirm() {
	m.path = m.path.back()
	m.opt.Write(m.ruling.proposal.Serial)
}

// proposalRows show what would be written.
func (m *Model) proposalRows() []string {
	p := &m.ruling.proposal
	l := m.line().put(m.styles.strong, " RULE FILE  "+m.text(p.Name))
	said := "  new"
	switch {
	case p.Same:
		said = "  is like this already"
	case p.Exists:
		said = "  what would change"
	}
	out := []string{l.put(m.styles.plain, said).String()}
	if !p.Same {
		out = append(out, m.line().put(m.styles.plain, " Nothing is written yet: ").put(m.styles.key, "enter").
			put(m.styles.plain, " writes it, ").put(m.styles.key, "esc").put(m.styles.plain, " does not.").String())
	}
	for _, n := range p.Notes {
		for i, part := range wrap(m.text(collector.Clean(n)), m.width-4) {
			sign := "   "
			if i == 0 {
				sign = " ! "
			}
			out = append(out, m.line().put(m.styles.pending, sign).put(m.styles.dim, part).String())
		}
	}
	out = append(out, "")
	for line := range strings.SplitSeq(strings.TrimRight(p.Difference, "\n"), "\n") {
		st := m.styles.dim
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			st = m.styles.plain
		}
		out = append(out, m.line().put(st, m.text(collector.Clean(line))).String())
	}
	return out
}

// ruleKeys switches on the keys of the rules that do something now.
func (m *Model) ruleKeys(k *KeyMap, covered bool) {
	screen, any := m.path.screen(), len(m.rulesNow()) > 0
	_, tunable := m.tunable()
	here := !covered && screen == tuning && any
	listed := !covered && screen == ruleList && any
	k.Rules.SetEnabled(any && m.base.History.Len() > 0 && screen != ruleList)
	k.Tune.SetEnabled(!covered && screen != tuning && tunable)
	k.Write.SetEnabled((here || listed) && m.opt.Propose != nil)
	k.Confirm.SetEnabled(m.path.mode() == proposing && !m.ruling.proposal.Same && m.opt.Write != nil)
	pointed, _ := m.pointedRule()
	k.Switch.SetEnabled(listed && m.canSet(pointed.Name))
	if listed {
		does(&k.Switch, "switch "+m.nameOf(pointed.Name)+onOff(pointed.Off), k.Switch.Enabled())
		at, last := m.rulePlace(), m.rulePlaces()-1
		does(&k.Up, "select the rule above", at > 0)
		does(&k.Down, "select the rule below", at < last)
		k.PageUp.SetEnabled(at > 0)
		k.PageDown.SetEnabled(at < last)
		does(&k.Top, "the first rule", at > 0)
		does(&k.Bottom, "the last rule", at < last)
	}
	list := m.ruling.drafts[m.ruling.rule]
	best, hasBest := m.bestPoint()
	now, _ := m.ruleNow(m.ruling.rule)
	k.Use.SetEnabled(here && m.canSet(m.ruling.rule) && !m.canRetry() && (m.tuned(m.ruling.rule) || now.Off))
	k.NextKnob.SetEnabled(here)
	k.Undo.SetEnabled(here && len(list) > 1)
	k.Reset.SetEnabled(here && (m.tuned(m.ruling.rule) || m.lensOf(m.ruling.rule) != (trial.Lens{})))
	k.Best.SetEnabled(here && hasBest && !sameNumbers(best, m.draftOf(m.ruling.rule)))
	if !here {
		return
	}
	across, up, _ := m.knobWords()
	does(&k.Left, across+": a step down", m.turns(true, false))
	does(&k.Right, across+": a step up", m.turns(true, true))
	does(&k.FarLeft, across+": five steps down", m.turns(true, false))
	does(&k.FarRight, across+": five steps up", m.turns(true, true))
	does(&k.Up, up+": a step longer", m.turns(false, true))
	does(&k.Down, up+": a step shorter", m.turns(false, false))
	does(&k.PageUp, up+": five steps longer", m.turns(false, true))
	does(&k.PageDown, up+": five steps shorter", m.turns(false, false))
	for _, b := range []interface{ SetEnabled(bool) }{&k.Top, &k.Bottom, &k.Learn, &k.Again} {
		b.SetEnabled(false)
	}
}

// markWord is what a mark is for while a rule is tuned: where it is known what
// was an incident, marks bound none.
func (m *Model) markWord() string {
	if m.ruling.answers[m.ruling.rule].Sure {
		return "mark"
	}
	return "mark incident"
}

// canSet reports whether a rule can be put in force with other numbers, or off.
func (m *Model) canSet(name string) bool {
	if isOwn(name) {
		return m.opt.SetOwn != nil && m.ruling.own.served
	}
	return m.opt.SetRules != nil
}

// knobWords are what the arrows turn, and what they turn after the next tab.
func (m *Model) knobWords() (across, up, next string) {
	if isOwn(m.ruling.rule) {
		if m.ruling.knobs == everyAndKeep {
			return "interval", "keep", "threshold, for"
		}
		return "threshold", "for", "interval, keep"
	}
	switch m.ruling.knobs {
	case floorAndKeep:
		return "floor", "keep", "rate, interval"
	case rateAndEvery:
		return "rate", "interval", "threshold, for"
	}
	return "threshold", "for", "floor, keep"
}

// onOff is what a switch of a rule does.
func onOff(off bool) string {
	if off {
		return " on"
	}
	return " off"
}

// ruleHints are the keys of the rules and of the tuning in the footer.
func (m *Model) ruleHints(k KeyMap, freeze string) []hint {
	updown, across := k.Up, k.Right
	updown.SetEnabled(k.Up.Enabled() || k.Down.Enabled())
	across.SetEnabled(k.Left.Enabled() || k.Right.Enabled())
	updown.SetHelp("↑↓", "")
	across.SetHelp("←→", "")
	if m.path.screen() == ruleList {
		sw := "off"
		if r, ok := m.pointedRule(); ok && r.Off {
			sw = "on"
		}
		return []hint{
			{k.Help, "help"}, {k.Retry, "try again"}, {k.Live, "live"}, {updown, "rule"}, {k.Tune, "tune"}, {k.Switch, "switch " + sw}, {k.Write, "write"},
			{k.Back, "back"}, {across, "cursor"}, {k.Mark, "mark"}, {k.Events, "events"}, {k.Freeze, freeze}, {k.Glyphs, m.set.String()}, {k.Theme, m.theme.String()},
		}
	}
	first, second, other := m.knobWords()
	return []hint{
		{k.Retry, "try again"}, {across, first}, {updown, second}, {k.Use, "use"}, {k.Undo, "undo"}, {k.Write, "write"}, {k.Back, "back"}, {k.Help, "help"},
		{k.Mark, m.markWord()}, {k.Best, "best"}, {k.NextKnob, other}, {k.Reset, "reset"}, {k.ZoomOut, "more time"}, {k.Live, "live"}, {k.Freeze, freeze},
		{k.Rules, "rules"}, {k.Glyphs, m.set.String()}, {k.Theme, m.theme.String()},
	}
}

// ruleWordOf names a rule where there is no room for its name.
func ruleWordOf(r collector.RuleSpec) string {
	if r.Both != ([2]string{}) {
		return "retry storm"
	}
	return verdict.SignalWord(r.Signal)
}

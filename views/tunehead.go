package views

import (
	"cmp"

	"stormtop/alerts/trial"
	"stormtop/collector"
)

// tuneHead is the name of the rule with its numbers, those that the arrows turn
// between signs, and where asked for what it is judged by.
func (m *Model) tuneHead(is, draft collector.RuleSpec, a trial.Answer, evidence bool) []string {
	parts := m.knobParts(is, draft, a)
	switch {
	case m.tuned(is.Name):
		parts = append(parts, textRow{{m.styles.pending, "not in force", 0}})
	case is.Off:
		parts = append(parts, textRow{{m.styles.pending, "off", 0}})
	default:
		parts = append(parts, textRow{{m.styles.dim, "in force", 0}})
	}
	if evidence && a.Rule != "" {
		parts = append(parts, m.evidenceParts(a)...)
	}
	name := textRow{{m.styles.strong, " TUNE " + m.text(fit(m.nameOf(is.Name), max(m.width-8, 1), m.glyphs.ellipsis)), 0}}
	if m.width < 60 {
		name = textRow{{m.styles.strong, " TUNE", 0}}
	}
	return m.drawn(m.flowing(name, 6, parts))
}

// knobPart is one number, between signs where the arrows turn it.
func (m *Model) knobPart(name, value string, turns, changed bool) textRow {
	row := textRow{{m.styles.dim, name + " ", 0}}
	if turns {
		return append(row, span{m.styles.key, m.glyphs.less + " ", 0}, span{m.styles.strong, m.text(value), 0}, span{m.styles.key, " " + m.glyphs.more, 0})
	}
	look := m.styles.plain
	if changed {
		look = m.styles.strong
	}
	return append(row, span{look, m.text(value), 0})
}

// knobParts are all numbers of a rule that can be turned.
func (m *Model) knobParts(is, draft collector.RuleSpec, a trial.Answer) []textRow {
	var parts []textRow
	knob := func(name, value string, turns, changed bool) {
		parts = append(parts, m.knobPart(name, value, turns, changed))
	}
	lens := m.lensOf(is.Name)
	first, second, third := m.ruling.knobs == thresholdAndFor, m.ruling.knobs == floorAndKeep, m.ruling.knobs == rateAndEvery
	if own, ok := m.ownRule(is.Name); ok {
		if own.Tunable {
			knob("threshold "+is.Compare.String(), collector.FormatThreshold(draft.Threshold, collector.NoUnit), first, draft.Threshold != is.Threshold)
		}
		knob("for", collector.FormatInterval(draft.For), first, draft.For != is.For)
		knob("keep", collector.FormatInterval(draft.KeepFiring), second, draft.KeepFiring != is.KeepFiring)
		if every := cmp.Or(lens.Every, a.Every); every > 0 {
			knob("evaluated every", collector.FormatInterval(every), second, lens.Every != 0)
		}
		return parts
	}
	knob("threshold "+is.Compare.String(), collector.FormatThreshold(draft.Threshold, m.ruleUnit(is)), first, draft.Threshold != is.Threshold)
	knob("for", collector.FormatInterval(draft.For), first, draft.For != is.For)
	knob("floor", collector.FormatThreshold(draft.MinTraffic, collector.PerSecond), second, draft.MinTraffic != is.MinTraffic)
	knob("keep", collector.FormatInterval(draft.KeepFiring), second, draft.KeepFiring != is.KeepFiring)
	rate, every := m.rateRange(), "–"
	if o := m.base.Good.Origin; o != nil && o.Interval > 0 {
		every = collector.FormatInterval(o.Interval)
	}
	if lens.Rate != 0 {
		rate = collector.FormatInterval(lens.Rate)
	}
	if lens.Every != 0 {
		every = collector.FormatInterval(lens.Every)
	}
	knob("rate", rate, third && (m.turns(true, true) || m.turns(true, false)), lens.Rate != 0)
	if third || lens.Every != 0 {
		knob("evaluated every", every, third, lens.Every != 0)
	}
	return parts
}

// evidenceParts say what the figures are of, how much they prove, and how it is
// known what was an incident.
func (m *Model) evidenceParts(a trial.Answer) []textRow {
	look := m.styles.plain
	if a.Weak {
		look = m.styles.pending
	}
	out := []textRow{{{m.styles.dim, m.ruleTime(a.From, a.To), 0}}}
	if a.Problem != "" {
		out = append(out, textRow{{m.styles.pending, m.text(collector.Clean(a.Problem)), 0}})
	}
	truth := func(row textRow) []textRow {
		out = append(out, row)
		if a.Truth != "" {
			out = append(out, textRow{{m.styles.dim, "truth: ", 0}, {m.styles.plain, m.text(fit(a.Truth, max(m.width-14, 1), m.glyphs.ellipsis)), 0}})
		}
		return out
	}
	switch {
	case a.Before.Incidents > 0 || len(a.LeftOut) > 0:
		return truth(textRow{{look, m.text(a.Evidence), 0}})
	case a.Sure:
		return truth(textRow{{m.styles.plain, "no incident here: every firing is false alarm", 0}})
	}
	if n := len(m.base.Marks); n%2 == 1 {
		return append(out, textRow{{look, "an incident begins at " + m.clock(m.base.Marks[n-1].At) + ": ", 0}, {m.styles.key, "m", 0}, {look, " marks its end", 0}})
	}
	return append(out, textRow{{look, "no incident is marked: ", 0}, {m.styles.key, "m", 0}, {look, " marks start and end", 0}})
}

package views

import (
	"charm.land/bubbles/v2/key"

	"stormtop/collector"
)

// hint is a key in the footer and what it does there, in a word.
type hint struct {
	key  key.Binding
	does string
}

// hints are the keys in the order of their importance, on the present screen.
func (m *Model) hints(k KeyMap) []hint {
	freeze, target := "freeze", "target"
	if m.frozen {
		freeze = "thaw"
	}
	if m.plays() {
		if freeze = "pause"; m.playing.paused {
			freeze = "play"
		}
	}
	updown := k.Up
	updown.SetHelp("↑↓", "")
	cursor := k.Left
	cursor.SetEnabled(k.Left.Enabled() || k.Right.Enabled())
	cursor.SetHelp("←→", "")
	if !m.path.mode().covers() && (m.path.screen() == chain || m.path.screen() == lab) {
		return m.rigHints(k, freeze)
	}
	if !m.path.mode().covers() && (m.path.screen() == ruleList || m.path.screen() == tuning) {
		return m.ruleHints(k, freeze)
	}
	if m.scrolls() {
		return []hint{
			{k.Confirm, "write it"},
			{k.Back, "back"}, {k.Live, "live"}, {updown, m.scrollHint()}, {k.Explain, "explain"}, {k.Copy, "copy"}, {k.Learn, "baseline"}, {k.Mark, "mark"},
			{k.Freeze, freeze}, {cursor, "cursor"}, {k.Help, "help"}, {k.Glyphs, m.set.String()}, {k.Theme, m.theme.String()},
		}
	}
	back := "follow the worst"
	switch {
	case m.path.screen() != targets:
	case m.list.filter.text != "":
		back = "clear filter"
	default:
		back = "back"
	}
	live := "live"
	if m.virtual() {
		live = "now"
	}
	shown := []hint{{k.Help, "help"}, {k.Retry, "try again"}, {k.Live, live}, {k.Lab, "lab"}, {k.Chain, "chain"}}
	if m.steers() {
		shown = append(shown, hint{m.speedKey(k), "speed"})
	}
	if m.plays() {
		jump := k.JumpBack
		jump.SetHelp("[]", "")
		shown = append(shown, hint{k.Freeze, freeze}, hint{m.speedKey(k), "speed"}, hint{jump, "jump"}, hint{k.Again, "again"}, hint{cursor, "cursor"}, hint{k.Mark, "mark"})
		k.Freeze.SetEnabled(false)
		k.Mark.SetEnabled(false)
		cursor.SetEnabled(false)
	}
	if m.path.screen() == events {
		if back = "back"; m.log.filter.text != "" {
			back = "clear filter"
		}
		return append(shown, hint{k.Back, back}, hint{k.Open, "cursor there"}, hint{k.Filter, "filter"}, hint{updown, "event"},
			hint{k.Mark, "mark"}, hint{k.Zone, "zone"}, hint{k.Freeze, freeze})
	}
	if m.path.screen() == targets {
		shown = append(shown, hint{k.Back, back}, hint{k.Open, "open"}, hint{k.Filter, "filter"}, hint{k.Sort, "sort"})
	} else {
		shown = append(shown, hint{updown, target}, hint{k.Back, back}, hint{k.Targets, "targets"}, hint{k.Open, "open"})
	}
	return append(shown, hint{k.Mark, "mark"}, hint{cursor, "cursor"}, hint{k.Tune, "tune"}, hint{k.Rules, "rules"}, hint{k.Events, "events"}, hint{k.Group, "group"}, hint{k.System, "profile"}, hint{k.Explain, "explain"}, hint{k.Learn, "baseline"},
		hint{k.Freeze, freeze}, hint{k.Glyphs, m.set.String()}, hint{k.Theme, m.theme.String()})
}

// speedKey stands for both keys of the speed.
func (m *Model) speedKey(k KeyMap) key.Binding {
	speed := k.Faster
	speed.SetHelp("<>", "")
	speed.SetEnabled(k.Faster.Enabled() || k.Slower.Enabled())
	return speed
}

// rigHints are the keys of the Lab and the Chain.
func (m *Model) rigHints(k KeyMap, freeze string) []hint {
	out := []hint{{k.Help, "help"}, {k.Retry, "try again"}, {k.Live, "live"}}
	if m.frozen {
		out = append(out, hint{k.Freeze, freeze})
		k.Freeze.SetEnabled(false)
	}
	if m.path.screen() == lab {
		if m.rig.live != nil && m.rig.live.Over { // these keys only say so
			for _, refused := range []*key.Binding{&k.JumpBack, &k.JumpOn, &k.Act, &k.NextRepair, &k.Outage, &k.Delay, &k.Growth} {
				refused.SetEnabled(false)
			}
		}
		lever, _ := m.lever()
		out = append(out, hint{k.Explain, "story"}, hint{k.NextLever, "lever"}, hint{k.JumpBack, m.stepHint(lever.StepDown())}, hint{k.JumpOn, m.stepHint(lever.StepUp())},
			hint{k.Act, m.actHint()}, hint{k.NextRepair, "repair"}, hint{k.Outage, "outage"}, hint{k.Delay, "delay"}, hint{k.Growth, "load"},
			hint{k.Chain, "chain"}, hint{m.speedKey(k), "speed"}, hint{k.Again, "restart"}, hint{k.NewSeed, "new seed"})
	} else {
		scroll := k.Up
		scroll.SetHelp("↑↓", "")
		out = append(out, hint{k.Lab, "lab"}, hint{scroll, m.scrollHint()}, hint{k.Explain, "story"}, hint{m.speedKey(k), "speed"})
	}
	return append(out, hint{k.Overview, "overview"}, hint{k.Back, "back"}, hint{k.Mark, "mark"}, hint{k.Events, "events"}, hint{k.Freeze, freeze}, hint{k.Glyphs, m.set.String()}, hint{k.Theme, m.theme.String()})
}

// stepHint says where a step of the selected lever leads.
func (m *Model) stepHint(value string) string {
	return "to " + fit(m.text(collector.Clean(value)), 10, m.glyphs.ellipsis)
}

// actHint says what enter does with what is selected in the Lab.
func (m *Model) actHint() string {
	if s, _, _ := m.selectedSpot(); s.kind == faultSpot {
		return "switch"
	}
	return "do it"
}

// scrollHint says how much of a text is below the screen.
func (m *Model) scrollHint() string {
	if below := m.scroll.most - m.scroll.first; below > 0 {
		return "scroll, " + collector.FormatCount(float64(below)) + " more"
	}
	return "scroll"
}

// footer lists the keys that do something now, quit at the right. While the
// filter is typed, it is the line of the filter.
func (m *Model) footer() string {
	if m.path.mode().types() {
		return m.typingLine()
	}
	k := m.active(m.path.mode().covers())
	hints, l := m.hints(k), m.line()
	if m.mouse {
		hints = append([]hint{{k.Mouse, "mouse off"}}, hints...)
	}
	const quit = "q quit "
	for _, h := range hints {
		if !h.key.Enabled() {
			continue
		}
		text := m.text(h.key.Help().Key)
		if 1+textWidth(text)+1+textWidth(h.does)+2+len(quit) > l.room() {
			break
		}
		l.put(m.styles.plain, " ").put(m.styles.key, text).put(m.styles.dim, " "+h.does+" ")
	}
	l.pad(m.styles.plain, l.width-len(quit))
	return l.put(m.styles.key, "q").put(m.styles.dim, " quit ").String()
}

package views

import (
	"fmt"
	"io"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
)

// KeyMap binds keys to what they do. Help, footer and the README's table are
// made from it.
type KeyMap struct {
	Help, Overview, Targets, Events, Freeze key.Binding
	Chain, Lab                              key.Binding
	Left, Right, FarLeft, FarRight, Live    key.Binding
	ZoomIn, ZoomOut, Earlier, Later         key.Binding
	Mark, Zone                              key.Binding
	Slower, Faster, JumpBack, JumpOn, Again key.Binding
	Up, Down, PageUp, PageDown, Top, Bottom key.Binding
	Open, Retry, Back, Explain              key.Binding
	Filter, Sort, Group, System, Learn      key.Binding
	NextLever, LastLever, NextRepair, Act   key.Binding
	Outage, Delay, Growth, NewSeed          key.Binding
	Rules, Tune, Switch, Use, NextKnob      key.Binding
	Undo, Reset, Best, Write, Confirm       key.Binding
	Keep, Record, Copy, Mouse               key.Binding
	Glyphs, Theme, Suspend, Quit            key.Binding
}

// Keys is the key map of stormtop.
func Keys() KeyMap {
	bind := func(label, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, does))
	}
	return KeyMap{
		Help:       bind("?", "help for this screen", "?", "f1"),
		Overview:   bind("1", "overview", "1"),
		Targets:    bind("2", "all targets", "2"),
		Chain:      bind("3", "chain of a simulation: what each layer makes of a request, and where to cut first", "3"),
		Lab:        bind("5", "lab of a simulation: break it, turn its levers, repair it", "5"),
		Rules:      bind("4", "rules: every rule with its state and its history", "4"),
		Tune:       bind("t", "tune the rule that leads, or the selected one: judge what happened by other numbers", "t"),
		Switch:     bind("x", "rules: switch the selected rule on, off", "x"),
		Use:        bind("enter", "tuning: put the numbers in force here", "enter"),
		NextKnob:   bind("tab", "tuning: what the arrows turn: threshold and for; floor and keep; range of the rates and evaluation interval", "tab"),
		Undo:       bind("u", "tuning: undo the last turn", "u"),
		Reset:      bind("R", "tuning: back to the numbers in force", "R"),
		Best:       bind("b", "tuning: to the best point of the landscape", "b"),
		Write:      bind("w", "write the rules as a Prometheus rule file; shows what would change, and asks", "w"),
		Confirm:    bind("enter", "write the file that is shown", "enter"),
		Events:     bind("6", "events: what happened, newest first", "6"),
		Left:       bind("←", "time cursor: a reading back; every number becomes the number there", "left"),
		Right:      bind("→", "time cursor: a reading on", "right"),
		FarLeft:    bind("shift+←", "time cursor: ten readings back, or a twelfth of the span", "shift+left"),
		FarRight:   bind("shift+→", "time cursor: ten readings on, or a twelfth of the span", "shift+right"),
		ZoomIn:     bind("+", "zoom: a shorter span", "+", "="),
		ZoomOut:    bind("-", "zoom: a longer span", "-"),
		Earlier:    bind(",", "charts: half a span back", ","),
		Later:      bind(".", "charts: half a span on", "."),
		Live:       bind("0", "back to live: cursor off, span as it was", "0"),
		Mark:       bind("m", "mark the instant with a text, and compare before and now; twice: an incident's start and end", "m"),
		Zone:       bind("z", "time zone: UTC, local", "z"),
		Slower:     bind("<", "replay, simulation: slower", "<"),
		Faster:     bind(">", "replay, simulation: faster", ">"),
		JumpBack:   bind("[", "replay: half a span back; lab: the selected lever a step down", "["),
		JumpOn:     bind("]", "replay: half a span on; lab: the selected lever a step up", "]"),
		Again:      bind("R", "replay: again from the cursor, without one from the beginning; lab: restart with the same seed", "R"),
		NextLever:  bind("tab", "lab: the next lever; arrows select, too", "tab"),
		LastLever:  bind("shift+tab", "lab: the lever before", "shift+tab"),
		Outage:     bind("o", "lab: an outage, and its end", "o"),
		Delay:      bind("d", "lab: a delay of 300ms, and its end", "d"),
		Growth:     bind("u", "lab: the load up, and down again", "u"),
		NextRepair: bind("n", "lab: the next repair", "n"),
		Act:        bind("enter", "lab: do the selected repair, switch the selected fault", "enter"),
		NewSeed:    bind("N", "lab: restart with a new seed", "N"),
		Freeze:     bind("space", "freeze the picture, thaw it; pause a replay, play on", "space"),
		Up:         bind("↑", "select the target above; scroll", "up", "k"),
		Down:       bind("↓", "select the target below; scroll", "down", "j"),
		PageUp:     bind("pgup", "a page up", "pgup"),
		PageDown:   bind("pgdn", "a page down", "pgdown"),
		Top:        bind("home", "the first target; the beginning", "home"),
		Bottom:     bind("end", "the last target; the end", "end"),
		Open:       bind("enter", "open the target: all its signals, and who calls it; on an event, the cursor goes there", "enter"),
		Retry:      bind("enter", "while polling stands still: try again", "enter"),
		Back:       bind("esc", "back; let the worst target lead again", "esc"),
		Explain:    bind("i", "explain the numbers of the target", "i"),
		Filter:     bind("/", "targets, events: filter by a regular expression; ! inverts", "/"),
		Sort:       bind("s", "targets: sort by the worst, by each column, by name", "s"),
		Group:      bind("G", "group by service, caller, cluster, instance", "G"),
		System:     bind("p", "profile: all systems that were found, then each alone", "p"),
		Learn:      bind("b", "learn the baseline, the healthy fan-out, from the past", "b"),
		Keep:       bind("S", "snapshot: writes two files here, stormtop-TIME.rec (see --replay) and .txt", "S"),
		Record:     bind("r", "record what comes to a file, stop; without --record=FILE to stormtop-TIME-live.rec", "r"),
		Copy:       bind("y", "copy the verdict, the target, its queries, the events, the rules or what the last change did, and show that as text", "y"),
		Mouse:      bind("M", "mouse: click selects, wheel scrolls; off, so that text can be selected", "M"),
		Glyphs:     bind("g", "glyphs: braille, block, ASCII", "g"),
		Theme:      bind("T", "theme: dark, light", "T"),
		Suspend:    bind("ctrl+z", "suspend", "ctrl+z"),
		Quit:       bind("q", "quit", "q", "ctrl+c"),
	}
}

// keyGroup is keys that belong together.
type keyGroup struct {
	title string
	keys  []key.Binding
}

// groups are all keys in the order of the help screen.
func (k KeyMap) groups() []keyGroup {
	return []keyGroup{
		{"SCREENS", []key.Binding{k.Help, k.Overview, k.Targets, k.Chain, k.Rules, k.Lab, k.Events, k.Open, k.Explain, k.Back, k.Retry, k.Quit, k.Suspend}},
		{"LISTS", []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.Filter, k.Sort}},
		{"TIME", []key.Binding{k.Freeze, k.Left, k.Right, k.FarLeft, k.FarRight, k.ZoomIn, k.ZoomOut, k.Earlier, k.Later, k.Live, k.Mark, k.Zone}},
		{"REPLAY AND LAB", []key.Binding{k.Slower, k.Faster, k.JumpBack, k.JumpOn, k.Again, k.NewSeed, k.NextLever, k.LastLever, k.NextRepair, k.Act, k.Outage, k.Delay, k.Growth}},
		{"RULES", []key.Binding{k.Tune, k.NextKnob, k.Best, k.Undo, k.Reset, k.Use, k.Switch, k.Write, k.Confirm}},
		{"DATA", []key.Binding{k.Group, k.System, k.Learn}},
		{"KEEP AND TELL", []key.Binding{k.Keep, k.Record, k.Copy}},
		{"LOOK", []key.Binding{k.Glyphs, k.Theme, k.Mouse}},
	}
}

// Bindings lists the keys in the order of the help screen.
func (k KeyMap) Bindings() []key.Binding {
	var out []key.Binding
	for _, g := range k.groups() {
		out = append(out, g.keys...)
	}
	return out
}

// active is the key map with those keys switched off that do nothing now.
func (m *Model) active(covered bool) KeyMap {
	k := m.keys
	screen, good, rows := m.path.screen(), m.shown.Good != nil, len(m.shown.Order) > 0
	listing := !covered && (screen == overview || screen == targets)
	moves := rows && listing
	if covered || m.scrolls() {
		moves = m.scroll.most > 0
	}
	if screen == events && !covered {
		moves = len(m.happened()) > 0
	}
	k.Overview.SetEnabled(screen != overview)
	k.Targets.SetEnabled(rows && screen != targets)
	k.Freeze.SetEnabled(good && !m.ended)
	k.Explain.SetEnabled(good)
	for _, b := range []*key.Binding{&k.Up, &k.Down, &k.PageUp, &k.PageDown, &k.Top, &k.Bottom} {
		b.SetEnabled(moves)
	}
	k.Retry.SetEnabled(!covered && m.canRetry())
	k.Open.SetEnabled((rows && listing || !covered && screen == events && moves) && !m.canRetry())
	k.Back.SetEnabled(len(m.path) > 1 || m.selected != "" || m.time.subject != "" && m.time.subject != m.said.TargetID)
	k.Filter.SetEnabled(rows && listing && screen == targets || !covered && screen == events)
	k.Sort.SetEnabled(rows && listing && screen == targets)
	k.Group.SetEnabled(listing && len(m.groupings()) > 1)
	k.System.SetEnabled(listing && len(m.choices()) > 1)
	k.Learn.SetEnabled(!covered && rows && m.opt.Learn != nil)
	m.timeKeys(&k, covered)
	plays := !covered && m.plays()
	k.Slower.SetEnabled(plays && m.speedNext(false) > 0)
	k.Faster.SetEnabled(plays && m.speedNext(true) > 0)
	does(&k.JumpBack, "half a span back", plays)
	does(&k.JumpOn, "half a span on", plays)
	does(&k.Again, "again from the cursor, without one from the beginning", plays)
	m.rigKeys(&k, covered)
	m.ruleKeys(&k, covered)
	k.Keep.SetEnabled(good && m.opt.Keep != nil)
	k.Record.SetEnabled(m.live.Last != nil && m.opt.Record != nil)
	k.Copy.SetEnabled(good && (!covered || m.path.mode() == explaining))
	k.Theme.SetEnabled(m.theme != Mono)
	return k
}

// does says what a key that does several things does here, if it does.
func does(b *key.Binding, text string, on bool) {
	b.SetHelp(b.Help().Key, text)
	b.SetEnabled(on)
}

// MarkdownTable writes the key table of the README.
func (k KeyMap) MarkdownTable(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| key | does |\n|---|---|\n")
	for _, kb := range k.Bindings() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", kb.Help().Key, kb.Help().Desc)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// timeKeys switches the keys of the time off where they do nothing.
func (m *Model) timeKeys(k *KeyMap, covered bool) {
	n := m.base.History.Len()
	screen := m.path.screen()
	ofNow := screen == chain || screen == lab // whatever the charts show
	charts := !covered && n > 0 && screen != events && (!ofNow || m.rig.charted)
	cursor := charts && !ofNow
	at := n - 1
	if m.past() {
		at = readingAt(m.base.History, m.time.cursor)
	}
	k.Events.SetEnabled(n > 0 && screen != events)
	for _, b := range []*key.Binding{&k.Left, &k.FarLeft} {
		b.SetEnabled(cursor && at > 0)
	}
	for _, b := range []*key.Binding{&k.Right, &k.FarRight} {
		b.SetEnabled(cursor && at < n-1)
	}
	k.ZoomIn.SetEnabled(charts && m.nextSpan(false) > 0)
	k.ZoomOut.SetEnabled(charts && m.nextSpan(true) > 0)
	k.Earlier.SetEnabled(charts && m.within(m.edge().Add(-m.time.span/2)).Before(m.edge()))
	k.Later.SetEnabled(charts && m.edge().Before(m.base.History.Time(n-1)))
	k.Live.SetEnabled(m.away())
	k.Mark.SetEnabled(!covered && n > 0 && m.opt.Mark != nil)
	k.Zone.SetEnabled(m.opt.Local != nil && m.opt.Local != time.UTC)
}

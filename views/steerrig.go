package views

import (
	"math"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"stormtop/collector"
)

// acts reports whether keys change the simulation: they do in the Lab, and not
// while it shows a picture of before.
func (m *Model) acts() bool {
	return m.steers() && m.rig.shown != nil && m.path.screen() == lab && !m.frozen
}

// refused says why a key that steers the simulation does nothing: the picture that
// it would act on is frozen.
func (m *Model) refused(msg tea.KeyPressMsg) {
	if !m.frozen || !m.steers() || m.path.mode() != lab {
		return
	}
	m.frozen = false
	k := m.active(false)
	m.frozen = true
	if key.Matches(msg, k.NextLever, k.LastLever, k.NextRepair, k.Act, k.Outage, k.Delay, k.Growth, k.NewSeed, k.JumpBack, k.JumpOn, k.Again) {
		m.notify(NoticeMsg{Text: "nothing was changed: the picture is frozen, and space thaws it", Bad: true})
	}
}

// toLab shows the Lab, toChain the Chain: both are of the newest instant, so a
// cursor ends there.
func (m *Model) toLab()   { m.toRig(lab) }
func (m *Model) toChain() { m.toRig(chain) }

func (m *Model) toRig(to mode) {
	m.path, m.scroll = path{overview, to}, unread
	if m.past() {
		m.time.cursor, m.time.end, m.time.subject = time.Time{}, time.Time{}, ""
		m.look()
	}
}

// turn sets a field of the simulation, and says so, or why it cannot be.
func (m *Model) turn(what, field, value, said string) {
	m.answered(what+": "+said, m.opt.Rig.Turn(field, value))
}

// answered says what was done, or why it was not, and shows the simulation as it
// is now.
func (m *Model) answered(what string, err error) {
	if err != nil {
		m.notify(NoticeMsg{Text: err.Error(), Bad: true})
		return
	}
	if r := m.opt.Rig.Rig(); r != nil {
		m.rigged(r)
	}
	if m.opt.Change != nil {
		m.opt.Change(what)
	}
	m.notify(NoticeMsg{Text: what})
}

// bracket turns the selected lever a step down (-1) or up, or sends a replay half
// a span back or on.
func (m *Model) bracket(direction time.Duration) {
	if m.acts() {
		m.change(direction > 0)
		return
	}
	m.jump(direction)
}

// change turns the selected lever a step up or down.
func (m *Model) change(up bool) {
	l, ok := m.lever()
	if !ok {
		return
	}
	to, word := l.Less, l.StepDown()
	if up {
		to, word = l.More, l.StepUp()
	}
	m.turn(m.leverName(l), l.Field, to, l.Value+" → "+word)
}

// leverName is a lever in words: "attempts at order".
func (m *Model) leverName(l collector.Lever) string {
	return l.Row + " at " + m.rig.shown.Layers[l.Layer]
}

// fault switches the fault of a kind on or off.
func (m *Model) fault(kind collector.FaultKind) {
	if i, ok := m.rig.live.Fault(kind); ok {
		m.toggle(m.rig.live.Faults[i])
	}
}

func (m *Model) toggle(f collector.Fault) {
	said := "on"
	if f.Is {
		said = "off"
	}
	m.turn(f.Title, f.Field, f.Turned(), said)
}

// repair does the next repair.
func (m *Model) repair() {
	if i, ok := m.rig.live.NextRepair(); ok {
		m.doRepair(m.rig.live.Repairs[i])
	}
}

func (m *Model) doRepair(r collector.Repair) { m.answered("done: "+r.Title, m.opt.Rig.Do(r.Name)) }

// act does what is selected: a repair, or it switches a fault.
func (m *Model) act() {
	switch s, _, _ := m.selectedSpot(); s.kind {
	case faultSpot:
		m.toggle(m.rig.shown.Faults[s.i])
	case repairSpot:
		m.doRepair(m.rig.shown.Repairs[s.i])
	}
}

// restart begins the scenario anew.
func (m *Model) restart(seed int64) {
	m.opt.Rig.Restart(seed)
	m.answered("started again with seed "+strconv.FormatInt(seed, 10), nil)
}

// nextSeed is the one after the present seed.
func (m *Model) nextSeed() int64 {
	if seed := m.rig.live.Seed; seed < math.MaxInt64 {
		return seed + 1
	}
	return 1
}

// rigKeys switches on the keys of a running simulation that do something now.
func (m *Model) rigKeys(k *KeyMap, covered bool) {
	screen, seen := m.path.screen(), m.opt.Rig != nil && m.rig.shown != nil
	k.Lab.SetEnabled(seen && screen != lab)
	k.Chain.SetEnabled(seen && screen != chain)
	if screen == chain || screen == lab {
		does(&k.Explain, "the story of the scenario in full, and what the numbers mean", k.Explain.Enabled())
	}
	acts := !covered && m.acts()
	here, at, any := m.selectedSpot()
	lever, isLever := m.lever()
	k.NextLever.SetEnabled(acts && len(m.rig.shown.Levers) > 1)
	k.LastLever.SetEnabled(k.NextLever.Enabled())
	k.NextRepair.SetEnabled(acts && m.hasRepair())
	k.Outage.SetEnabled(acts && m.hasFault(collector.Outage))
	k.Delay.SetEnabled(acts && m.hasFault(collector.Delay))
	k.Growth.SetEnabled(acts && m.hasFault(collector.Growth))
	k.NewSeed.SetEnabled(acts)
	k.Act.SetEnabled(acts && any && !isLever && !m.canRetry())
	if m.steers() && !covered {
		k.Slower.SetEnabled(m.speedNext(false) > 0)
		k.Faster.SetEnabled(m.speedNext(true) > 0)
	}
	if !acts {
		return
	}
	does(&k.JumpBack, "the selected lever a step down", isLever && lever.Less != "")
	does(&k.JumpOn, "the selected lever a step up", isLever && lever.More != "")
	does(&k.Again, "restart the simulation with the same seed", true)
	last := len(spots(m.rig.shown)) - 1
	does(&k.Up, "select the lever or repair above", any && at > 0)
	does(&k.Down, "select the lever or repair below", any && at < last)
	does(&k.Top, "the first lever", any && at > 0)
	does(&k.Bottom, "the last repair", any && at < last)
	does(&k.Left, "select the lever of the layer before", any && m.isBeside(here, -1))
	does(&k.Right, "select the lever of the next layer", any && m.isBeside(here, +1))
}

// isBeside reports whether there is anything to select at a side of a spot.
func (m *Model) isBeside(s spot, by int) bool {
	r := m.rig.shown
	switch s.kind {
	case leverSpot:
		_, ok := leverBeside(r, s.i, by)
		return ok
	case faultSpot:
		return by > 0 && len(r.Repairs) > 0
	}
	return by < 0 && len(r.Faults) > 0
}

func (m *Model) hasRepair() bool {
	_, ok := m.rig.live.NextRepair()
	return ok
}

func (m *Model) hasFault(kind collector.FaultKind) bool {
	_, ok := m.rig.live.Fault(kind)
	return ok
}

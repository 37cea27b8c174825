package views

import "stormtop/collector"

// index is what a screen looks up in a snapshot again and again. It is made
// once for each snapshot, so that ten thousand targets cost a key nothing.
type index struct {
	rows     map[string]int   // Target.ID to its place in Good.Targets
	statuses map[string][]int // Target.ID to the places of its statuses
	worst    map[string]int   // the name of a rule to the place of its first status, that of its worst target
	active   map[string]int   // the name of a rule to the number of targets on which it is active
	name     int              // cells of the longest name, at most longestName
	system   int              // cells of the longest name of a system, likewise; 0 where one would say nothing

	weak [collector.NumSignals]bool // signals with a number that says "old" or "part" behind it
}

// longestName is how many cells of a table a name takes at most.
const longestName = 40

func (m *Model) indexed() *index {
	if m.index != nil {
		return m.index
	}
	x := &index{statuses: map[string][]int{}, worst: map[string]int{}, active: map[string]int{}}
	for i := range m.shown.Statuses {
		st := &m.shown.Statuses[i]
		x.statuses[st.Target.ID] = append(x.statuses[st.Target.ID], i)
		if _, known := x.worst[st.Rule.Name]; !known {
			x.worst[st.Rule.Name] = i
		}
		if st.Active() {
			x.active[st.Rule.Name]++
		}
	}
	if g := m.shown.Good; g != nil {
		x.rows = make(map[string]int, len(g.Targets))
		for i := range g.Targets {
			t := &g.Targets[i].Target
			x.rows[t.ID] = i
			x.weigh(&g.Targets[i].Values)
			if x.name < longestName {
				x.name = min(max(x.name, textWidth(t.Name)), longestName)
			}
		}
		x.weigh(&g.Total.Values)
		if g.Origin.Several() {
			for i := range g.Origin.Systems {
				x.system = min(max(x.system, textWidth(g.Origin.Systems[i].Profile)), longestName)
			}
		}
	}
	m.index = x
	return x
}

// weigh notes which numbers of a row need room for a word behind them.
func (x *index) weigh(v *collector.Values) {
	for s := range v {
		x.weak[s] = x.weak[s] || v[s].State == collector.Partial || v[s].State == collector.Stale
	}
}

// row finds a target of the snapshot; TotalID finds the total.
func (m *Model) row(id string) (collector.Row, bool) {
	if m.shown.Good == nil {
		return collector.Row{}, false
	}
	if id == collector.TotalID {
		return m.shown.Good.Total, true
	}
	i, ok := m.indexed().rows[id]
	if !ok {
		return collector.Row{}, false
	}
	return m.shown.Good.Targets[i], true
}

// show puts a snapshot on the screen.
func (m *Model) show() {
	m.base, m.log.all, m.memo = m.live, nil, nil
	m.rig.shown = m.rig.live
	if v := m.base.History; v.Len() > 0 && !m.time.end.IsZero() && m.time.end.Before(v.Time(0)) {
		m.time.end = m.within(m.time.end) // all that the charts showed is forgotten
	}
	m.look()
}

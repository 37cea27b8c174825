package alerts

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"stormtop/collector"
)

// Rank orders statuses, the worst first, for slices.SortFunc: what is pending
// or firing before what is not; then by severity, state, amplification
// (infinite first, unknown last) and name. The total comes after the targets of
// the same severity and state: an unnamed sum never leads while a target stands
// out.
func Rank(a, b Status) int {
	return cmp.Or(
		-cmp.Compare(weight(a), weight(b)),
		-cmp.Compare(a.Shown, b.Shown),
		compareTotal(a.Target, b.Target),
		-cmp.Compare(amplitude(a.Amplification), amplitude(b.Amplification)),
		strings.Compare(a.Target.Name, b.Target.Name),
		strings.Compare(a.Target.ID, b.Target.ID),
		-cmp.Compare(a.Rule.Severity, b.Rule.Severity),
	)
}

// weight is the severity of what is active; a calm rule has none.
func weight(s Status) int {
	if !s.Active() {
		return -1
	}
	return int(s.Rule.Severity)
}

func compareTotal(a, b collector.Target) int {
	switch at, bt := a.ID == collector.TotalID, b.ID == collector.TotalID; {
	case at == bt:
		return 0
	case at:
		return 1
	}
	return -1
}

// amplitude orders amplifications of any state: infinite first, unknown last.
func amplitude(v collector.Value) float64 {
	if f, ok := v.Float(); ok && !math.IsNaN(f) {
		return f
	}
	return -1
}

// standing is what a target is ranked by.
type standing struct {
	target *track
	sev    int
	state  State
	amp    float64
}

// Worst returns the IDs of all targets of the last reading, and of those that
// left it while an alert is shown, the worst first. The total is among them
// only when a rule of its own is active on it.
func (e *Engine) Worst() []string {
	if e.last == nil {
		return nil
	}
	list := make([]standing, 0, len(e.order)+len(e.live))
	for _, t := range e.order {
		if t.read == e.n {
			list = append(list, e.standing(t))
		}
	}
	for _, t := range e.live {
		if t.read != e.n || t.target.ID == collector.TotalID {
			list = append(list, e.standing(t))
		}
	}
	slices.SortFunc(list, func(a, b standing) int {
		return cmp.Or(
			-cmp.Compare(a.sev, b.sev),
			-cmp.Compare(a.state, b.state),
			compareTotal(a.target.target, b.target.target),
			-cmp.Compare(a.amp, b.amp),
			strings.Compare(a.target.target.Name, b.target.target.Name),
			strings.Compare(a.target.target.ID, b.target.target.ID),
		)
	})
	out := make([]string, 0, len(list))
	for i, s := range list {
		if i == 0 || s.target != list[i-1].target {
			out = append(out, s.target.target.ID)
		}
	}
	return out
}

// standing is a target's worst active status: severity first, then the state.
func (e *Engine) standing(t *track) standing {
	s := standing{target: t, sev: -1, state: Inactive, amp: -1}
	if row := e.rowOf(t); row != nil {
		s.amp = amplitude(row.Values[collector.Amplification])
	}
	if !t.live {
		return s
	}
	for i, en := range t.entries {
		if en == nil || en.shown < Pending {
			continue
		}
		sev := int(e.rules[i].spec.Severity)
		if sev > s.sev || sev == s.sev && en.shown > s.state {
			s.sev, s.state = sev, en.shown
		}
	}
	return s
}

// rowOf is a target's row in the last reading, or nil.
func (e *Engine) rowOf(t *track) *collector.Row {
	switch {
	case e.last == nil || t.read != e.n:
		return nil
	case t.row < 0:
		return &e.last.Total
	}
	return &e.last.Targets[t.row]
}

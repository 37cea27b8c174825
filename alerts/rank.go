package alerts

import (
	"cmp"
	"math"
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

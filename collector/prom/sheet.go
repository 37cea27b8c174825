package prom

import (
	"fmt"
	"slices"
	"strings"

	"stormtop/collector"
)

// sheet collects the values of one instant: one row a target, filled signal by
// signal, then finished.
type sheet struct {
	plan   *plan
	number uint64
	rows   []collector.Row
	ids    map[string]int
	// failed are the signals that could not be asked, partial those of which
	// the server said that parts are missing.
	failed, partial [collector.NumSignals]bool
}

func newSheet(p *plan, size int) *sheet {
	p.sheets++
	return &sheet{plan: p, number: p.sheets, rows: make([]collector.Row, 0, size), ids: make(map[string]int, size)}
}

// fill enters the instant answer of a signal. Two series for one target are a
// failure of the signal: adding them up, or choosing, would be a guess.
func (sh *sheet) fill(s collector.Signal, ans *answer) *failure {
	owners := make([]*labelSet, 0, len(sh.rows)+len(ans.series))
	for i := range ans.series {
		set := ans.series[i].labels
		row := sh.row(set)
		for len(owners) <= row {
			owners = append(owners, nil)
		}
		if owners[row] != nil {
			sh.fail(s)
			return duplicate(sh.rows[row].Target, owners[row], set)
		}
		owners[row] = set
		sh.put(row, s, ans.points[ans.series[i].end-1].v)
	}
	sh.partial[s] = len(ans.warnings) > 0
	return nil
}

func (sh *sheet) put(row int, s collector.Signal, v float64) {
	sh.rows[row].Values[s] = collector.Num(v, sh.plan.units[s], sh.plan.trust[s])
}

// fail marks a signal as not known on every target.
func (sh *sheet) fail(s collector.Signal) { sh.failed[s] = true }

// row finds or makes the row of a label set.
func (sh *sheet) row(set *labelSet) int {
	if set.owner == sh.plan && set.sheet == sh.number {
		return set.row
	}
	row := sh.targetRow(sh.plan.target(set))
	set.sheet, set.row = sh.number, row
	return set.row
}

func (sh *sheet) targetRow(t collector.Target) int {
	i, ok := sh.ids[t.ID]
	if !ok {
		i = len(sh.rows)
		sh.ids[t.ID] = i
		sh.rows = append(sh.rows, collector.Row{Target: t})
	}
	return i
}

// target makes the target of a label set: the grouping labels, or all labels
// but the metric's name where there is no grouping.
func (p *plan) target(set *labelSet) collector.Target {
	if set.target != nil && set.owner == p {
		return *set.target
	}
	var list []collector.Label
	for _, l := range set.labels {
		if p.by == nil && l.Name != "__name__" || slices.Contains(p.by, l.Name) {
			list = append(list, l)
		}
	}
	t := collector.NewTarget(p.kind, list...)
	set.target, set.owner = &t, p
	return t
}

func duplicate(t collector.Target, a, b *labelSet) *failure {
	return &failure{kind: collector.Rejected, text: fmt.Sprintf(
		"two series for the same target %s, differing in label %s: aggregate them, for instance sum by ($by) (...), or name the label in --by", t.Name, difference(a.labels, b.labels))}
}

// difference names the labels in which two sets differ.
func difference(a, b []collector.Label) string {
	values := map[string][2]string{}
	for i, list := range [][]collector.Label{a, b} {
		for _, l := range list {
			v := values[l.Name]
			v[i] = l.Value
			values[l.Name] = v
		}
	}
	var names []string
	for name, v := range values {
		if v[0] != v[1] {
			names = append(names, collector.Clean(name))
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// ages says which side's samples are older than they should be.
type ages struct{ ingress, downstream bool }

// stale reports whether a signal is measured at a side that is stale.
func (a ages) stale(s collector.Signal) bool {
	switch s {
	case collector.Ingress, collector.Successes, collector.Delivered:
		return a.ingress
	}
	return a.downstream
}

// finish completes the rows: failed and absent signals, states, derived
// signals, order, and the total. The sheet is used up.
func (sh *sheet) finish(old ages, baseline float64) (rows []collector.Row, total collector.Row) {
	for i := range sh.rows {
		sh.rows[i].Baseline = baseline
		sh.complete(&sh.rows[i].Values, old, baseline)
	}
	slices.SortFunc(sh.rows, func(a, b collector.Row) int {
		if c := strings.Compare(a.Target.Name, b.Target.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Target.ID, b.Target.ID)
	})
	return sh.rows, sh.total(baseline)
}

func (sh *sheet) complete(v *collector.Values, old ages, baseline float64) {
	p := sh.plan
	for _, s := range p.zeroFill {
		if p.has(s) && v[s].State == collector.Missing && v[collector.Ingress].State != collector.Missing {
			v[s] = collector.Num(0, p.units[s], p.trust[s])
		}
	}
	for _, s := range p.signals {
		switch {
		case sh.failed[s]:
			v[s] = collector.Value{State: collector.Failed, Unit: p.units[s], Trust: p.trust[s]}
		case v[s].State == collector.Ok && sh.partial[s]:
			v[s].State = collector.Partial
		case v[s].State == collector.Ok && old.stale(s):
			v[s].State = collector.Stale
		}
	}
	direct := *v
	v.Derive(baseline)
	for _, s := range p.signals {
		if s.Derived() {
			v[s] = direct[s] // absent stays absent: what was named wins
		}
	}
}

// total is the sum of the rows. A derived signal that was named directly has none.
func (sh *sheet) total(baseline float64) collector.Row {
	rows := sh.rows
	if len(rows) == 0 { // a row that nobody owns carries what failed
		rows = make([]collector.Row, 1)
		rows[0].Baseline = baseline
		sh.complete(&rows[0].Values, ages{}, baseline)
	}
	out := collector.Total(rows)
	out.Target.Kind = sh.plan.kind
	for _, s := range sh.plan.signals {
		if s.Derived() {
			out.Values[s] = collector.Value{}
			if sh.failed[s] {
				out.Values[s] = collector.Value{State: collector.Failed, Unit: sh.plan.units[s], Trust: sh.plan.trust[s]}
			}
		}
	}
	return out
}

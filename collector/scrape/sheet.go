package scrape

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"

	"stormtop/collector"
	"stormtop/collector/scrape/eval"
)

// sheet collects the values of one system at one instant: one row a target,
// filled signal by signal, then finished.
type sheet struct {
	sys    *system
	rows   []collector.Row
	ids    map[string]int
	failed [collector.NumSignals]bool
	short  [collector.NumSignals]bool // measured at a side whose reporters are away
	buf    []byte
}

func newSheet(y *system) *sheet { return &sheet{sys: y, ids: map[string]int{}} }

// fill enters the samples of a signal. Two of them for one target are an error:
// adding them up, or choosing, would be a guess.
func (sh *sheet) fill(sig collector.Signal, samples []eval.Sample) error {
	y := sh.sys
	owners := make(map[int]labels.Labels, len(samples))
	for _, s := range samples {
		var t collector.Target
		t, sh.buf = y.target(sh.buf, s)
		row := sh.row(t)
		if other, twice := owners[row]; twice {
			return fmt.Errorf("two series for the same target %s, differing in label %s: aggregate them, for instance sum by ($by) (...), or name the label in --by",
				t.Name, difference(other, s.Labels))
		}
		owners[row] = s.Labels
		sh.rows[row].Values[sig] = collector.Num(s.V, y.units[sig], y.trust[sig])
	}
	return nil
}

func (sh *sheet) row(t collector.Target) int {
	i, ok := sh.ids[t.ID]
	if !ok {
		i = len(sh.rows)
		sh.ids[t.ID] = i
		sh.rows = append(sh.rows, collector.Row{Target: t})
	}
	return i
}

// difference names the labels in which two sets differ.
func difference(a, b labels.Labels) string {
	names := map[string]bool{}
	note := func(from, other labels.Labels) {
		from.Range(func(l labels.Label) {
			if other.Get(l.Name) != l.Value {
				names[collector.Clean(l.Name)] = true
			}
		})
	}
	note(a, b)
	note(b, a)
	list := make([]string, 0, len(names))
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// finish completes the rows: failed and absent signals, states, the sum, derived
// signals, order. The sheet is used up.
func (sh *sheet) finish(b collector.Baselines) []collector.Row {
	for i := range sh.rows {
		row := &sh.rows[i]
		row.Baseline = b.For(row.Target)
		sh.complete(&row.Values, row.Baseline)
	}
	slices.SortFunc(sh.rows, byNameThenID)
	return sh.rows
}

func byNameThenID(a, b collector.Row) int {
	return cmp.Or(strings.Compare(a.Target.Name, b.Target.Name), strings.Compare(a.Target.ID, b.Target.ID))
}

func (sh *sheet) complete(v *collector.Values, baseline float64) {
	y := sh.sys
	for _, sig := range y.profile.ZeroFill {
		if y.exprs[sig] != nil && v[sig].State == collector.Missing && v[collector.Ingress].State != collector.Missing {
			v[sig] = collector.Num(0, y.units[sig], y.trust[sig])
		}
	}
	for _, sig := range y.signals {
		switch {
		case sh.failed[sig]:
			v[sig] = collector.Value{State: collector.Failed, Unit: y.units[sig], Trust: y.trust[sig]}
		case sh.short[sig] && v[sig].State == collector.Ok:
			v[sig].State = collector.Partial
		}
	}
	if y.sums() {
		v[collector.Downstream] = sum(v[collector.Ingress], v[collector.Retries])
	}
	direct := *v
	v.Derive(baseline)
	for _, sig := range y.signals {
		if sig.Derived() {
			v[sig] = direct[sig] // absent stays absent: what was named wins
		}
	}
}

// sum is downstream where a system counts requests and retries. What is not
// known of either is not known of the sum.
func sum(a, b collector.Value) collector.Value {
	x, xok := a.Number()
	y, yok := b.Number()
	out := collector.Value{Unit: collector.PerSecond, Trust: max(a.Trust, b.Trust)}
	switch {
	case a.State == collector.Failed || b.State == collector.Failed:
		out.State = collector.Failed
	case !xok || !yok:
		out.State = collector.Missing
	default:
		out.V, out.State = x+y, collector.Ok
		if a.State == collector.Partial || b.State == collector.Partial {
			out.State = collector.Partial
		}
	}
	return out
}

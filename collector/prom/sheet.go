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
	if p.fixed != nil {
		return *p.fixed
	}
	if set.target != nil && set.owner == p {
		return *set.target
	}
	t := p.targetOf(set.labels)
	set.target, set.owner = &t, p
	return t
}

// targetOf is target without the memory of what was made of a label set.
func (p *plan) targetOf(all []collector.Label) collector.Target {
	if p.fixed != nil {
		return *p.fixed
	}
	var list []collector.Label
	for _, l := range all {
		if p.by == nil && l.Name != "__name__" || slices.Contains(p.by, l.Name) {
			list = append(list, l)
		}
	}
	return collector.NewTarget(p.kind, list...).In(p.profile.Name)
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

// ages marks sides: those whose samples are older than they should be, or that
// lack reporters.
type ages struct{ ingress, downstream bool }

// concern reports whether a signal is measured at a side that is marked.
func (a ages) concern(s collector.Signal) bool {
	switch s {
	case collector.Ingress, collector.Successes, collector.Delivered:
		return a.ingress
	}
	return a.downstream
}

// conditions are what a sheet is finished under.
type conditions struct {
	old       ages
	baselines collector.Baselines
	short     func(id string) (ingress, downstream bool) // sides that lack reporters; nil: none does
}

// finish completes the rows: failed and absent signals, states, derived
// signals. The sheet is used up; remarks are what is odd about it.
func (sh *sheet) finish(c conditions) (rows []collector.Row, remarks []string) {
	for i := range sh.rows {
		sh.settle(&sh.rows[i], c)
	}
	deaf := sh.deaf()
	for i := range sh.rows {
		sh.derive(&sh.rows[i], deaf)
	}
	if deaf != "" {
		remarks = append(remarks, deaf)
	}
	return sh.rows, remarks
}

// blank is the row of a system of which nothing is known: what failed has failed.
func (sh *sheet) blank(c conditions) collector.Row {
	row := collector.Row{}
	sh.settle(&row, c)
	sh.derive(&row, "")
	return row
}

// settle gives every measured value of a row its state.
func (sh *sheet) settle(row *collector.Row, c conditions) {
	p, v := sh.plan, &row.Values
	if c.baselines.Given(row.Target) {
		row.Baseline = c.baselines.For(row.Target)
	}
	for _, s := range p.zeroFill {
		if p.has(s) && v[s].State == collector.Missing && v[collector.Ingress].State != collector.Missing {
			v[s] = collector.Num(0, p.units[s], p.trust[s])
		}
	}
	var short ages
	if c.short != nil {
		short.ingress, short.downstream = c.short(row.Target.ID)
	}
	for _, s := range p.signals {
		switch {
		case sh.failed[s]:
			v[s] = collector.Value{State: collector.Failed, Unit: p.units[s], Trust: p.trust[s]}
		case v[s].State == collector.Ok && (sh.partial[s] || short.concern(s)):
			v[s].State = collector.Partial
		case v[s].State == collector.Ok && c.old.concern(s):
			v[s].State = collector.Stale
		}
	}
	if p.sum {
		v[collector.Downstream] = collector.Plus(v[collector.Ingress], v[collector.Retries])
	}
}

// derive fills the derived signals of a row. Where the counter of retries is
// deaf, they follow from attempts and requests.
func (sh *sheet) derive(row *collector.Row, deaf string) {
	v := &row.Values
	if deaf != "" {
		if sh.plan.sum {
			v[collector.Downstream] = v[collector.Arrived]
		}
		v[collector.Retries] = collector.Value{}
	}
	direct := *v
	v.Derive(row.Baseline)
	for _, s := range sh.plan.signals {
		if s.Derived() {
			v[s] = direct[s] // absent stays absent: what was named wins
		}
	}
}

// unheard is how far attempts may pass requests before a counter of retries that
// reads 0 is not believed.
const unheard = 1.05

// deaf says that the counter of retries reads 0 although more attempts are made
// than requests, as one does that is exported and not enabled; "" where all is
// well.
func (sh *sheet) deaf() string {
	p := sh.plan
	if !p.has(collector.Retries) {
		return ""
	}
	attempts := collector.Downstream
	if p.sum {
		attempts = collector.Arrived
	}
	var in, down, retries float64
	for i := range sh.rows {
		v := &sh.rows[i].Values
		n, ok := v[collector.Retries].Number()
		d, okDown := v[attempts].Number()
		r, okIn := v[collector.Ingress].Number()
		if ok && okDown && okIn {
			retries, down, in = retries+n, down+d, in+r*max(sh.rows[i].Baseline, 1)
		}
	}
	if retries > 0 || in <= 0 || down <= unheard*in {
		return ""
	}
	return fmt.Sprintf("retries: the counter reads 0 while %s attempts are made for a request: probably not enabled; the retry rate follows from attempts and requests",
		collector.Num(down/in, collector.Ratio, collector.Approx))
}

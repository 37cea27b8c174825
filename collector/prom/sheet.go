package prom

import (
	"stormtop/collector"
	"stormtop/collector/measure"
)

// sheet collects the values of one instant: one row a target, filled signal by
// signal, then finished.
type sheet struct {
	plan   *plan
	number uint64
	rows   measure.Rows
	// failed are the signals that could not be asked, partial those of which
	// the server said that parts are missing.
	failed, partial measure.Set
}

func newSheet(p *plan, size int) *sheet {
	p.sheets++
	return &sheet{plan: p, number: p.sheets, rows: measure.NewRows(size)}
}

// fill enters the instant answer of a signal. Two series for one target are a
// failure of the signal: adding them up, or choosing, would be a guess.
func (sh *sheet) fill(s collector.Signal, ans *answer) *failure {
	owners := make([]*labelSet, 0, len(sh.rows.List)+len(ans.series))
	for i := range ans.series {
		set := ans.series[i].labels
		row := sh.row(set)
		for len(owners) <= row {
			owners = append(owners, nil)
		}
		if owners[row] != nil {
			sh.fail(s)
			return &failure{kind: collector.Rejected, text: measure.Twice(sh.rows.List[row].Target, owners[row].labels, set.labels)}
		}
		owners[row] = set
		sh.put(row, s, ans.points[ans.series[i].end-1].v)
	}
	sh.partial[s] = len(ans.warnings) > 0
	return nil
}

func (sh *sheet) put(row int, s collector.Signal, v float64) {
	sh.rows.List[row].Values[s] = sh.plan.Num(s, v)
}

// fail marks a signal as not known on every target.
func (sh *sheet) fail(s collector.Signal) { sh.failed[s] = true }

// row finds or makes the row of a label set.
func (sh *sheet) row(set *labelSet) int {
	if set.owner == sh.plan && set.sheet == sh.number {
		return set.row
	}
	row := sh.rows.Row(sh.plan.target(set))
	set.sheet, set.row = sh.number, row
	return set.row
}

// target is the target of a label set, made once.
func (p *plan) target(set *labelSet) collector.Target {
	if set.target != nil && set.owner == p {
		return *set.target
	}
	t := p.Target(set.labels)
	set.target, set.owner, set.sheet = &t, p, 0 // the row was that of another plan
	return t
}

// ages says which sides have samples that are older than they should be.
type ages struct{ ingress, downstream bool }

// conditions are what a sheet is finished under.
type conditions struct {
	old       ages
	baselines collector.Baselines
	short     func(id string) (ingress, downstream bool) // sides that lack reporters; nil: none does
}

// finish completes the rows. The sheet is used up; remark is what is odd about
// it, or "".
func (sh *sheet) finish(c conditions) (part measure.Part, remark string) {
	return sh.plan.Finish(sh.rows.List, c.baselines, sh.marks(c))
}

// marks are those of the target of an ID.
func (sh *sheet) marks(c conditions) func(id string) measure.Marks {
	all := measure.Marks{Failed: sh.failed, Partial: sh.partial, Stale: measure.AtSides(c.old.ingress, c.old.downstream)}
	if c.short == nil {
		return func(string) measure.Marks { return all }
	}
	return func(id string) measure.Marks {
		own := all
		own.Partial.Join(measure.AtSides(c.short(id)))
		return own
	}
}

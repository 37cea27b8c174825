package scrape

import (
	"errors"

	"github.com/prometheus/prometheus/model/labels"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/scrape/eval"
)

// sheet collects the values of one system at one instant: one row a target,
// filled signal by signal, then finished.
type sheet struct {
	sys   *system
	rows  measure.Rows
	marks measure.Marks
	buf   []byte
}

func newSheet(y *system) *sheet { return &sheet{sys: y, rows: measure.NewRows(len(y.known))} }

// fill enters the samples of a signal. Two of them for one target are an error:
// adding them up, or choosing, would be a guess.
func (sh *sheet) fill(sig collector.Signal, samples []eval.Sample) error {
	y := sh.sys
	owners := make(map[int]labels.Labels, len(samples))
	for _, s := range samples {
		var t collector.Target
		t, sh.buf = y.target(sh.buf, s)
		row := sh.rows.Row(t)
		if other, twice := owners[row]; twice {
			return errors.New(measure.Twice(t, labelsOf(other), labelsOf(s.Labels)))
		}
		owners[row] = s.Labels
		sh.rows.List[row].Values[sig] = y.Num(sig, s.V)
	}
	return nil
}

// finish completes the rows. The sheet is used up; remark is what is odd about
// it, or "".
func (sh *sheet) finish(b collector.Baselines) (part measure.Part, remark string) {
	return sh.sys.Finish(sh.rows.List, b, func(string) measure.Marks { return sh.marks })
}

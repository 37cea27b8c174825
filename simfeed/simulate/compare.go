package simulate

import (
	"bytes"
	"context"
)

// compared is a contender with its runs.
type compared struct {
	contender
	runs []figuresOf
}

// runComparison runs all contenders with the same seeds, so that the same
// requests arrive at each.
func (p *plan) runComparison(ctx context.Context, world World, out *bytes.Buffer) error {
	bar := newProgress(world, p.scenario.Length, p.runs*len(p.compare))
	var all []compared
	var err error
	for _, c := range p.compare {
		var runs []figuresOf
		runs, err = p.runMany(ctx, world, c.scenario.Scenario, bar)
		if len(runs) > 0 {
			all = append(all, compared{c, runs})
		}
		if err != nil {
			break
		}
	}
	bar.end()
	return written(ctx, err, func() error {
		switch p.format {
		case "json":
			return p.writeComparison(out, all)
		case "csv":
			return p.writeComparisonCSV(out, all)
		default:
			p.writeComparisonText(out, all)
		}
		return nil
	})
}

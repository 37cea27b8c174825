package simulate

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"stormtop/simfeed/chain"
)

// figuresOf is what is kept of one of many runs.
type figuresOf struct {
	seed    int64
	verdict chain.Verdict
	hash    uint64
	events  uint64
	figures []chain.Figure
}

// runMany runs a scenario with seeds from p.seed on, over the cores, and gives
// the runs that were finished in the order of their seeds. What is computed does
// not depend on the number of cores.
func (p *plan) runMany(ctx context.Context, world World, s chain.Scenario, bar *progress) ([]figuresOf, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var out []figuresOf
	next := 0
	var group sync.WaitGroup
	for range min(max(world.Cores, 1), p.runs) {
		group.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= p.runs || ctx.Err() != nil {
					return
				}
				r, err := p.once(ctx, world, s, p.seed+int64(i), func(*chain.Window) { bar.going() })
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				out = append(out, figuresOf{r.Seed, r.Verdict, r.EventHash, r.Events, r.Figures})
				mu.Unlock()
				bar.run()
			}
		})
	}
	group.Wait()
	slices.SortFunc(out, func(a, b figuresOf) int { return cmp.Compare(a.seed, b.seed) })
	return out, context.Cause(ctx)
}

// runSeeds runs the scenario with many seeds.
func (p *plan) runSeeds(ctx context.Context, world World, out *bytes.Buffer) error {
	bar := newProgress(world, p.scenario.Length, p.runs)
	runs, err := p.runMany(ctx, world, p.scenario.Scenario, bar)
	bar.end()
	return written(ctx, err, func() error {
		switch p.format {
		case "json":
			return p.writeRuns(out, runs)
		case "csv":
			return p.writeRunsCSV(out, runs)
		default:
			p.writeRunsText(out, runs)
		}
		return nil
	})
}

// spread is a figure over many runs. Only runs in which it is known count.
type spread struct {
	name, unit string
	known      int
	mean       float64
	quantiles  []float64 // as quantiles, nearest rank
}

// quantiles of every figure over many runs.
var quantiles = []struct {
	name string
	q    float64
}{{"min", 0}, {"p05", 0.05}, {"p25", 0.25}, {"p50", 0.5}, {"p75", 0.75}, {"p95", 0.95}, {"max", 1}}

// spreads are all figures over some runs.
func spreads(runs []figuresOf) []spread {
	if len(runs) == 0 {
		return nil
	}
	out := make([]spread, len(runs[0].figures))
	for i, f := range runs[0].figures {
		out[i] = spread{name: f.Name, unit: f.Unit}
		var all []float64
		sum := 0.0
		for _, r := range runs {
			if i < len(r.figures) && r.figures[i].Known {
				all = append(all, r.figures[i].Value)
				sum += r.figures[i].Value
			}
		}
		if out[i].known = len(all); len(all) == 0 {
			continue
		}
		out[i].mean = sum / float64(len(all))
		slices.Sort(all)
		for _, q := range quantiles {
			rank := int(math.Ceil(q.q * float64(len(all))))
			out[i].quantiles = append(out[i].quantiles, all[max(rank, 1)-1])
		}
	}
	return out
}

// verdicts are how many runs ended in each way, in the order of the verdicts.
func verdicts(runs []figuresOf) (out []verdictCount) {
	for v := chain.NotJudged; v <= chain.UnstableWithout; v++ {
		n := 0
		for _, r := range runs {
			if r.verdict == v {
				n++
			}
		}
		if n > 0 {
			out = append(out, verdictCount{v, n})
		}
	}
	return out
}

type verdictCount struct {
	verdict chain.Verdict
	runs    int
}

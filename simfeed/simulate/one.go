package simulate

import (
	"bytes"
	"context"
	"time"

	"stormtop/simfeed/chain"
)

// outcome is one run with the time that it took.
type outcome struct {
	chain.Result
	wall time.Duration
}

// runOne runs the scenario once.
func (p *plan) runOne(ctx context.Context, world World, out *bytes.Buffer) error {
	bar := newProgress(world, p.scenario.Length, 1)
	r, err := p.once(ctx, world, p.scenario.Scenario, p.seed, bar.window)
	bar.end()
	return written(ctx, err, func() error {
		switch p.format {
		case "json":
			return p.writeRun(out, r)
		case "csv":
			return p.writeSeries(out, r)
		case "openmetrics":
			return p.writeOpenMetrics(out, r)
		default:
			p.writeText(out, r)
		}
		return nil
	})
}

// once runs a scenario with a seed. The time is that of the run with its
// control run.
func (p *plan) once(ctx context.Context, world World, s chain.Scenario, seed int64, each func(*chain.Window)) (outcome, error) {
	begun := world.Now()
	r, err := chain.Run(ctx, s, seed, chain.RunOptions{NoControl: !p.control, Baseline: p.scenario.Baseline, Each: each})
	return outcome{r, world.Now().Sub(begun)}, err
}

// written writes what was computed, also where it was stopped in the middle, and
// returns why it was; another error than that has nothing to write.
func written(ctx context.Context, err error, write func() error) error {
	if err != nil && ctx.Err() == nil {
		return err
	}
	if werr := write(); werr != nil {
		return werr
	}
	return err
}

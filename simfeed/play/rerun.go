package play

import (
	"context"
	"fmt"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// rerun is the past of a scenario that loops: seconds of one lap, again and
// again, that end where the first live lap begins.
type rerun struct {
	skip    int64 // seconds of the first live lap that nobody sees
	seconds int64 // left to be shown
	length  int64 // of a lap
	played  []lapSecond
}

// lapSecond is a window with the scenario as it was at its end.
type lapSecond struct {
	window   *chain.Window
	scenario chain.Scenario
}

// rerun is the next reading of the past before the first live lap, and nil when
// there is none left.
func (f *Feed) rerun(ctx context.Context) (*collector.Reading, error) {
	b := f.before
	if b == nil {
		return nil, nil
	}
	for ; b.skip > 0; b.skip-- {
		if _, err := f.engine.Next(ctx); err != nil {
			return nil, fmt.Errorf("playing the seconds before the start: %w", err)
		}
	}
	if b.seconds == 0 {
		f.before = nil
		return nil, nil
	}
	if b.played == nil {
		var err error
		if b.played, err = f.playLap(ctx); err != nil {
			return nil, err
		}
	}
	second := b.played[(b.length-b.seconds%b.length)%b.length]
	at := f.live.Add(time.Duration(f.second+1) * time.Second)
	r := f.rows(second.window, &second.scenario, at, true)
	f.second++
	b.seconds--
	return r, ctx.Err()
}

// playLap plays the lap before the first live one.
func (f *Feed) playLap(ctx context.Context) ([]lapSecond, error) {
	e, err := chain.New(f.scenario.Scenario, lapSeed(f.engine.Seed(), -1))
	if err != nil {
		return nil, err
	}
	n := f.scenario.Length / time.Second
	out := make([]lapSecond, 0, n)
	for range n {
		w, err := e.Next(ctx)
		if err != nil {
			return nil, fmt.Errorf("playing the lap before the start: %w", err)
		}
		out = append(out, lapSecond{w, e.Scenario()})
	}
	return out, nil
}

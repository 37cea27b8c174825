package play

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/simfeed"
	"stormtop/simfeed/chain"
)

// rerun is the past of a scenario that loops: seconds of one lap, again and
// again, that end where the first live lap begins. The lap is played as it is
// needed, so that the first reading is there at once.
type rerun struct {
	skip    int64 // seconds of the first live lap that nobody sees
	seconds int64 // left to be shown
	length  int64 // of a lap
	engine  *chain.Engine
	now     *chain.Scenario // as of the last change
	ramps   bool            // some changes are gradual, and told where they begin only
	played  []lapSecond
}

// lapSecond is a window with the scenario as it was at its end.
type lapSecond struct {
	window   *chain.Window
	scenario *chain.Scenario
}

// newRerun is so many seconds before the first live lap, or up to a lap less
// where least are left: it is then whole laps, of which nothing has to be played
// for nobody.
func newRerun(seconds, length, least int64) *rerun {
	if part := seconds % length; seconds > length && seconds-part >= least {
		seconds -= part
	}
	return &rerun{seconds: seconds, length: length}
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
	second, err := f.lapSecond(ctx, (b.length-b.seconds%b.length)%b.length)
	if err != nil {
		return nil, err
	}
	at := f.live.Add(time.Duration(f.second+1) * time.Second)
	r := f.rows(second.window, second.scenario, at, true)
	f.second++
	b.seconds--
	return r, ctx.Err()
}

// lapSecond is a second of the lap before the first live one.
func (f *Feed) lapSecond(ctx context.Context, second int64) (*lapSecond, error) {
	b := f.before
	if b.engine == nil {
		var err error
		if b.engine, err = chain.New(f.scenario.Scenario, simfeed.LapSeed(f.engine.Seed(), -1)); err != nil {
			return nil, err
		}
		b.ramps = slices.ContainsFunc(f.scenario.Timeline, func(c chain.Change) bool { return c.Over > 0 })
	}
	for int64(len(b.played)) <= second {
		w, err := b.engine.Next(ctx)
		if err != nil {
			return nil, fmt.Errorf("playing the lap before the start: %w", err)
		}
		if b.now == nil || b.ramps || len(w.Changes) > 0 {
			now := b.engine.Scenario()
			b.now = &now
		}
		b.played = append(b.played, lapSecond{w, b.now})
	}
	return &b.played[second], nil
}

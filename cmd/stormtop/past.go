package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/recording"
)

// pastOf is a Prometheus's past, read with the first Next and then played. What
// the server could be asked beside it would be of the present, so that it offers
// nothing of the kind.
type pastOf struct {
	server   *prom.Source
	from, to time.Time
	options  recording.Options
	atEnd    func(bool)
	play     atomic.Pointer[recording.Replay] // nil: not yet read
}

// Next reads all of the past first.
func (p *pastOf) Next(ctx context.Context) (*collector.Reading, error) {
	if p.play.Load() == nil {
		rec, err := p.load(ctx)
		if err != nil {
			return nil, err
		}
		play := recording.NewReplay(rec, p.options)
		if p.atEnd != nil {
			play.Hold(p.atEnd)
		}
		p.play.Store(play)
	}
	return p.play.Load().Next(ctx)
}

// Hold makes it wait at its end (recording.Replay.Hold).
func (p *pastOf) Hold(atEnd func(bool)) { p.atEnd = atEnd }

// Seek, SetSpeed, Pause and Resume implement collector.Played.
func (p *pastOf) Seek(to time.Time)      { p.steer(func(r *recording.Replay) { r.Seek(to) }) }
func (p *pastOf) SetSpeed(speed float64) { p.steer(func(r *recording.Replay) { r.SetSpeed(speed) }) }
func (p *pastOf) Pause()                 { p.steer((*recording.Replay).Pause) }
func (p *pastOf) Resume()                { p.steer((*recording.Replay).Resume) }

// steer does nothing while the past is being read.
func (p *pastOf) steer(do func(*recording.Replay)) {
	if play := p.play.Load(); play != nil {
		do(play)
	}
}

// load reads the past as a recording of it would be.
func (p *pastOf) load(ctx context.Context) (*recording.Recording, error) {
	in, out := io.Pipe()
	asked := make(chan error, 1)
	go func() {
		w := recording.NewWriter(out, nil)
		err := w.Header(recording.Header{Program: versionLine(), Start: p.from})
		if err == nil {
			err = guard(func() error { return p.server.Through(ctx, p.from, p.to, w.Reading) })
			asked <- err
		}
		out.CloseWithError(errors.Join(err, w.Close()))
	}()
	rec, err := recording.Load(recording.NewReader(in))
	in.CloseWithError(errDone)
	select {
	case why := <-asked: // no error of a file is told that nobody has
		err = cmp.Or(why, err)
	default:
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("the past could not be read: %w", err)
	case rec.Len() == 0:
		return nil, fmt.Errorf("there is nothing from %s to %s", p.from.Format(time.RFC3339), p.to.Format(time.RFC3339))
	}
	return rec, nil
}

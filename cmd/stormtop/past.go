package main

import (
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

// Seek, SetSpeed, Pause and Resume implement collector.Played; while the past is
// being read there is nothing to steer.
func (p *pastOf) Seek(to time.Time) {
	if play := p.play.Load(); play != nil {
		play.Seek(to)
	}
}

// SetSpeed plays on at another speed.
func (p *pastOf) SetSpeed(speed float64) {
	if play := p.play.Load(); play != nil {
		play.SetSpeed(speed)
	}
}

// Pause lets it stand still.
func (p *pastOf) Pause() {
	if play := p.play.Load(); play != nil {
		play.Pause()
	}
}

// Resume ends a pause.
func (p *pastOf) Resume() {
	if play := p.play.Load(); play != nil {
		play.Resume()
	}
}

// load reads the past as a recording of it would be.
func (p *pastOf) load(ctx context.Context) (*recording.Recording, error) {
	in, out := io.Pipe()
	go func() {
		w := recording.NewWriter(out, nil)
		err := w.Header(recording.Header{Program: versionLine(), Start: p.from})
		if err == nil {
			err = guard(func() error { return p.server.Through(ctx, p.from, p.to, w.Reading) })
		}
		out.CloseWithError(errors.Join(err, w.Close()))
	}()
	rec, err := recording.Load(recording.NewReader(in))
	in.CloseWithError(errDone)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the past could not be read: %w", err)
	case rec.Len() == 0:
		return nil, fmt.Errorf("there is nothing from %s to %s", p.from.Format(time.RFC3339), p.to.Format(time.RFC3339))
	}
	return rec, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/recording"
)

// openRecording reads all of a recording; - is standard input.
func openRecording(name string, stdin io.Reader) (*recording.Recording, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("--replay=%s: %w", collector.Clean(name), unwrapPath(err))
		}
		defer f.Close()
		in = f
	}
	rec, err := recording.Load(recording.NewReader(in))
	if err != nil {
		return nil, fmt.Errorf("--replay=%s: %w", collector.Clean(name), err)
	}
	if rec.Len() == 0 {
		return nil, fmt.Errorf("--replay=%s: the recording holds no reading", collector.Clean(name))
	}
	return rec, nil
}

// unwrapPath leaves the name of the file away, which is said already.
func unwrapPath(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// playback is how fast what is over is played: on a screen or where it was asked
// for at the given speed, else as fast as it is read. A snapshot is a picture:
// all of it is there at once.
func playback(r *resolved, m mode, snapshot bool) float64 {
	asked := r.origins["speed"].kind != defaultLayer
	switch {
	case m == onceMode || m == convertMode:
		return 0
	case asked:
		return r.settings.speed
	case m == screenMode && r.settings.replay != "" && !snapshot:
		return 1
	}
	return 0
}

// openReplay makes the source that plays a recording.
func openReplay(r *resolved, m mode, stdin io.Reader) (opened, error) {
	rec, err := openRecording(r.settings.replay, stdin)
	if err != nil {
		return opened{}, err
	}
	out := replayed(rec, recording.Options{
		Speed: playback(r, m, isSnapshot(rec.Header)), Clock: wallClock{}, Loop: r.settings.loop && m != onceMode,
	})
	out.notes = append(out.notes, rec.Report.Notes()...)
	if len(rec.Header.Rules) > 0 && !r.rulesGiven() {
		out.rules = rec.Header.Rules
	}
	return out, nil
}

// replayed is a recording as a source, with the marks that were made in it.
func replayed(rec *recording.Recording, o recording.Options) opened {
	if o.Speed == 0 {
		o.Clock = nil
	}
	play := recording.NewReplay(rec, o)
	out := opened{source: play, recording: rec}
	for _, e := range play.Events() {
		if e.Kind == collector.EventMark || e.Kind == collector.EventChange {
			out.events = append(out.events, e)
		}
	}
	return out
}

// rulesGiven reports whether somebody set a rule: the rules of a recording give
// way then.
func (r *resolved) rulesGiven() bool {
	for _, o := range ruleOptions(alerts.Documented()) {
		if r.origins[o.name].kind != defaultLayer {
			return true
		}
	}
	return false
}

// pastOf is a Prometheus's past, read with the first Next and then played.
type pastOf struct {
	*prom.Source
	from, to time.Time
	options  recording.Options
	play     *recording.Replay
}

// Next reads all of the past first.
func (p *pastOf) Next(ctx context.Context) (*collector.Reading, error) {
	if p.play == nil {
		rec, err := loadPast(ctx, p.Source, p.from, p.to)
		if err != nil {
			return nil, err
		}
		p.play, _ = replayed(rec, p.options).source.(*recording.Replay)
	}
	return p.play.Next(ctx)
}

// loadPast reads the past of a Prometheus as a recording of it would be.
func loadPast(ctx context.Context, src *prom.Source, from, to time.Time) (*recording.Recording, error) {
	in, out := io.Pipe()
	go func() {
		w := recording.NewWriter(out, nil)
		err := w.Header(recording.Header{Program: versionLine(), Start: from})
		if err == nil {
			err = guard(func() error { return src.Through(ctx, from, to, w.Reading) })
		}
		out.CloseWithError(errors.Join(err, w.Close()))
	}()
	rec, err := recording.Load(recording.NewReader(in))
	in.CloseWithError(errDone)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the past could not be read: %w", err)
	case rec.Len() == 0:
		return nil, fmt.Errorf("there is nothing from %s to %s", from.Format(time.RFC3339), to.Format(time.RFC3339))
	}
	return rec, nil
}

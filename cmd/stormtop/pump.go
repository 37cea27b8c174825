package main

import (
	"context"
	"errors"
	"io"

	"stormtop/collector"
)

// errDone is returned by emit when it has seen what it wanted.
var errDone = errors.New("enough")

// pump takes readings from src into w until the source ends, ctx is done, or
// emit returns an error, and calls emit after each with what happened. It
// returns nil when the source came to its end or emit had enough, else the
// error of the source, of ctx or of emit, and a *crash for a panic in any of
// them. Screen, --plain and --once all run on it.
func pump(ctx context.Context, src collector.Source, w adder,
	emit func(*collector.Reading, []collector.Event) error) error {
	return guard(func() error {
		for {
			r, err := src.Next(ctx)
			if err == nil {
				err = emit(r, w.Add(r))
			}
			switch {
			case errors.Is(err, io.EOF), errors.Is(err, errDone):
				return nil
			case err != nil:
				return err
			}
		}
	})
}

// adder takes readings and says what happened because of them: a *watch.Watch,
// or one behind a lock.
type adder interface {
	Add(*collector.Reading) []collector.Event
}

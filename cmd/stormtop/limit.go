package main

import (
	"context"
	"io"
	"time"

	"stormtop/collector"
)

// around decorates a source: next is called in its stead. The result can be
// asked to try again where src can.
func around(src collector.Source, next collector.SourceFunc) collector.Source {
	if again, ok := src.(collector.Retrier); ok {
		return struct {
			collector.Source
			collector.Retrier
		}{next, again}
	}
	return next
}

// limited ends a source in order when d has passed in its live data; 0 is no
// limit. A reading stands for the interval before it, so that a minute of a
// source with a reading a second is sixty of them.
func limited(src collector.Source, d time.Duration) collector.Source {
	if d <= 0 {
		return src
	}
	var begin time.Time
	done := false
	return around(src, func(ctx context.Context) (*collector.Reading, error) {
		if done {
			return nil, io.EOF
		}
		r, err := src.Next(ctx)
		if err != nil || r.Past {
			return r, err
		}
		if begin.IsZero() {
			begin = r.At.Add(-r.Origin.Interval)
		}
		done = r.At.Sub(begin) >= d
		return r, nil
	})
}

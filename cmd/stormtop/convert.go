package main

import (
	"context"
	"errors"
	"fmt"

	"stormtop/collector/recording"
)

// runConvert writes all of a recording, or of the past of a Prometheus, in
// another format.
func runConvert(ctx context.Context, p program, rec *recording.Recording) int {
	ctx, stop := untilSignal(ctx)
	defer stop()
	note(p.stderr, p.notes)
	if past, ok := p.raw.(*pastOf); ok {
		var err error
		if rec, err = past.load(ctx); err != nil {
			return p.failed(ctx, err)
		}
	}
	if rec == nil {
		return p.failed(ctx, errors.New("there is nothing to convert"))
	}
	var err error
	switch p.settings.format {
	case "csv":
		err = recording.WriteCSV(p.stdout, rec.Readings())
	default:
		err = recording.WriteOpenMetrics(p.stdout, rec)
	}
	if err != nil {
		return p.failed(ctx, fmt.Errorf("%w: %w", errOutput, err))
	}
	return exitOK
}

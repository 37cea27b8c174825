package recording

import (
	"context"
	"errors"
	"sync/atomic"

	"stormtop/collector"
)

// Recorder is a source whose readings are written before they are handed on.
type Recorder struct {
	source collector.Source
	failed func(error)
	to     atomic.Pointer[Writer]
}

// Record makes a source of src whose readings are written to w first. The first
// error is told to failed, once; the recording ends there, the source goes on.
func Record(src collector.Source, w *Writer, failed func(error)) *Recorder {
	r := &Recorder{source: src, failed: failed}
	r.To(w)
	return r
}

// To is where readings are written from now on; nil: nowhere. It may be called
// from any goroutine. The writer before is left to the caller to be closed.
func (r *Recorder) To(w *Writer) { r.to.Store(w) }

// Recording reports whether readings are written.
func (r *Recorder) Recording() bool { return r.to.Load() != nil }

// Next takes the next reading of the source and writes it.
func (r *Recorder) Next(ctx context.Context) (*collector.Reading, error) {
	reading, err := r.source.Next(ctx)
	if err != nil {
		return nil, err
	}
	if w := r.to.Load(); w != nil {
		if err := w.Reading(reading); err != nil && r.to.CompareAndSwap(w, nil) && !errors.Is(err, ErrClosed) && r.failed != nil {
			r.failed(err)
		}
	}
	return reading, nil
}

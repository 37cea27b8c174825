package collector

import "context"

// Source is where readings come from: a Prometheus, a simulation, a recording.
//
// Next blocks until the next reading is due and returns it. A query that fails
// is no error: it comes as a reading whose Failures say what is not known and
// when it is tried again. An error is final: io.EOF when the source has ended
// in order, the context's error when ctx is done, anything else when this
// source can never work as it was configured. After an error Next is not called
// again.
//
// Readings come with strictly ascending At. Those with Past set come together,
// at once, and before every reading that is not empty (Reading.Empty). Empty
// ones may come before them, when a source cannot be read at its start: only
// then does At go back once, at the first Past reading. A reading that Begins
// starts all this over.
//
// ctx ends the wait and whatever request is under way; it must be the same in
// every call. Next is called from one goroutine. The readings belong to the
// caller and never change. What a source holds open it releases when ctx is
// done; there is nothing to close.
type Source interface {
	Next(ctx context.Context) (*Reading, error)
}

// Retrier is a source that stops after a refusal (Forbidden) until somebody
// asks it to try again, and that can be asked to cut a wait short. Retry may be
// called from any goroutine and does not block.
type Retrier interface{ Retry() }

// SourceFunc adapts a function to Source.
type SourceFunc func(ctx context.Context) (*Reading, error)

// Next calls the function.
func (f SourceFunc) Next(ctx context.Context) (*Reading, error) { return f(ctx) }

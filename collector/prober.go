package collector

import (
	"context"
	"time"
)

// Prober is a source that answers questions about one target beside its
// readings: of ten thousand targets, only what is looked at is asked for. Its
// methods may be called from any goroutine while Next runs.
type Prober interface {
	// Course is the past of a target: one reading for each instant from one
	// time to another (both included) at which something is known of it, with
	// that target alone, Past set, oldest first.
	Course(ctx context.Context, t Target, from, to time.Time) ([]*Reading, error)
	// Callers are the rates of a target by who calls it, most attempts first:
	// ingress, downstream and what follows from them. Nil where the metrics have
	// no label for it.
	Callers(ctx context.Context, t Target) ([]Row, error)
}

package chain

import (
	"context"
	"errors"
	"io"
	"math"
)

// RunOptions say how Run runs.
type RunOptions struct {
	// NoControl leaves the control run out; a trigger is then taken for the
	// cause of what follows it.
	NoControl bool
	// Baseline is the healthy fan-out of what is watched, by which its figures
	// divide; anything but a number above 0 counts as 1.
	Baseline float64
	// Each, when there is one, is called with every window as it ends.
	Each func(*Window)
}

// Run runs a scenario to its end, and again without its trigger for the
// verdict. When ctx ends first, the result is what was computed so far, with
// Complete false, beside the context's error. Other errors are New's and
// ErrTooMany.
func Run(ctx context.Context, s Scenario, seed int64, o RunOptions) (Result, error) {
	r := Result{Scenario: s.Clone(), Seed: seed, ScenarioHash: s.Hash(), Engine: EngineVersion}
	e, err := New(s, seed)
	if err != nil {
		return r, err
	}
	r.Windows, err = e.all(ctx, o.Each)
	r.Events, r.EventHash = e.Events(), e.Hash()
	var control []Window
	if _, _, triggered := s.Trigger(); err == nil && triggered && !o.NoControl {
		calm, cerr := New(s.Calm(), seed)
		if cerr != nil {
			return r, cerr
		}
		control, err = calm.all(ctx, nil)
	}
	r.Complete = err == nil
	r.Verdict, r.Judged = s.judge(r.Windows, control)
	r.Figures = r.figures(e, o.baseline())
	return r, err
}

// all runs to the end.
func (e *Engine) all(ctx context.Context, each func(*Window)) ([]Window, error) {
	var out []Window
	for {
		w, err := e.Next(ctx)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		if each != nil {
			each(w)
		}
		out = append(out, *w)
	}
}

func (o RunOptions) baseline() float64 {
	if o.Baseline > 0 && !math.IsInf(o.Baseline, 1) {
		return o.Baseline
	}
	return 1
}

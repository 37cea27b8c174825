package policy

import "time"

const (
	tallyStep = int64(100 * time.Millisecond)
	tallyLen  = int(int64(MaxWindow)/tallyStep) + 1
)

// Tally counts what a budget or a throttle looks at, over a sliding window in
// steps of 100 ms. It counts whether or not something looks, so that a budget
// that is switched on sees what is already in its window. The zero value is
// empty, with a window of one step.
type Tally struct {
	Sum   Counts // over the window
	steps [tallyLen]Counts
	now   int64 // the step it is in
	until int64 // time at which that step ends
	span  int64 // steps of the window
}

// Counts are numbers of calls.
type Counts struct {
	Originals int32 // first attempts sent; of a throttle: requests
	Retries   int32 // retries permitted
	Answers   int32 // answers that are not retryable; of a throttle: accepts
}

func (c *Counts) add(o *Counts, sign int32) {
	c.Originals += sign * o.Originals
	c.Retries += sign * o.Retries
	c.Answers += sign * o.Answers
}

// Span sets the length of the window, rounded down to 100 ms.
func (t *Tally) Span(now int64, window time.Duration) {
	t.Advance(now)
	span := min(max(int64(window)/tallyStep, 1), int64(tallyLen)-1)
	if span == t.span {
		return
	}
	t.span = span
	t.Sum = Counts{}
	for step := max(t.now-span+1, 0); step <= t.now; step++ {
		t.Sum.add(&t.steps[step%int64(tallyLen)], 1)
	}
}

// Advance moves the window to now.
func (t *Tally) Advance(now int64) {
	if now < t.until {
		return
	}
	step := now / tallyStep
	t.until = (step + 1) * tallyStep
	span := max(t.span, 1)
	if step-t.now >= int64(tallyLen) {
		t.steps, t.Sum, t.now = [tallyLen]Counts{}, Counts{}, step
		return
	}
	for t.now < step {
		t.now++
		if old := t.now - span; old >= 0 {
			t.Sum.add(&t.steps[old%int64(tallyLen)], -1)
		}
		t.steps[t.now%int64(tallyLen)] = Counts{}
	}
}

// Original counts a first attempt.
func (t *Tally) Original(now int64) {
	t.Advance(now)
	t.Sum.Originals++
	t.steps[t.now%int64(tallyLen)].Originals++
}

// Retry counts a permitted retry.
func (t *Tally) Retry(now int64) {
	t.Advance(now)
	t.Sum.Retries++
	t.steps[t.now%int64(tallyLen)].Retries++
}

// Answer counts an answer that is not retryable.
func (t *Tally) Answer(now int64) {
	t.Advance(now)
	t.Sum.Answers++
	t.steps[t.now%int64(tallyLen)].Answers++
}

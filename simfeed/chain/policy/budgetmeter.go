package policy

import "time"

// BudgetMeter is the state of a budget at one edge, or of one class there.
type BudgetMeter struct {
	budget Budget
	tokens float64
	filled int64    // when tokens were last refilled
	held   int64    // retries outstanding, asleep ones included
	shared []*Tally // of all classes that share the budget
}

// Use makes it work by a budget from now on, which the classes of the tallies
// share. What was counted stays; a bucket of another kind or size is full.
func (m *BudgetMeter) Use(now int64, b Budget, shared []*Tally) {
	if b.Kind != m.budget.Kind || b.Tokens != m.budget.Tokens {
		m.tokens, m.filled = b.Tokens, now
	}
	m.budget, m.shared = b, shared
	for _, t := range shared {
		t.Span(now, b.Window)
	}
}

// Holds reports whether a retry holds a slot while it sleeps and is at work,
// to be given back by Release.
func (m *BudgetMeter) Holds() bool { return m.budget.Kind == Concurrent }

// Outstanding is how many slots of concurrent retries are held.
func (m *BudgetMeter) Outstanding() int64 { return m.held }

// Retry asks for a retry after an outcome, with so many attempts of the edge
// active or waiting for a connection. The cost is what a success may give back.
func (m *BudgetMeter) Retry(now int64, after Outcome, active int64, own *Tally) (cost float32, ok bool) {
	b := &m.budget
	switch b.Kind {
	case Concurrent:
		if float64(m.held) >= max(b.Min, b.Share*float64(active)) {
			return 0, false
		}
		m.held++
	case Throttle:
		if m.tokens <= b.Tokens/2 {
			return 0, false
		}
	case Bucket:
		price := b.Cost
		if after == Timeout {
			price = b.TimeoutCost
		}
		if m.tokens < price {
			return 0, false
		}
		m.tokens -= price
		cost = float32(price)
	case Refill, Seconds:
		m.tokens, m.filled = m.filledTo(now), now
		if m.tokens < 1 {
			return 0, false
		}
		m.tokens--
	case OfAttempts, OfOriginals, Deposits, Answers:
		used, room := m.window(now)
		if used >= room {
			return 0, false
		}
	}
	own.Retry(now)
	return cost, true
}

// window is the retries within the window and their permitted number, of the
// kinds that compare the two.
func (m *BudgetMeter) window(now int64) (used, room float64) {
	var sum Counts
	for _, t := range m.shared {
		t.Advance(now)
		sum.add(&t.Sum, 1)
	}
	b := &m.budget
	used = float64(sum.Retries)
	switch b.Kind {
	case OfAttempts:
		room = b.Share * (float64(sum.Originals) + used)
	case OfOriginals:
		room = b.Share * float64(sum.Originals)
	case Deposits, Answers:
		deposits := sum.Originals
		if b.Kind == Answers {
			deposits = sum.Answers
		}
		// One retry must fit as a whole.
		room = float64(b.Share*float64(deposits)) + float64(b.Min*b.Window.Seconds()) - 1 + 1e-9
		used -= 1e-9
	}
	return used, room
}

// filledTo is the tokens of a bucket that fills by itself. It changes nothing,
// so that looking at a budget does not round its tokens once more.
func (m *BudgetMeter) filledTo(now int64) float64 {
	if m.budget.Kind == Seconds {
		if now/int64(time.Second) > m.filled/int64(time.Second) {
			return m.budget.Tokens
		}
		return m.tokens
	}
	return min(m.budget.Tokens, m.tokens+float64(m.budget.Refill*float64(now-m.filled)/1e9))
}

// Failure is an attempt that failed in a retryable way.
func (m *BudgetMeter) Failure() {
	if m.budget.Kind == Throttle {
		m.tokens = max(m.tokens-1, 0)
	}
}

// Success is an attempt that succeeded, whose retry had a cost (0 for a first
// attempt).
func (m *BudgetMeter) Success(cost float32) {
	switch m.budget.Kind {
	case Throttle:
		m.tokens = min(m.tokens+m.budget.Refund, m.budget.Tokens)
	case Bucket:
		m.tokens = min(m.tokens+float64(max(cost, 1)), m.budget.Tokens)
	}
}

// Ahead takes tokens for so many further retries of a call that was permitted
// one, as far as there are some, and says for how many: of Seconds alone.
func (m *BudgetMeter) Ahead(further int) uint8 {
	if m.budget.Kind != Seconds {
		return 0
	}
	n := uint8(max(min(float64(further), m.tokens), 0))
	m.tokens -= float64(n)
	return n
}

// Return gives back what a call took ahead and did not need.
func (m *BudgetMeter) Return(n uint8) {
	if m.budget.Kind == Seconds {
		m.tokens = min(m.tokens+float64(n), m.budget.Tokens)
	}
}

// Release gives back the slot of a retry that held one.
func (m *BudgetMeter) Release() { m.held-- }

// Level is the share of the budget that is left, 0 to 1; 1 without a budget.
func (m *BudgetMeter) Level(now, active int64) float64 {
	b := &m.budget
	left, whole := 1.0, 1.0
	switch b.Kind {
	case Concurrent:
		whole = max(b.Min, b.Share*float64(active))
		left = whole - float64(m.held)
	case Throttle:
		whole = b.Tokens / 2
		left = m.tokens - whole
	case Bucket:
		left, whole = m.tokens, b.Tokens
	case Refill, Seconds:
		left, whole = m.filledTo(now), b.Tokens
	case OfAttempts, OfOriginals, Deposits, Answers:
		used, room := m.window(now)
		left, whole = room-used, room
		if b.Kind == Deposits || b.Kind == Answers {
			left, whole = left+1, whole+1
		}
	}
	if !(whole > 0) || left <= 0 {
		return 0
	}
	return min(left/whole, 1)
}

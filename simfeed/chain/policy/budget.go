package policy

import (
	"fmt"
	"time"

	"stormtop/simfeed/chain/field"
)

// BudgetKind is the rule by which a budget permits a retry. N and R are the
// originals and the permitted retries within its window.
type BudgetKind uint8

// The kinds.
const (
	NoBudget    BudgetKind = iota
	OfAttempts             // R / (N + R) < share: gain up to 1 / (1 - share)
	OfOriginals            // R < share x N: gain up to 1 + share
	Deposits               // Finagle: R <= share x N + min a second x window
	Answers                // Linkerd profile: as Deposits, but deposited by each answer that is not retryable
	Concurrent             // Envoy: retries at work or asleep < max(min, share x (active + pending))
	Throttle               // gRPC: a failure takes 1 token, a success gives refund; retry while tokens > half
	Bucket                 // AWS: a retry takes cost (timeout_cost after a time-out), its success gives it back
	Refill                 // a token bucket filled at a rate of its own, not from the traffic
	Seconds                // outage lab: full at each whole second; a call takes the tokens of all retries it may still make
)

var budgetKinds = []BudgetKind{NoBudget, OfAttempts, OfOriginals, Deposits, Answers, Concurrent, Throttle, Bucket, Refill, Seconds}

// String is the name in scenario files.
func (k BudgetKind) String() string {
	names := [...]string{"none", "attempts", "originals", "finagle", "linkerd", "envoy", "grpc", "aws", "rate", "seconds"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("BudgetKind(%d)", uint8(k))
}

// Formula is the rule in words, with its bound on the gain.
func (k BudgetKind) Formula() string {
	switch k {
	case OfAttempts:
		return "R/(N+R) < share, gain at most 1/(1-share)"
	case OfOriginals:
		return "R < share x N, gain at most 1+share"
	case Deposits:
		return "R <= share x N + min x window, gain at most 1+share+min/load"
	case Answers:
		return "R <= share x answers + min x window, gain at most 1+share+min/load"
	case Concurrent:
		return "retries outstanding < max(min, share x (active+pending))"
	case Throttle:
		return "failure -1, success +refund, retry while tokens > half"
	case Bucket:
		return "retry takes cost, its success gives it back, any first success 1"
	case Refill:
		return "retry takes 1 of a bucket filled at refill a second"
	case Seconds:
		return "a call's first retry takes the tokens of all it may make, of a bucket full at each whole second"
	}
	return "no budget"
}

// Budget is a shared allowance of retries. It refuses retries, never first
// attempts.
type Budget struct {
	Kind        BudgetKind
	Share       float64       // 0 to 100, a fraction; of OfAttempts 1 is no bound; of Concurrent 0 leaves min alone
	Window      time.Duration // N and R are counted over; 1 s to MaxWindow
	Min         float64       // Deposits, Answers: retries a second besides the share; Concurrent: retries at once
	Tokens      float64       // size of the bucket of Throttle, Bucket, Refill, Seconds, which is full at the start
	Cost        float64       // of Bucket
	TimeoutCost float64       // of Bucket, after a time-out
	Refund      float64       // of Throttle, for a success
	Refill      float64       // of Refill, tokens a second
}

// MaxWindow is the longest window of a budget or a throttle.
const MaxWindow = 2 * time.Minute

const maxTokens = 1e9

var budgetFields = field.Table[Budget]{
	field.ChoiceOf("kind", "the rule that permits a retry", budgetKinds, func(b *Budget) *BudgetKind { return &b.Kind }),
	field.PartOf("share", "share of the kind's formula: 20%; of originals it may be above 1", 100, func(b *Budget) *float64 { return &b.Share }),
	field.DurationOf("window", "originals and retries are counted over, 1s to 2m", MaxWindow, func(b *Budget) *time.Duration { return &b.Window }),
	field.NumberOf("min", "finagle, linkerd: retries a second besides the share; envoy: retries at once", 0, maxTokens, func(b *Budget) *float64 { return &b.Min }),
	field.NumberOf("tokens", "size of the bucket of grpc, aws, rate and seconds", 0, maxTokens, func(b *Budget) *float64 { return &b.Tokens }),
	field.NumberOf("cost", "tokens for a retry, of aws", 0, maxTokens, func(b *Budget) *float64 { return &b.Cost }),
	field.NumberOf("timeout_cost", "tokens for a retry after a time-out, of aws", 0, maxTokens, func(b *Budget) *float64 { return &b.TimeoutCost }),
	field.NumberOf("refund", "tokens for a success, of grpc", 0, maxTokens, func(b *Budget) *float64 { return &b.Refund }),
	field.NumberOf("refill", "tokens a second, of rate", 0, maxTokens, func(b *Budget) *float64 { return &b.Refill }),
}

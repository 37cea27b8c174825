package lab

import (
	"context"
	"math"
)

// Result is what one run came to, with the field names of the published
// results. Fractions of a number are rounded to six decimals. What does not
// exist is nil, never 0: percentiles when nothing was delivered, the recovery
// when there is no outage to recover from.
type Result struct {
	ID               string  `json:"id"`
	Seed             int64   `json:"seed"`
	MaxRetry         int     `json:"maxRetry"` // retries: one less than attempts
	BaseMs           int64   `json:"baseMs"`
	Jitter           string  `json:"jitter"`
	BudgetPct        float64 `json:"budgetPct"`
	DeadlineMs       int64   `json:"deadlineMs"`
	Breaker          bool    `json:"breaker"`
	BreakerThreshold int     `json:"breakerThreshold"`

	Attempts        int64   `json:"attempts"`        // all that arrived
	Delivered       int64   `json:"delivered"`       // requests answered
	Failed          int64   `json:"failed"`          // requests given up
	Amplification   float64 `json:"amplification"`   // attempts / requests
	DeliveredPct    float64 `json:"deliveredPct"`    // percent of the requests
	PeakQPS         int64   `json:"peakQPS"`         // most attempts in a second
	OverloadSeconds int     `json:"overloadSeconds"` // seconds with more attempts than capacity
	P50Ms           *int64  `json:"p50Ms"`           // nearest rank over the requests answered
	P90Ms           *int64  `json:"p90Ms"`
	P99Ms           *int64  `json:"p99Ms"`
	LatencySumMs    int64   `json:"latencySumMs"`
	BreakerTrips    int     `json:"breakerTrips"`
	TripSeconds     []int   `json:"tripSeconds"`           // the attempts' seconds, never nil
	WronglyRefused  int64   `json:"harmfulRejections"`     // refused by the breaker although they could have been served
	Recovery        *int64  `json:"arrivalsSeconds26to28"` // attempts in the three seconds after the outage: 26 to 28 as published
	PerSecond       []int64 `json:"perSecond"`             // attempts that arrived in each second

	Config Config `json:"-"`
}

// Requests is the number of requests made.
func (r Result) Requests() int64 { return int64(r.Config.Clients) * int64(r.Config.Seconds) }

// Run runs a strategy to its end. The error is Config.Validate's, or the
// context's when it is done first.
func Run(ctx context.Context, s Strategy) (Result, error) {
	e, err := NewEngine(s.Config)
	if err != nil {
		return Result{}, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if _, ok := e.Step(); !ok {
			return e.Result(s.ID), nil
		}
	}
}

// Result sums up what was processed so far, which is meant to be all of it.
func (e *Engine) Result(id string) Result {
	c := e.config
	r := Result{
		ID: id, Seed: c.Seed, MaxRetry: c.Retries, BaseMs: c.Base.Milliseconds(), Jitter: c.Jitter.String(),
		BudgetPct: c.BudgetPct, DeadlineMs: c.Deadline.Milliseconds(), Breaker: c.Breaker,
		BreakerThreshold: c.BreakerThreshold, Delivered: e.waits.n, Failed: e.failed,
		LatencySumMs: e.waits.total(), BreakerTrips: len(e.trips), TripSeconds: append([]int{}, e.trips...),
		WronglyRefused: e.wrongly, PerSecond: make([]int64, len(e.cells)), Config: c,
	}
	for i, cell := range e.cells {
		r.PerSecond[i] = cell.arrivals
		r.Attempts += cell.arrivals
		r.PeakQPS = max(r.PeakQPS, cell.arrivals)
		if cell.arrivals > int64(c.Capacity) {
			r.OverloadSeconds++
		}
	}
	if n := float64(e.waits.n + e.failed); n > 0 {
		r.Amplification = round6(float64(r.Attempts) / n)
		r.DeliveredPct = round6(100 * float64(r.Delivered) / n)
	}
	r.P50Ms, r.P90Ms, r.P99Ms = e.percentile(50), e.percentile(90), e.percentile(99)
	if c.Outage() && c.OutageTo < c.Seconds {
		n := sum(r.PerSecond[c.OutageTo:min(c.OutageTo+3, c.Seconds)])
		r.Recovery = &n
	}
	return r
}

func (e *Engine) percentile(p int64) *int64 {
	if ms, ok := e.waits.percentile(p); ok {
		return &ms
	}
	return nil
}

func round6(f float64) float64 { return math.Round(f*1e6) / 1e6 }

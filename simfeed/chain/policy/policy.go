package policy

import (
	"fmt"
	"time"

	"stormtop/simfeed/chain/field"
)

// The bounds of a policy.
const (
	MaxAttempts = 100
	MaxTimeout  = time.Hour
	MaxSlots    = 10_000_000
)

// Policy is what a caller does at one edge.
type Policy struct {
	Preset     string        // the preset it was made from, or ""
	Attempts   int           // the first one included, 1 to MaxAttempts
	Servers    int           // each is tried once; 0 is no bound. NGINX never tries a server twice
	Timeout    time.Duration // of each try, from when it is sent; 0 is none
	Deadline   time.Duration // of the call, all tries and waits included; 0 is none
	Propagate  bool          // the callee learns how much time is left: it neither starts nor goes on after it
	Cancel     bool          // a time-out or a cancelled caller stops the callee's work, at once
	RetryOn    Outcomes      // what is retried
	SafeOnly   bool          // only what is idempotent or has a key is retried
	RetryAfter bool          // waits at least as long as a rate limit says
	Backoff    Backoff
	Budget     Budget
	Throttle   AdaptiveThrottle
	Breaker    Breaker
	Pool       Pool
	Bulkhead   int // attempts at once at this edge, those that wait for a connection included; refused beyond; field.NoLimit is none
}

// Pool is the connections of a caller to a callee.
type Pool struct {
	Size    int           // field.NoLimit is none
	Waiting int           // how many may wait for one; field.NoLimit is no bound
	Timeout time.Duration // of the wait; 0 is none
}

// AdaptiveThrottle refuses attempts, first ones too, by the callee's own
// answers: with probability max(0, (requests - k x accepts) / (requests + 1)).
type AdaptiveThrottle struct {
	On     bool
	K      float64       // 1 to 100
	Window time.Duration // 1 s to MaxWindow
}

// New is a policy of one attempt that waits for ever: no time-out, no limits.
// What is retried, once more attempts are permitted, is any failure, at once.
func New() Policy {
	return Policy{
		Attempts: 1, RetryOn: AnyFailed,
		Backoff:  Backoff{Factor: 2, Spread: 0.2},
		Budget:   Budget{Share: 0.2, Window: 10 * time.Second, Min: 10, Tokens: 500, Cost: 5, TimeoutCost: 10, Refund: 0.1, Refill: 10},
		Throttle: AdaptiveThrottle{K: 2, Window: 2 * time.Minute},
		Breaker: Breaker{
			Window: 10 * time.Second, Minimum: 20, Failures: 0.5,
			Cooldown: 5 * time.Second, Probes: 3, Pass: 1,
		},
		Pool:     Pool{Size: field.NoLimit, Waiting: field.NoLimit},
		Bulkhead: field.NoLimit,
	}
}

// Permitted is the number of attempts a call may make.
func (p *Policy) Permitted() int {
	if p.Servers > 0 {
		return min(p.Attempts, p.Servers)
	}
	return p.Attempts
}

// Fields are the fields of a policy by the names of scenario files.
var Fields = fields()

func fields() field.Table[Policy] {
	t := field.Table[Policy]{
		field.TextOf("policy", "a preset, which replaces all other fields of the policy",
			func(p *Policy) string {
				if p.Preset == "" {
					return "none"
				}
				return p.Preset
			},
			func(p *Policy, name string) error {
				q := New()
				if name != "none" {
					preset, err := Lookup(name)
					if err != nil {
						return err
					}
					q = preset.New()
				}
				*p = q
				return nil
			}),
		field.CountOf("attempts", "attempts a call, the first one included", 1, MaxAttempts, func(p *Policy) *int { return &p.Attempts }),
		field.CountOf("servers", "each is tried once; 0 is no bound", 0, MaxAttempts, func(p *Policy) *int { return &p.Servers }),
		field.DurationOf("timeout", "of each try; 0s is none", MaxTimeout, func(p *Policy) *time.Duration { return &p.Timeout }),
		field.DurationOf("deadline", "of the call, all tries and waits included; 0s is none", MaxTimeout, func(p *Policy) *time.Duration { return &p.Deadline }),
		field.SwitchOf("propagate", "the callee learns how much time is left", func(p *Policy) *bool { return &p.Propagate }),
		field.SwitchOf("cancel", "a time-out stops the callee's work", func(p *Policy) *bool { return &p.Cancel }),
		field.TextOf("retry_on", "what is retried: any, none, or a list of error, timeout, overload, rate_limited, connect",
			func(p *Policy) string { return p.RetryOn.String() },
			func(p *Policy, text string) error {
				s, err := ParseOutcomes(text)
				if err == nil {
					p.RetryOn = s
				}
				return err
			}),
		field.SwitchOf("safe_only", "retries only what is idempotent or has a key", func(p *Policy) *bool { return &p.SafeOnly }),
		field.SwitchOf("retry_after", "waits as long as a rate limit says", func(p *Policy) *bool { return &p.RetryAfter }),
		field.LimitOf("bulkhead", "attempts at once at this edge, refused beyond", 1, MaxSlots, func(p *Policy) *int { return &p.Bulkhead }),
	}
	t = append(t, field.Below("backoff.", backoffFields, func(p *Policy) *Backoff { return &p.Backoff })...)
	t = append(t, field.Below("budget.", budgetFields, func(p *Policy) *Budget { return &p.Budget })...)
	t = append(t, field.Below("throttle.", throttleFields, func(p *Policy) *AdaptiveThrottle { return &p.Throttle })...)
	t = append(t, field.Below("breaker.", breakerFields, func(p *Policy) *Breaker { return &p.Breaker })...)
	return append(t, field.Below("pool.", poolFields, func(p *Policy) *Pool { return &p.Pool })...)
}

var poolFields = field.Table[Pool]{
	field.LimitOf("size", "connections of the caller to the callee", 1, MaxSlots, func(p *Pool) *int { return &p.Size }),
	field.LimitOf("waiting", "how many may wait for a connection", 0, MaxSlots, func(p *Pool) *int { return &p.Waiting }),
	field.DurationOf("timeout", "of the wait for a connection; 0s is none", MaxTimeout, func(p *Pool) *time.Duration { return &p.Timeout }),
}

var throttleFields = field.Table[AdaptiveThrottle]{
	field.SwitchOf("on", "the client refuses by itself what the callee would not accept", func(t *AdaptiveThrottle) *bool { return &t.On }),
	field.NumberOf("k", "requests that are sent for one that is accepted, 1 to 100", 1, 100, func(t *AdaptiveThrottle) *float64 { return &t.K }),
	field.DurationOf("window", "requests and accepts are counted over, 1s to 2m", MaxWindow, func(t *AdaptiveThrottle) *time.Duration { return &t.Window }),
}

// Check says what is wrong with a policy: the field, and a sentence with the
// remedy. Both are empty when nothing is.
func (p *Policy) Check() (name, text string) {
	for _, f := range Fields {
		if f.Name == "policy" {
			continue
		}
		if err := f.Check(p); err != nil {
			return f.Name, err.Error()
		}
	}
	return p.CheckWhole()
}

// CheckWhole is Check of how the fields go together, where each by itself is
// known to be right.
func (p *Policy) CheckWhole() (name, text string) {
	short := func(d time.Duration) bool { return d < time.Second }
	switch {
	case short(p.Budget.Window):
		return "budget.window", "is below 1s: give 1s to 2m"
	case short(p.Throttle.Window):
		return "throttle.window", "is below 1s: give 1s to 2m"
	case short(p.Breaker.Window):
		return "breaker.window", "is below 1s: give 1s to 2m"
	case p.Breaker.Calls > 0 && p.Breaker.Minimum > p.Breaker.Calls:
		return "breaker.minimum", fmt.Sprintf("is %d, more than the %d calls it looks at: it would never open", p.Breaker.Minimum, p.Breaker.Calls)
	case p.Backoff.Growth == Table && len(p.Backoff.Bands) == 0:
		return "backoff.bands", "is empty: the kind table needs at least one band, such as 25ms..50ms"
	case p.Backoff.Jitter == Decorrelated && p.Backoff.Base == 0 && p.Backoff.Growth != AtOnce:
		return "backoff.base", "is 0s: decorrelated jitter grows from it, so it must be above"
	}
	return "", ""
}

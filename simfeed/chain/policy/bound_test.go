package policy

import (
	"math"
	"testing"
)

func TestWhatBudgetsAndForcedBreakersLeaveOfTheAttempts(t *testing.T) {
	load := Load{Calls: 100, Shared: 100, Active: 200}
	for name, test := range map[string]struct {
		policy Policy
		load   Load
		want   float64
	}{
		"no budget":                           {Policy{Attempts: 3}, load, 3},
		"share of attempts":                   {Policy{Attempts: 3, Budget: Budget{Kind: OfAttempts, Share: 0.2}}, load, 1.25},
		"share of attempts, all of them":      {Policy{Attempts: 3, Budget: Budget{Kind: OfAttempts, Share: 1}}, load, 3},
		"share of originals":                  {Policy{Attempts: 3, Budget: Budget{Kind: OfOriginals, Share: 0.2}}, load, 1.2},
		"no more than the attempts":           {Policy{Attempts: 2, Budget: Budget{Kind: OfOriginals, Share: 5}}, load, 2},
		"deposits and a minimum a second":     {Policy{Attempts: 3, Budget: Budget{Kind: Deposits, Share: 0.2, Min: 10}}, load, 1.3},
		"answers":                             {Policy{Attempts: 3, Budget: Budget{Kind: Answers, Share: 0.2, Min: 10}}, load, 1.3},
		"retries at once":                     {Policy{Attempts: 3, Budget: Budget{Kind: Concurrent, Share: 0.2, Min: 3}}, load, 1.25},
		"retries at once, of few":             {Policy{Attempts: 3, Budget: Budget{Kind: Concurrent, Share: 0.2, Min: 3}}, Load{Calls: 1, Shared: 1, Active: 2}, 3},
		"a bucket with a rate":                {Policy{Attempts: 3, Budget: Budget{Kind: Refill, Refill: 50}}, load, 1.5},
		"a bucket full at each second":        {Policy{Attempts: 3, Budget: Budget{Kind: Seconds, Tokens: 48}}, load, 1.48},
		"tokens from successes bound nothing": {Policy{Attempts: 3, Budget: Budget{Kind: Throttle, Tokens: 10}}, load, 3},
		"another class may leave its share":   {Policy{Attempts: 3, Budget: Budget{Kind: OfOriginals, Share: 0.2}}, Load{Calls: 50, Shared: 200}, 1.8},
		"without calls nothing is known":      {Policy{Attempts: 3, Budget: Budget{Kind: Deposits, Share: 0.2, Min: 10}}, Load{}, 3},
		"forced open":                         {Policy{Attempts: 3, Breaker: Breaker{On: true, Force: ForceOpen}}, load, 0},
		"forced to a share":                   {Policy{Attempts: 3, Breaker: Breaker{On: true, Force: ForceShare, Pass: 0.25}}, load, 0.75},
		"forced, with a budget":               {Policy{Attempts: 3, Budget: Budget{Kind: OfOriginals, Share: 0.2}, Breaker: Breaker{On: true, Force: ForceShare, Pass: 0.5}}, load, 0.6},
		"forced closed":                       {Policy{Attempts: 3, Breaker: Breaker{On: true, Force: ForceClosed}}, load, 3},
		"forced open while it is off":         {Policy{Attempts: 3, Breaker: Breaker{Force: ForceOpen}}, load, 0},
		"forced to a share while it is off":   {Policy{Attempts: 3, Breaker: Breaker{Force: ForceShare, Pass: 0.25}}, load, 0.75},
	} {
		if got := test.policy.Bound(test.load); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

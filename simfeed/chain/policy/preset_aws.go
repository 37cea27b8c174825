package policy

import "time"

// The standard mode of the AWS SDKs: 3 attempts, waits uniform(0,1) x min(2^i,
// 20 s) from i = 0, a bucket of 500 from which a retry takes 5, or 10 after a
// time-out. A total outage is granted 100 retries, 50 when it times out.
// Source: AWS SDKs and Tools reference guide, retry behavior.
var awsStandard = Preset{
	Name: "aws-standard", System: "AWS SDK", Word: "max_attempts",
	Source: "AWS SDKs and Tools reference guide: retry behavior",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts, p.RetryAfter = "aws-standard", 3, true
		p.Backoff = Backoff{Growth: Exponential, Base: time.Second, Factor: 2, Cap: 20 * time.Second, Jitter: Full, Spread: 0.2}
		p.Budget.Kind, p.Budget.Tokens, p.Budget.Cost, p.Budget.TimeoutCost = Bucket, 500, 5, 10
		return p
	},
}

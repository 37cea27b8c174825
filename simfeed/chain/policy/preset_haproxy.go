package policy

import "time"

// HAProxy's retries: 3, of failed connections alone, each after a pause of
// min(connect time-out, 1 s) on the same server; the last one goes to another
// server, at once. Source: HAProxy configuration manual, retries and option
// redispatch.
var haproxyDefault = Preset{
	Name: "haproxy", System: "HAProxy", Word: "retries", Extra: true,
	Source: "HAProxy configuration manual: retries, option redispatch",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts, p.RetryOn = "haproxy", 4, Set(Connect)
		p.Backoff.Growth = Table
		p.Backoff.Bands = []Band{{time.Second, time.Second}, {time.Second, time.Second}, {0, 0}}
		return p
	},
}

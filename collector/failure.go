package collector

import (
	"fmt"
	"time"
)

// FailureKind says what kind of thing went wrong, and so what happens next.
type FailureKind uint8

// The kinds of failure, each with the next step a source takes.
const (
	NoFailure     FailureKind = iota
	Forbidden                 // 401 or 403: polling stops until asked to try again
	Rejected                  // another 4xx: this query will not get better, it is not retried before the next slot
	RateLimited               // 429: wait as long as the server says, else back off
	ServerError               // 5xx: back off
	TimedOut                  // no answer in time: back off
	Unreachable               // no connection, or it was lost: back off
	NotPrometheus             // an answer that is no Prometheus JSON: back off
	TooLarge                  // the answer passed the byte cap: the query is not repeated as it is
	NothingFound              // connected, but no known system has data here: look again later
)

var failureNames = [...]string{
	NoFailure: "none", Forbidden: "forbidden", Rejected: "rejected", RateLimited: "rate_limited",
	ServerError: "server_error", TimedOut: "timed_out", Unreachable: "unreachable",
	NotPrometheus: "not_prometheus", TooLarge: "too_large", NothingFound: "nothing_found",
}

// String is the name used in machine formats.
func (k FailureKind) String() string {
	if int(k) < len(failureNames) {
		return failureNames[k]
	}
	return fmt.Sprintf("FailureKind(%d)", uint8(k))
}

// Failure is one thing that a source could not find out.
type Failure struct {
	Signal Signal      // the signal concerned; NoSignal: the whole reading
	System string      // the profile it is asked by, where there are several
	Kind   FailureKind // what happened
	Text   string      // one sentence for a person, cleaned, without credentials
	Retry  time.Time   // when it is tried again; zero: not before someone asks
}

package verdict

import (
	"fmt"
	"strings"
	"time"

	"stormtop/collector"
)

var signalWords = [collector.NumSignals]string{
	collector.Ingress: "ingress", collector.Downstream: "attempts", collector.Retries: "retries",
	collector.Successes: "successes", collector.Rescued: "rescued", collector.AtLimit: "at limit",
	collector.PoolWait: "pool wait", collector.QueueDepth: "queue", collector.Amplification: "amplification",
	collector.RetryRate: "retry rate", collector.RescuedShare: "rescued by retry", collector.Delivered: "delivered",
	collector.Arrived: "arrived", collector.Overflow: "overflow",
}

// SignalWord is the name of a signal for people: "at limit", "retry rate".
func SignalWord(s collector.Signal) string {
	if s < collector.NumSignals && signalWords[s] != "" {
		return signalWords[s]
	}
	return s.String()
}

// longestName is how many characters of a name are told in a sentence or a
// table, so that a name never pushes the number out.
const longestName = 40

// Name is the name of a target, cut in its middle when it is too long: both ends
// tell names apart.
func Name(s string) string {
	r := []rune(s)
	if len(r) <= longestName {
		return s
	}
	half := (longestName - 1) / 2
	return string(r[:longestName-1-half]) + "…" + string(r[len(r)-half:])
}

// Named is the name of a target with its system behind it where several systems
// stand side by side: "payments (grpc_otel)". o may be nil.
func Named(t collector.Target, o *collector.Origin) string {
	if system := SystemOf(t, o); system != "" {
		return Name(t.Name) + " (" + system + ")"
	}
	return Name(t.Name)
}

// SystemOf is the system by which a target must be told from others, cleaned;
// "" where its name says enough. o may be nil.
func SystemOf(t collector.Target, o *collector.Origin) string {
	if o == nil || !o.Several() {
		return ""
	}
	return collector.Clean(t.System)
}

// Number is a signal of a row as text. A share of nothing is "0 of 0" while
// there is traffic, since "idle" would say that there is none, and the share of
// retries that nobody counts (NotCounted) is "?". More answers than requests are
// "100%+": answers to requests of before are among them (BacklogToo).
func Number(row collector.Row, s collector.Signal) string {
	v := row.Values[s]
	if s == collector.RetryRate && NotCounted(row) {
		return "?"
	}
	if v.State == collector.Idle && s.Unit() == collector.Fraction {
		if n, ok := row.Values[collector.Downstream].Number(); ok && n > 0 {
			return "0 of 0"
		}
	}
	if BacklogToo(row, s) {
		return Share(v)
	}
	return v.String()
}

// Share is a value as text, where a share of more than all is "100%+": what was
// delivered of the requests, while a backlog is answered.
func Share(v collector.Value) string {
	if f, ok := v.Number(); ok && v.Unit == collector.Fraction && f >= moreThanAll {
		v.V = 1
		return strings.Replace(v.String(), "%", "%+", 1)
	}
	return v.String()
}

// moreThanAll is a share that would not be told as 100%.
const moreThanAll = 1.005

// BacklogToo reports whether a share of the requests that were delivered is above
// all of them, as while a backlog is answered: requests and answers are counted in
// the same time, but an answer is of a request of before.
func BacklogToo(row collector.Row, s collector.Signal) bool {
	f, ok := row.Values[s].Number()
	return ok && s == collector.Delivered && f >= moreThanAll
}

// Threshold is a rule's condition without the value: "> 1.5", "> 10%", "> 0".
func Threshold(r collector.RuleSpec, u collector.Unit) string {
	if u == collector.NoUnit {
		u = r.Signal.Unit()
	}
	return r.Compare.String() + " " + bare(r.Threshold, u)
}

// bare formats a threshold next to a value of the same unit, which need not be repeated.
func bare(f float64, u collector.Unit) string {
	return strings.TrimSuffix(strings.TrimSuffix(collector.FormatThreshold(f, u), "x"), "/s")
}

// number formats a value against a threshold; "(old)" and "(partial)" stand
// where the number is not what it should be.
func number(v collector.Value, threshold float64) string {
	switch v.State {
	case collector.Stale:
		v.State = collector.Ok
		return v.Against(threshold) + " (old)"
	case collector.Partial:
		v.State = collector.Ok
		return v.Against(threshold) + " (partial)"
	}
	return v.Against(threshold)
}

// condition is a value against a rule's threshold: "2.48x > 1.5", or
// "1.50x = threshold 1.5" when it is exactly that.
func condition(v collector.Value, r collector.RuleSpec) string {
	if f, ok := v.Number(); ok && f == r.Threshold {
		u := v.Unit
		if u == collector.NoUnit {
			u = r.Signal.Unit()
		}
		return number(v, r.Threshold) + " = threshold " + bare(r.Threshold, u)
	}
	return number(v, r.Threshold) + " " + Threshold(r, v.Unit)
}

// lasting formats how long a state lasts, "≥3m12s" when it began earlier than
// anything was seen, "" when nothing is known.
func lasting(d time.Duration, atLeast bool) string {
	switch {
	case atLeast && d < time.Second:
		return ""
	case atLeast:
		return "≥" + collector.FormatDuration(d)
	}
	return collector.FormatDuration(d)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Next says when a failure is tried again: "next try in 4s".
func Next(f collector.Failure, now time.Time) string {
	switch wait := f.Retry.Sub(now); {
	case f.Retry.IsZero():
		return "not tried again before you ask"
	case wait < time.Second:
		return "next try now"
	default:
		return "next try in " + collector.FormatDuration(wait)
	}
}

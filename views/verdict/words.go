package verdict

import (
	"fmt"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

var signalWords = [collector.NumSignals]string{
	collector.Ingress: "ingress", collector.Downstream: "attempts", collector.Retries: "retries",
	collector.Successes: "successes", collector.Rescued: "rescued", collector.AtLimit: "at limit",
	collector.PoolWait: "pool wait", collector.QueueDepth: "queue", collector.Amplification: "amplification",
	collector.RetryRate: "retry rate", collector.RescuedShare: "rescued by retry", collector.Delivered: "delivered",
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

// Number is a signal of a row as text. A share of nothing is "0 of 0" while
// there is traffic, since "idle" would say that there is none.
func Number(row collector.Row, s collector.Signal) string {
	v := row.Values[s]
	if v.State == collector.Idle && s.Unit() == collector.Fraction {
		if n, ok := row.Values[collector.Downstream].Number(); ok && n > 0 {
			return "0 of 0"
		}
	}
	return v.String()
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

// missing says what kept a rule from being judged: "at limit: not exported by envoy".
func missing(m alerts.Missing, o *collector.Origin) string {
	why := m.Why.String()
	if m.Why == alerts.WhyNotExported {
		why = "not exported by " + exporter(o)
	}
	return SignalWord(m.Signal) + ": " + why
}

func exporter(o *collector.Origin) string {
	switch {
	case o != nil && o.Profile != "":
		return o.Profile
	case o != nil && o.Source != "":
		return o.Source
	}
	return "this source"
}

// Coverage says how many rules could be judged, and why the others could not:
// "2 of 3 rules judged; at limit: not exported by envoy", "3 rules judged".
func Coverage(c alerts.Coverage, o *collector.Origin) string {
	switch {
	case c.Of == 0:
		return "no rule is on"
	case c.Judged == c.Of:
		return plural(c.Of, "rule") + " judged"
	}
	text := fmt.Sprintf("%d of %s judged", c.Judged, plural(c.Of, "rule"))
	if c.Judged == 0 {
		text = "no rule can be judged"
	}
	said := map[string]bool{}
	for _, m := range c.Missing {
		if why := missing(m, o); !said[why] {
			said[why] = true
			text += "; " + why
		}
	}
	return text
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

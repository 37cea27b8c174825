package report

import (
	"fmt"
	"strings"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// told are the signals of the text, in its order.
var told = []collector.Signal{
	collector.Ingress, collector.Downstream, collector.Amplification, collector.RetryRate,
	collector.RescuedShare, collector.Delivered, collector.AtLimit, collector.PoolWait, collector.QueueDepth,
}

// subject lists every signal of the worst target.
func (t Text) subject(s watch.Snapshot) string {
	if s.Good == nil || s.Good.Blind() {
		return ""
	}
	row := s.Worst
	out := row.Target.Name
	switch row.Target.Kind {
	case collector.Hop:
		out += "   HOP: attempts per request at this hop"
	case collector.Edge:
		out += "   EDGE: attempts at the dependency per user request"
	}
	if s.Good != s.Last {
		out += fmt.Sprintf("   last picture, of %s, %s ago",
			collector.FormatClock(s.Good.At.In(t.now(s).Location())), collector.FormatDuration(s.Last.At.Sub(s.Good.At)))
	}
	tab := grid{ascii: t.ASCII, right: "  r"}
	for _, sig := range told {
		tab.add("", verdict.SignalWord(sig), against(s.Rules, row, sig), strings.Join(t.remarks(s, row, sig), ", "))
	}
	return out + "\n" + tab.String()
}

// against formats a value so that it can be told from the threshold of the rule
// that looks at it.
func against(rules []collector.RuleSpec, row collector.Row, sig collector.Signal) string {
	v := row.Values[sig]
	for _, r := range rules {
		if !r.Off && r.Signal == sig && v.State.HasNumber() {
			return v.Against(r.Threshold)
		}
	}
	return verdict.Number(row, sig)
}

// remarks say what stands behind a value.
func (t Text) remarks(s watch.Snapshot, row collector.Row, sig collector.Signal) []string {
	v := row.Values[sig]
	var out []string
	if !v.State.HasNumber() || v.State != collector.Ok {
		out = append(out, stateRemark(v.State, sig, s))
	}
	if v.State.HasNumber() {
		out = append(out, trustRemark(v.Trust)...)
		out = append(out, shareRemark(row, sig)...)
	}
	if sig == collector.Amplification && row.Baseline > 0 && row.Baseline != 1 {
		out = append(out, "divided by a baseline of "+collector.FormatThreshold(row.Baseline, collector.Count))
	}
	for _, r := range s.Rules {
		if !r.Off && r.Signal == sig && r.Both[0] == "" {
			out = append(out, thresholdRemark(s, row, r))
		}
	}
	return out
}

func thresholdRemark(s watch.Snapshot, row collector.Row, r collector.RuleSpec) string {
	text := "threshold " + verdict.Threshold(r, row.Values[r.Signal].Unit)
	hop := row.Target.Kind == collector.Hop && (row.Baseline == 1 || row.Baseline == 0)
	if r.Signal == collector.RetryRate && hop && r.Threshold >= 0 && r.Threshold < 1 {
		same := collector.Num(1/(1-r.Threshold), collector.Ratio, collector.Exact)
		text += ", that is " + same.String()
	}
	return text
}

func stateRemark(st collector.State, sig collector.Signal, s watch.Snapshot) string {
	switch st {
	case collector.Missing:
		return "no such series"
	case collector.Idle:
		if sig == collector.RescuedShare {
			return "there were no successes to take a share of"
		}
		return "0/0: nothing asked, nothing sent"
	case collector.Infinite:
		if sig == collector.Amplification {
			return "infinite: attempts with no ingress"
		}
		return "infinite: divided by zero"
	case collector.Stale:
		return "older than it should be"
	case collector.Partial:
		return "partial: some of what it counts did not answer"
	}
	for _, f := range s.Good.Failures {
		if f.Signal == sig {
			return "the query failed: " + f.Text
		}
	}
	return "the query failed"
}

func trustRemark(t collector.Trust) []string {
	switch t {
	case collector.Approx:
		return []string{"approximate"}
	case collector.LowerBound:
		return []string{"lower bound"}
	case collector.Heuristic:
		return []string{"a hint that needs a baseline"}
	}
	return nil
}

// shareRemark relates a number to another that gives it its weight.
func shareRemark(row collector.Row, sig collector.Signal) []string {
	switch sig {
	case collector.RescuedShare:
		return []string{"of successes"}
	case collector.Delivered:
		return []string{"of requests"}
	case collector.AtLimit:
		n, ok := row.Values[collector.AtLimit].Number()
		in, known := row.Values[collector.Ingress].Number()
		if ok && known && in > 0 && n > 0 {
			return []string{collector.Num(n/in, collector.Fraction, collector.Exact).String() + " of requests"}
		}
	}
	return nil
}

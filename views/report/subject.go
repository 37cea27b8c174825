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
	collector.Ingress, collector.Downstream, collector.Arrived, collector.Amplification, collector.RetryRate,
	collector.RescuedShare, collector.Delivered, collector.AtLimit, collector.Overflow, collector.PoolWait, collector.QueueDepth,
}

// rare are the signals that are told only where a system exports them.
func rare(s collector.Signal) bool { return s == collector.Arrived || s == collector.Overflow }

// subject lists every signal of the worst target.
func (t Text) subject(s watch.Snapshot) string {
	if s.Good == nil || s.Good.Blind() {
		return ""
	}
	row := s.Worst
	out := row.Target.Name
	if system := verdict.SystemOf(row.Target, origin(s.Good)); system != "" {
		out += " (" + system + ")"
	}
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
		if !rare(sig) || row.Values[sig].State != collector.Missing {
			tab.add("", verdict.SignalWord(sig), against(s.Rules, row, sig), strings.Join(t.remarks(s, row, sig), ", "))
		}
	}
	return out + "\n" + tab.String()
}

// against formats a value so that it can be told from the threshold of the rule
// that looks at it.
func against(rules []collector.RuleSpec, row collector.Row, sig collector.Signal) string {
	v := row.Values[sig]
	for _, r := range rules {
		if !r.Off && r.Signal == sig && v.State.HasNumber() && !(sig == collector.RetryRate && verdict.NotCounted(row)) {
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
		out = append(out, stateRemark(row, sig, s))
	}
	if v.State.HasNumber() {
		out = append(out, trustRemark(row, sig)...)
		out = append(out, shareRemark(row, sig)...)
	}
	switch sig {
	case collector.Amplification:
		out = append(out, ratioRemarks(row, origin(s.Good))...)
	case collector.RetryRate:
		if text := verdict.NotCountedText(row); text != "" {
			out = append(out, text)
		}
	}
	for _, r := range s.Rules {
		if !r.Off && r.Signal == sig && r.Both[0] == "" {
			out = append(out, thresholdRemark(s, row, r))
		}
	}
	return out
}

// ratioRemarks say what an amplification was divided by, and what it would be
// without the attempts that never got a connection.
func ratioRemarks(row collector.Row, o *collector.Origin) []string {
	var out []string
	if division, from := verdict.Divided(row, o); division != "" {
		out = append(out, division, from)
	}
	arrived, ok := row.Values[collector.Arrived].Number()
	in, known := row.Values[collector.Ingress].Number()
	if ok && known && in > 0 {
		base := max(row.Baseline, 0)
		if base == 0 {
			base = 1
		}
		connected := collector.Num(arrived/in/base, collector.Ratio, row.Values[collector.Arrived].Trust)
		out = append(out, connected.String()+" of attempts that got a connection")
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

func stateRemark(row collector.Row, sig collector.Signal, s watch.Snapshot) string {
	switch row.Values[sig].State {
	case collector.Missing:
		return verdict.NoSeries(&row.Values, sig)
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
		if text := verdict.ShortSides(s.Good.Reporters, row.Target); text != "" {
			return "partial: " + text
		}
		return "partial: some of what it counts did not answer"
	}
	for _, f := range s.Good.Failures {
		if f.Signal == sig && (f.System == "" || row.Target.System == "" || f.System == row.Target.System) {
			return "the query failed: " + f.Text
		}
	}
	return "the query failed"
}

func trustRemark(row collector.Row, sig collector.Signal) []string {
	switch row.Values[sig].Trust {
	case collector.Approx:
		return []string{"approximate"}
	case collector.LowerBound:
		return []string{"lower bound"}
	case collector.Heuristic:
		switch {
		case sig != collector.Amplification:
			return []string{"a hint"}
		case row.Baseline > 0 && row.Baseline != 1:
			return []string{"a hint: fan-out is in it"}
		}
		return []string{"fan-out is in it: give a baseline"}
	}
	return nil
}

// shareRemark relates a number to another that gives it its weight.
func shareRemark(row collector.Row, sig collector.Signal) []string {
	switch sig {
	case collector.RescuedShare:
		return []string{"of successes"}
	case collector.Delivered:
		if verdict.BacklogToo(row, sig) {
			return []string{"of requests, and of requests of before"}
		}
		return []string{"of requests"}
	case collector.Arrived:
		return []string{"attempts that got a connection"}
	case collector.AtLimit:
		if share, ok := shareOf(row, collector.AtLimit, collector.Ingress); ok {
			return []string{share + " of requests used their last attempt"}
		}
	case collector.Overflow:
		return []string{"retries that a budget or a breaker did not permit"}
	}
	return nil
}

// shareOf is one rate as a share of another, where there is one above 0.
func shareOf(row collector.Row, part, whole collector.Signal) (string, bool) {
	n, ok := row.Values[part].Number()
	in, known := row.Values[whole].Number()
	if !ok || !known || in <= 0 || n <= 0 {
		return "", false
	}
	return collector.Num(n/in, collector.Fraction, collector.Exact).String(), true
}

package simulate

import (
	"encoding/json"
	"fmt"

	"stormtop/simfeed/chain"
)

// column is a value of a second under a name, for CSV.
type column struct{ name, text string }

// columnsOf is a second as columns with the names of the JSON, with attempts up to
// the given number at each hop.
func columnsOf(s *second, classes []string, attempts []int) []column {
	out := []column{{"t", text(&s.T)}}
	add := func(prefix string, v signals) {
		for i, p := range []*float64{v.Ingress, v.Downstream, v.Amplification, v.RetryRate, v.RescuedShare, v.AtLimit, v.PoolWait, v.QueueDepth, v.Delivered} {
			out = append(out, column{prefix + shown[i].String(), text(p)})
		}
	}
	add("", s.signals)
	whole := func(name string, n int64) { out = append(out, column{name, fmt.Sprint(n)}) }
	for _, c := range classes {
		doc := s.Classes[c]
		add("classes."+c+".", doc.signals)
		whole("classes."+c+".pending", doc.Pending)
		out = append(out, column{"classes." + c + ".latency_p50", text(doc.LatencyP50)}, column{"classes." + c + ".latency_p99", text(doc.LatencyP99)})
		whole("classes."+c+".waiting", doc.Waiting)
	}
	for i := range s.Hops {
		out = append(out, hopColumns(&s.Hops[i], attempts[i])...)
	}
	for _, v := range s.Services {
		in := "services." + v.Name + "."
		whole(in+"busy", v.Busy)
		whole(in+"queued", v.Queued)
		whole(in+"completed", v.Completed)
		whole(in+"wasted", v.Wasted)
		whole(in+"duplicates", v.Duplicates)
		whole(in+"refused", v.Refused)
		out = append(out, column{in + "latency_p50", text(v.LatencyP50)}, column{in + "latency_p99", text(v.LatencyP99)})
	}
	return out
}

// hopColumns is a hop with every reason for which something may be refused, at
// the caller or at the callee, and the attempt numbers up to a given one.
func hopColumns(h *hopDocument, attempts int) []column {
	in := "hops." + h.Name + "[" + h.Class + "]."
	var out []column
	whole := func(name string, n int64) { out = append(out, column{in + name, fmt.Sprint(n)}) }
	byNumber := func(name string, counts []int64) {
		for i := range attempts {
			n := int64(0)
			if i < len(counts) {
				n = counts[i]
			}
			whole(fmt.Sprintf("%s.%d", name, i+1), n)
		}
	}
	rejected := int64(0)
	for _, n := range h.Rejected {
		rejected += n
	}
	whole("requests", h.Requests)
	whole("attempts", h.Attempts)
	byNumber("by_attempt", h.ByAttempt)
	whole("successes", h.Successes)
	byNumber("successes_by_attempt", h.SuccessBy)
	whole("at_limit", h.AtLimit)
	whole("timeouts", h.Timeouts)
	whole("rejected", rejected)
	for reason := range chain.NumReasons {
		name := reason.String()
		if reason < chain.QueueFull {
			whole("rejected."+name, h.Rejected[name])
		} else {
			whole("refused."+name, h.Refused[name])
		}
	}
	whole("in_flight", h.InFlight)
	whole("asleep", h.Asleep)
	whole("queued", h.Queued)
	whole("pool_queue", h.PoolQueue)
	whole("wasted", h.Wasted)
	whole("duplicates", h.Duplicates)
	return append(out, column{in + "breaker", h.Breaker}, column{in + "budget", text(&h.Budget)},
		column{in + "amplification", text(h.Amplification)}, column{in + "pool_wait", text(h.PoolWait)}, column{in + "pool_wait_p99", text(h.PoolWaitP99)},
		column{in + "latency_p50", text(h.LatencyP50)}, column{in + "latency_p99", text(h.LatencyP99)})
}

// text is a number with all its digits; nothing where there is none.
func text(v *float64) string {
	if v == nil {
		return ""
	}
	b, err := json.Marshal(*v)
	if err != nil {
		return ""
	}
	return string(b)
}

package chain

import (
	"math"
	"slices"

	"stormtop/simfeed/chain/hist"
)

// sums are the counts of a run that its summary is made of.
type sums struct {
	ingress, delivered                     int64
	attempts, retries, answered, rescued   int64
	atLimit, wasted, completed, duplicates int64
	lastWasted, lastCompleted              int64 // of them, at the watched service
	rejected                               [NumReasons]int64
	baseline                               float64
	ratios                                 int // windows with requests, of which the ratio's peak is
	ratioPeak, attemptsPeak                float64
	pendingPeak, queuePeak, secondsAbove   float64
}

// figures sums up a run for its watched class and service. The names are
// stable: they are used by machine formats. A signal is defined as on the
// screen: on a path of several hops retry_rate is what came beyond the requests
// of the users, for at the last hop the retries of the callers above arrive as
// first attempts; retry_rate_last_hop is the share with an attempt number above
// 1 there. wasted_share_last_hop is what the Chain calls wasted work, that of the
// class at its last service; wasted_share is that of the whole system.
func (r *Result) figures(e *Engine, baseline float64) []Figure {
	class, service := r.Scenario.Watched()
	t := sums{baseline: baseline}
	requests := make([]int64, len(e.classes))
	for i := range r.Windows {
		t.add(&r.Windows[i], class, service)
		for k := range r.Windows[i].Classes {
			requests[k] += r.Windows[i].Classes[k].Requests
		}
	}
	var out []Figure
	add := func(name, unit string, v float64) {
		out = append(out, Figure{Name: name, Unit: unit, Value: v, Known: true})
	}
	system := func(name, unit string, v float64, known bool) {
		out = append(out, Figure{Name: name, Unit: unit, Value: v, Known: known, System: true})
	}
	quotient := func(name, unit string, a float64, b int64) {
		f := Figure{Name: name, Unit: unit}
		if b > 0 {
			f.Value, f.Known = a/float64(b), true
		}
		out = append(out, f)
	}
	ratio := func(name, unit string, a, b int64) { quotient(name, unit, float64(a), b) }
	seconds := e.Now().Seconds()
	rate := func(name string, n int64) {
		f := Figure{Name: name, Unit: "per_second"}
		if seconds > 0 {
			f.Value, f.Known = float64(n)/seconds, true
		}
		out = append(out, f)
	}
	rate("ingress", t.ingress)
	rate("downstream", t.attempts)
	quotient("amplification", "ratio", float64(t.attempts)/baseline, t.ingress)
	out = append(out, Figure{Name: "amplification_peak", Unit: "ratio", Value: t.ratioPeak, Known: t.ratios > 0})
	add("downstream_peak", "per_second", t.attemptsPeak)
	if r.Scenario.oneHop(class) {
		ratio("retry_rate", "fraction", t.retries, t.attempts)
	} else {
		quotient("retry_rate", "fraction", max(float64(t.attempts)-baseline*float64(t.ingress), 0), t.attempts)
	}
	ratio("retry_rate_last_hop", "fraction", t.retries, t.attempts)
	ratio("rescued_share", "fraction", t.rescued, t.answered)
	ratio("wasted_share_last_hop", "fraction", t.lastWasted, t.lastCompleted)
	rate("at_limit", t.atLimit)
	ratio("delivered", "fraction", t.delivered, t.ingress)
	for i := range e.classes {
		c := &e.classes[i]
		name := e.scenario.Classes[i].Name
		if name == class {
			out = append(out, latency("latency_p50", &c.whole, 0.5), latency("latency_p99", &c.whole, 0.99))
		} else {
			ratio("delivered_"+name, "fraction", c.allDelivered, requests[i])
		}
	}
	add("pending_peak", "count", t.pendingPeak)
	system("queue_depth_peak", "count", t.queuePeak, true)
	system("wasted_share", "fraction", float64(t.wasted)/float64(max(t.completed, 1)), t.completed > 0)
	system("duplicates", "count", float64(t.duplicates), true)
	add("seconds_above_1.5", "seconds", t.secondsAbove)
	for reason, n := range t.rejected {
		system("rejected_"+Reason(reason).String(), "count", float64(n), true)
	}
	recovery := Figure{Name: "recovery", Unit: "seconds"}
	if r.Verdict == Recovered {
		recovery.Value, recovery.Known = (r.Judged.RecoveredAt - r.Judged.To).Seconds(), true
	}
	return append(out, recovery)
}

func latency(name string, h *hist.Hist, q float64) Figure {
	return Figure{Name: name, Unit: "seconds", Value: h.Quantile(q).Seconds(), Known: h.Count() > 0}
}

func (t *sums) add(w *Window, class, service string) {
	s, ok := w.Signals(class, service)
	if !ok {
		return
	}
	t.ingress += s.Ingress
	t.attempts += s.Downstream
	t.retries += s.Retries
	t.answered += s.Answered
	t.rescued += s.Rescued
	t.atLimit += s.AtLimit
	if c := w.Class(class); c != nil {
		t.delivered += c.Delivered
		t.pendingPeak = max(t.pendingPeak, float64(c.Pending))
	}
	if n := w.Node(class, service); n != nil {
		t.lastWasted += n.Wasted
		t.lastCompleted += n.Completed
	}
	for i := range w.Services {
		t.queuePeak = max(t.queuePeak, float64(w.Services[i].Queued))
	}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		t.wasted += n.Wasted
		t.completed += n.Completed
		t.duplicates += n.Duplicates
		for k, count := range n.Rejected {
			t.rejected[k] += count
		}
	}
	for i := range w.Hops {
		for k, count := range w.Hops[i].Rejected {
			t.rejected[k] += count
		}
	}
	t.attemptsPeak = max(t.attemptsPeak, float64(s.Downstream)/w.Seconds())
	ratio := math.Inf(1) // retries burn on after the last request
	switch {
	case s.Ingress > 0:
		ratio = float64(s.Downstream) / float64(s.Ingress) / t.baseline
		t.ratioPeak = max(t.ratioPeak, ratio)
		t.ratios++
	case s.Downstream == 0:
		return
	}
	if ratio > 1.5 {
		t.secondsAbove += w.Seconds()
	}
}

// oneHop reports whether the attempts of a class are retries of one caller
// alone: a path of two services, with one call a request.
func (s *Scenario) oneHop(class string) bool {
	for i := range s.Classes {
		if c := &s.Classes[i]; c.Name == class && len(c.Path) == 2 {
			j := slices.Index(s.edgeNames(), c.Path[0]+">"+c.Path[1])
			return j >= 0 && s.Edges[j].Calls == 1
		}
	}
	return false
}

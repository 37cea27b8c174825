package chain

import "stormtop/simfeed/chain/hist"

// sums are the counts of a run that its summary is made of.
type sums struct {
	ingress, delivered                     int64
	attempts, retries, answered, rescued   int64
	atLimit, wasted, completed, duplicates int64
	rejected                               [NumReasons]int64
	requests                               map[string]int64 // by class
	ratioPeak, attemptsPeak                float64
	pendingPeak, queuePeak, secondsAbove   float64
}

// figures sums up a run for its watched class and service. The names are
// stable: they are used by machine formats.
func (r *Result) figures(e *Engine) []Figure {
	class, service := r.Scenario.Watched()
	t := sums{requests: map[string]int64{}}
	for i := range r.Windows {
		t.add(&r.Windows[i], class, service)
	}
	var out []Figure
	add := func(name, unit string, v float64) { out = append(out, Figure{name, unit, v, true}) }
	ratio := func(name, unit string, a, b int64) {
		f := Figure{Name: name, Unit: unit}
		if b > 0 {
			f.Value, f.Known = float64(a)/float64(b), true
		}
		out = append(out, f)
	}
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
	ratio("amplification", "ratio", t.attempts, t.ingress)
	add("amplification_peak", "ratio", t.ratioPeak)
	add("downstream_peak", "per_second", t.attemptsPeak)
	ratio("retry_rate", "fraction", t.retries, t.attempts)
	ratio("rescued_share", "fraction", t.rescued, t.answered)
	rate("at_limit", t.atLimit)
	ratio("delivered", "fraction", t.delivered, t.ingress)
	for i := range e.classes {
		c := &e.classes[i]
		name := e.scenario.Classes[i].Name
		if name == class {
			out = append(out, latency("latency_p50", &c.whole, 0.5), latency("latency_p99", &c.whole, 0.99))
		} else {
			ratio("delivered_"+name, "fraction", c.allDelivered, t.requests[name])
		}
	}
	add("pending_peak", "count", t.pendingPeak)
	add("queue_depth_peak", "count", t.queuePeak)
	ratio("wasted_share", "fraction", t.wasted, t.completed)
	add("duplicates", "count", float64(t.duplicates))
	add("seconds_above_1.5", "seconds", t.secondsAbove)
	for reason, n := range t.rejected {
		add("rejected_"+Reason(reason).String(), "count", float64(n))
	}
	recovery := Figure{Name: "recovery", Unit: "seconds"}
	if r.Verdict == Recovered {
		recovery.Value, recovery.Known = (r.Judged.RecoveredAt - r.Judged.To).Seconds(), true
	}
	return append(out, recovery)
}

func latency(name string, h *hist.Hist, q float64) Figure {
	return Figure{name, "seconds", h.Quantile(q).Seconds(), h.Count() > 0}
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
	for i := range w.Classes {
		t.requests[w.Classes[i].Class] += w.Classes[i].Requests
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
	if s.Ingress > 0 {
		ratio := float64(s.Downstream) / float64(s.Ingress)
		t.ratioPeak = max(t.ratioPeak, ratio)
		if ratio > 1.5 {
			t.secondsAbove += w.Seconds()
		}
	}
}

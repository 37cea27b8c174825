package simulate

import (
	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/play"
)

// second is a window of a run.
type second struct {
	T float64 `json:"t"` // its end, seconds since the start
	signals
	States   map[string]string        `json:"states"`
	Classes  map[string]classDocument `json:"classes"`
	Hops     []hopDocument            `json:"hops"`
	Services []serviceDocument        `json:"services"`
	Changes  []changeDocument         `json:"changes,omitempty"`
}

// signals are those of a class, or of what is watched. Each is a number or null.
type signals struct {
	Ingress       *float64 `json:"ingress"`
	Downstream    *float64 `json:"downstream"`
	Amplification *float64 `json:"amplification"`
	RetryRate     *float64 `json:"retry_rate"`
	RescuedShare  *float64 `json:"rescued_share"`
	AtLimit       *float64 `json:"at_limit"`
	PoolWait      *float64 `json:"pool_wait"`
	QueueDepth    *float64 `json:"queue_depth"`
	Delivered     *float64 `json:"delivered"`
}

type classDocument struct {
	signals
	Pending    int64    `json:"pending"`
	LatencyP50 *float64 `json:"latency_p50"`
	LatencyP99 *float64 `json:"latency_p99"`
	Waiting    int64    `json:"waiting"`
}

type hopDocument struct {
	Name       string           `json:"name"`
	Class      string           `json:"class"`
	Requests   int64            `json:"requests"`
	Attempts   int64            `json:"attempts"`
	ByAttempt  []int64          `json:"by_attempt"`
	Successes  int64            `json:"successes"`
	SuccessBy  []int64          `json:"successes_by_attempt"`
	AtLimit    int64            `json:"at_limit"`
	Timeouts   int64            `json:"timeouts"`
	Rejected   map[string]int64 `json:"rejected"`
	InFlight   int64            `json:"in_flight"`
	PoolQueue  int64            `json:"pool_queue"`
	Breaker    string           `json:"breaker"`
	Budget     float64          `json:"budget"`
	LatencyP50 *float64         `json:"latency_p50"`
	LatencyP99 *float64         `json:"latency_p99"`
	// What the callee saw of the class, and what else the caller knows.
	Amplification *float64         `json:"amplification"`
	Asleep        int64            `json:"asleep"`
	PoolWait      *float64         `json:"pool_wait"`
	PoolWaitP99   *float64         `json:"pool_wait_p99"`
	Queued        int64            `json:"queued"`
	Refused       map[string]int64 `json:"refused"`
	Wasted        int64            `json:"wasted"`
	Duplicates    int64            `json:"duplicates"`
}

type serviceDocument struct {
	Name       string   `json:"name"`
	Busy       int64    `json:"busy"`
	Queued     int64    `json:"queued"`
	Completed  int64    `json:"completed"`
	Wasted     int64    `json:"wasted"`
	Duplicates int64    `json:"duplicates"`
	Refused    int64    `json:"refused"`
	LatencyP50 *float64 `json:"latency_p50"`
	LatencyP99 *float64 `json:"latency_p99"`

	RefusedBy map[string]int64 `json:"refused_by"`
}

type changeDocument struct {
	At    float64 `json:"at"`
	Field string  `json:"field"`
	From  string  `json:"from"`
	To    string  `json:"to"`
	Note  string  `json:"note"`
	Ended bool    `json:"ended"`
}

// shown are the signals of a second, in the order of the fields.
var shown = []collector.Signal{
	collector.Ingress, collector.Downstream, collector.Amplification, collector.RetryRate, collector.RescuedShare,
	collector.AtLimit, collector.PoolWait, collector.QueueDepth, collector.Delivered,
}

func signalsOf(v *collector.Values) signals {
	at := func(s collector.Signal) *float64 { return number(v[s]) }
	return signals{
		at(collector.Ingress), at(collector.Downstream), at(collector.Amplification), at(collector.RetryRate), at(collector.RescuedShare),
		at(collector.AtLimit), at(collector.PoolWait), at(collector.QueueDepth), at(collector.Delivered),
	}
}

func secondOf(course *play.Course, w *chain.Window) second {
	rows, watched := course.Rows(w)
	out := second{
		T: w.End.Seconds(), signals: signalsOf(&watched.Values), States: map[string]string{}, Classes: map[string]classDocument{},
		Hops: make([]hopDocument, 0, len(w.Hops)), Services: make([]serviceDocument, 0, len(w.Services)),
	}
	for _, s := range shown {
		if state := watched.Values[s].State; state != collector.Ok {
			out.States[s.String()] = state.String()
		}
	}
	for i := range w.Classes {
		c := &w.Classes[i]
		row, _ := course.OfClass(rows, c.Class)
		out.Classes[c.Class] = classDocument{signalsOf(&row.Values), c.Pending, p50(c.Latency), p99(c.Latency), c.Waiting}
	}
	for i := range w.Hops {
		out.Hops = append(out.Hops, hopOf(w, &w.Hops[i]))
	}
	for i := range w.Services {
		out.Services = append(out.Services, serviceOf(w, &w.Services[i]))
	}
	for _, c := range w.Changes {
		out.Changes = append(out.Changes, changeDocument{c.At.Seconds(), c.Field, c.From, c.To, c.Note, c.Ended})
	}
	return out
}

func hopOf(w *chain.Window, h *chain.HopWindow) hopDocument {
	out := hopDocument{
		Name: h.Name(), Class: h.Class, Requests: h.Requests, Attempts: h.Attempts, ByAttempt: counts(h.ByAttempt),
		Successes: h.Successes, SuccessBy: counts(h.SuccessBy), AtLimit: h.AtLimit, Timeouts: h.Timeouts(),
		Rejected: map[string]int64{}, InFlight: h.InFlight, PoolQueue: h.PoolQueue, Breaker: h.Breaker.String(), Budget: h.Budget,
		LatencyP50: p50(h.Latency), LatencyP99: p99(h.Latency),
		Asleep: h.Asleep, PoolWait: orNull(h.PoolWait, h.PoolWait.Mean.Seconds()), PoolWaitP99: p99(h.PoolWait), Refused: map[string]int64{},
	}
	if gain, ok := h.Gain(); ok {
		out.Amplification = &gain
	}
	byReason(out.Rejected, &h.Rejected)
	if n := w.Node(h.Class, h.To); n != nil {
		byReason(out.Refused, &n.Rejected)
		out.Queued, out.Wasted, out.Duplicates = n.Queued, n.Wasted, n.Duplicates
	}
	return out
}

// byReason adds what was refused, under the names of the reasons.
func byReason(to map[string]int64, counts *[chain.NumReasons]int64) {
	for reason, n := range counts {
		if n > 0 {
			to[chain.Reason(reason).String()] += n
		}
	}
}

// counts is by attempt number without the zeros behind the last one, and with
// one entry at least.
func counts(n []int64) []int64 {
	last := 1
	for i := range n {
		if n[i] > 0 {
			last = i + 1
		}
	}
	return append(make([]int64, 0, last), n[:min(last, len(n))]...)
}

func serviceOf(w *chain.Window, v *chain.ServiceWindow) serviceDocument {
	out := serviceDocument{Name: v.Service, Busy: v.Busy, Queued: v.Queued, LatencyP50: p50(v.Latency), LatencyP99: p99(v.Latency), RefusedBy: map[string]int64{}}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		if n.Service != v.Service {
			continue
		}
		out.Completed += n.Completed
		out.Wasted += n.Wasted
		out.Duplicates += n.Duplicates
		byReason(out.RefusedBy, &n.Rejected)
	}
	for _, n := range out.RefusedBy {
		out.Refused += n
	}
	return out
}

func p50(q chain.Quantiles) *float64 { return orNull(q, q.P50.Seconds()) }
func p99(q chain.Quantiles) *float64 { return orNull(q, q.P99.Seconds()) }

func orNull(q chain.Quantiles, v float64) *float64 {
	if q.Count == 0 {
		return nil
	}
	return &v
}

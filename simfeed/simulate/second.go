package simulate

import (
	"encoding/json"
	"fmt"

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
		out.Classes[c.Class] = classDocument{signalsOf(&row.Values), c.Pending, p50(c.Latency), p99(c.Latency)}
	}
	for i := range w.Hops {
		out.Hops = append(out.Hops, hopOf(&w.Hops[i]))
	}
	for i := range w.Services {
		out.Services = append(out.Services, serviceOf(w, &w.Services[i]))
	}
	for _, c := range w.Changes {
		out.Changes = append(out.Changes, changeDocument{c.At.Seconds(), c.Field, c.From, c.To, c.Note, c.Ended})
	}
	return out
}

func hopOf(h *chain.HopWindow) hopDocument {
	rejected := map[string]int64{}
	for reason, n := range h.Rejected {
		if n > 0 {
			rejected[chain.Reason(reason).String()] = n
		}
	}
	return hopDocument{
		h.Name(), h.Class, h.Requests, h.Attempts, counts(h.ByAttempt), h.Successes, counts(h.SuccessBy), h.AtLimit, h.Timeouts(),
		rejected, h.InFlight, h.PoolQueue, h.Breaker.String(), h.Budget, p50(h.Latency), p99(h.Latency),
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
	out := serviceDocument{Name: v.Service, Busy: v.Busy, Queued: v.Queued, LatencyP50: p50(v.Latency), LatencyP99: p99(v.Latency)}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		if n.Service != v.Service {
			continue
		}
		out.Completed += n.Completed
		out.Wasted += n.Wasted
		out.Duplicates += n.Duplicates
		for _, k := range n.Rejected {
			out.Refused += k
		}
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

// column is a value of a second under a name, for CSV.
type column struct{ name, text string }

// columnsOf is a second as columns with the names of the JSON.
func columnsOf(s *second, classes []string) []column {
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
	}
	for _, h := range s.Hops {
		in := "hops." + h.Name + "[" + h.Class + "]."
		whole(in+"requests", h.Requests)
		whole(in+"attempts", h.Attempts)
		whole(in+"successes", h.Successes)
		whole(in+"at_limit", h.AtLimit)
		whole(in+"timeouts", h.Timeouts)
		refused := int64(0)
		for _, n := range h.Rejected {
			refused += n
		}
		whole(in+"rejected", refused)
		out = append(out, column{in + "latency_p99", text(h.LatencyP99)})
	}
	for _, v := range s.Services {
		in := "services." + v.Name + "."
		whole(in+"busy", v.Busy)
		whole(in+"queued", v.Queued)
		whole(in+"wasted", v.Wasted)
		out = append(out, column{in + "latency_p99", text(v.LatencyP99)})
	}
	return out
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

package chain

import (
	"math"
	"slices"
	"time"

	"stormtop/simfeed/chain/hist"
)

// collect makes the window that ends now, and begins the next.
func (e *Engine) collect(until int64) *Window {
	w := &Window{
		Index: e.window, Start: time.Duration(e.from), End: time.Duration(until),
		Changes: slices.Clone(e.changes[e.fresh:]),
	}
	e.fresh = len(e.changes)
	for i := range e.services {
		e.services[i].latency.Reset()
	}
	for i := range e.nodes {
		n := &e.nodes[i]
		e.services[n.service].latency.Merge(&n.atNode)
		w.Nodes = append(w.Nodes, e.collectNode(n))
		if n.edge >= 0 {
			w.Hops = append(w.Hops, e.collectHop(n))
		}
	}
	for i := range e.classes {
		w.Classes = append(w.Classes, e.collectClass(i, w))
	}
	for i := range e.services {
		w.Services = append(w.Services, e.collectService(i))
	}
	for i := range e.nodes {
		n := &e.nodes[i]
		n.sent, n.served = counts{}, served{}
		n.atNode.Reset()
		n.atHop.Reset()
		if n.poolWait != nil {
			n.poolWait.Reset()
		}
	}
	for i := range e.classes {
		c := &e.classes[i]
		c.whole.Merge(&c.latency)
		c.allDelivered += c.delivered
		c.requests, c.delivered, c.failed = 0, 0, 0
		c.latency.Reset()
	}
	for i := range e.services {
		e.services[i].queueWait.Reset()
	}
	return w
}

func quantiles(h *hist.Hist) Quantiles {
	if h == nil {
		return Quantiles{}
	}
	return Quantiles{Count: h.Count(), Mean: h.Mean(), P50: h.Quantile(0.5), P95: h.Quantile(0.95), P99: h.Quantile(0.99)}
}

func (e *Engine) collectNode(n *node) NodeWindow {
	s := &e.scenario
	return NodeWindow{
		Class: s.Classes[n.class].Name, Service: s.Services[n.service].Name,
		Arrivals: n.served.arrivals, Completed: n.served.completed, Wasted: n.served.wasted,
		Duplicates: n.served.duplicates, Cancelled: n.served.cancelled, Rejected: n.served.rejected,
		Running: n.here.n - n.queued, Queued: n.queued, Latency: quantiles(&n.atNode),
	}
}

func (e *Engine) collectHop(n *node) HopWindow {
	s := &e.scenario
	edge := &s.Edges[n.edge]
	l := &e.lanes[n.lane]
	state, passing := l.breaker.Status(e.now)
	return HopWindow{
		Class: s.Classes[n.class].Name, From: edge.From, To: edge.To,
		Requests: n.sent.requests, Attempts: n.sent.attempts, ByAttempt: trim(n.sent.byAttempt),
		Successes: n.sent.successes, SuccessBy: trim(n.sent.successBy), AtLimit: n.sent.atLimit,
		Outcomes: n.sent.outcomes, Rejected: n.sent.rejected,
		InFlight: n.inFlight, Asleep: n.asleep, PoolQueue: n.pooling,
		PoolWait: quantiles(n.poolWait), Latency: quantiles(&n.atHop),
		Breaker: state, Passing: passing, Budget: l.budget.Level(e.now, l.active+l.waiting.n), Permitted: l.allowed,
	}
}

// trim is the counts up to the last that is not 0, at least the first.
func trim(by [MaxByAttempt]int64) []int64 {
	n := MaxByAttempt
	for n > 1 && by[n-1] == 0 {
		n--
	}
	return slices.Clone(by[:n])
}

func (e *Engine) collectClass(i int, w *Window) ClassWindow {
	c := &e.classes[i]
	out := ClassWindow{
		Class: e.scenario.Classes[i].Name, Requests: c.requests, Delivered: c.delivered, Failed: c.failed,
		Attempts: c.requests, Latency: quantiles(&c.latency), Waiting: c.waiting,
	}
	for k := range c.hops {
		n := &e.nodes[c.first+k]
		out.Pending += n.here.n
		if n.last && n.edge >= 0 {
			out.Attempts = n.sent.attempts
		}
	}
	return out
}

func (e *Engine) collectService(i int) ServiceWindow {
	v := &e.services[i]
	out := ServiceWindow{
		Service: v.config.Name, Slots: e.slots(i), Latency: quantiles(&v.latency), QueueWait: quantiles(&v.queueWait),
		Down: v.config.Down || e.now < v.downUntil, Cold: e.now >= v.downUntil && e.now < v.coldUntil,
	}
	for _, k := range v.pools {
		p := &e.pools[k]
		out.Busy += p.busy.n
		out.Queued += p.queued.n
		out.MeanBusy += p.busy.mean(e.now, e.from)
		out.MeanQueued += p.queued.mean(e.now, e.from)
	}
	return out
}

// slots are the working slots of a service, own pools included.
func (e *Engine) slots(i int) int {
	sum := 0
	for _, k := range e.services[i].pools {
		p := &e.pools[k]
		if !e.used(k) {
			continue
		}
		if p.slots == math.MaxInt64 {
			return Unlimited
		}
		sum += int(p.slots)
	}
	return sum
}

// used reports whether a pool is in use: that of a service always is.
func (e *Engine) used(pool int) bool {
	p := &e.pools[pool]
	if p.class < 0 {
		return true
	}
	own := e.services[p.service].config.own(e.scenario.Classes[p.class].Name)
	return own != nil && own.Workers != 0
}

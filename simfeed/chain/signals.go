package chain

import "time"

// Signals are the figures of a window that the rest of the program knows by
// the names of collector.Signal. Counts are of the window, not a second.
type Signals struct {
	Ingress    int64 // user requests of the class
	Downstream int64 // attempts at the service
	Retries    int64 // of them, with an attempt number above 1
	Successes  int64 // user requests of the class that were delivered
	Answered   int64 // calls that the service answered with success
	Rescued    int64 // of those, with an attempt number above 1
	AtLimit    int64 // calls that used their last permitted attempt
	PoolWait   Quantiles
	QueueDepth int64 // waiting for a slot of the service, at the end
}

// Signals are the figures of a class at a service of its path, seen at the edge
// into it. At the first service, which has none, the requests are the attempts.
// ok is false when the class does not pass the service.
func (w *Window) Signals(class, service string) (s Signals, ok bool) {
	c, node, v := w.Class(class), w.Node(class, service), w.Service(service)
	if c == nil || node == nil || v == nil {
		return Signals{}, false
	}
	s = Signals{
		Ingress: c.Requests, Successes: c.Delivered, Downstream: c.Requests, Answered: c.Delivered,
		QueueDepth: v.Queued,
	}
	for i := range w.Hops {
		if h := &w.Hops[i]; h.Class == class && h.To == service {
			s.Downstream, s.Retries, s.AtLimit = h.Attempts, h.Retries(), h.AtLimit
			s.Answered, s.Rescued, s.PoolWait = h.Successes, h.Rescued(), h.PoolWait
		}
	}
	return s, true
}

// Seconds is the length of the window, to turn counts into rates.
func (w *Window) Seconds() float64 { return float64(w.End-w.Start) / float64(time.Second) }

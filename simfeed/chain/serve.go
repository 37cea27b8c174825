package chain

import (
	"time"

	"stormtop/simfeed/chain/policy"
)

// What a service does with work: let it in, queue it, work on it, answer.

// reach is work that arrived at its service.
func (e *Engine) reach(i int32) {
	w := &e.works.all[i]
	n := &e.nodes[w.node]
	s := &e.services[n.service]
	w.arrived = e.now
	n.here.enter(e.now)
	n.served.arrivals++
	switch {
	case s.config.Down || e.now < s.downUntil:
		e.refuse(i, policy.Connect, ServiceDown)
		return
	case w.deadline <= e.now:
		e.refuse(i, policy.Overload, Expired)
		return
	case s.config.Limit > 0 && !e.usesPlace(w) && !s.lets(e.now):
		e.refuse(i, policy.RateLimited, LimitExceeded)
		return
	}
	w.pool = uint16(n.pool)
	p := &e.pools[n.pool]
	if p.busy.n < p.slots {
		e.start(i)
		return
	}
	if p.queued.n >= p.room {
		e.refuse(i, policy.Overload, QueueFull)
		return
	}
	w.state = workQueued
	n.queued++
	p.queued.enter(e.now)
	w.prev, w.next = p.youngest, none
	if p.youngest != none {
		e.works.all[p.youngest].next = i
	} else {
		p.oldest = i
	}
	p.youngest = i
	if t := s.config.QueueTimeout; t > 0 {
		e.agenda.AddTo(p.patience, e.now+int64(t), uint32(i), w.gen)
	}
}

// lets counts an attempt against the rate limit of the second.
func (s *service) lets(now int64) bool {
	if second := now / int64(time.Second); second != s.second {
		s.second, s.let = second, 0
	}
	if s.let+s.reserved(s.second)+1 > s.config.Limit {
		return false
	}
	s.let++
	return true
}

// unqueue takes work out of its queue.
func (e *Engine) unqueue(w *work) {
	p := &e.pools[w.pool]
	e.nodes[w.node].queued--
	p.queued.leave(e.now, w.arrived)
	if w.prev != none {
		e.works.all[w.prev].next = w.next
	} else {
		p.oldest = w.next
	}
	if w.next != none {
		e.works.all[w.next].prev = w.prev
	} else {
		p.youngest = w.prev
	}
}

// start gives work a slot.
func (e *Engine) start(i int32) {
	w := &e.works.all[i]
	n := &e.nodes[w.node]
	s := &e.services[n.service]
	p := &e.pools[w.pool]
	p.busy.enter(e.now)
	w.started, w.slot, w.state = e.now, true, workRunning

	factor := s.factor
	if from := int64(s.config.ContentionFrom); s.config.Contention > 0 && p.busy.n > from {
		factor *= 1 + float64(s.config.Contention*float64(p.busy.n-from)/float64(from))
	}
	if rate := s.config.HangRate; rate > 0 && n.faults.Float64() < rate {
		e.agenda.Add(e.now+int64(s.config.HangTime), evDone, uint32(i), w.gen)
		return
	}
	t := int64(n.time.Draw(&n.works, factor))
	if n.time.Constant() {
		e.agenda.AddTo(n.done, e.now+t, uint32(i), w.gen)
	} else {
		e.agenda.Add(e.now+t, evDone, uint32(i), w.gen)
	}
}

// done is own work that is done: an answer, or calls to the next service.
func (e *Engine) done(i int32) {
	w := &e.works.all[i]
	n := &e.nodes[w.node]
	if n.errorRate > 0 && n.faults.Float64() < n.errorRate {
		e.finish(i, policy.Error)
		return
	}
	if w.root != none {
		r := &e.roots.all[w.root]
		if r.executed[n.hop]++; r.executed[n.hop] > r.wanted[n.hop] {
			n.served.duplicates++
		}
	}
	if n.last {
		e.finish(i, policy.OK)
		return
	}
	calls := int(n.calls)
	if part := n.calls - float64(calls); part > 0 && n.fanOut.Float64() < part {
		calls++
	}
	if calls == 0 {
		e.finish(i, policy.OK)
		return
	}
	w.state, w.left = workCalling, uint16(calls)
	if e.services[n.service].config.Async {
		e.releaseSlot(w)
	}
	if !n.parallel {
		e.ask(i)
		return
	}
	for gen := w.gen; calls > 0 && e.works.all[i].gen == gen; calls-- {
		e.ask(i)
	}
}

// releaseSlot gives the slot of work to the next in the queue.
func (e *Engine) releaseSlot(w *work) {
	if !w.slot {
		return
	}
	w.slot = false
	pool := int(w.pool)
	e.pools[pool].busy.leave(e.now, w.started)
	e.dequeue(pool)
}

// dequeue starts work while there is a slot for it.
func (e *Engine) dequeue(pool int) {
	p := &e.pools[pool]
	s := &e.services[p.service]
	for p.queued.n > 0 && p.busy.n < p.slots {
		i := p.oldest
		if s.config.Discipline == LIFO {
			i = p.youngest
		}
		w := &e.works.all[i]
		e.unqueue(w)
		if s.config.DropExpired && (w.deadline <= e.now || !e.awaited(w)) {
			e.drop(i)
			continue
		}
		s.queueWait.Add(time.Duration(e.now - w.arrived))
		e.start(i)
	}
}

// drop takes expired work away without an answer: its caller has given up, or
// does so at this very instant.
func (e *Engine) drop(i int32) {
	w := &e.works.all[i]
	n := &e.nodes[w.node]
	n.served.rejected[Expired]++
	n.here.leave(e.now, w.arrived)
	e.freeWork(i)
}

// awaited reports whether somebody still waits for work.
func (e *Engine) awaited(w *work) bool {
	return w.call == none || e.tokens[w.call] == w.token
}

// tired is queued work that waited too long for a slot.
func (e *Engine) tired(i int32) {
	e.unqueue(&e.works.all[i])
	e.refuse(i, policy.Overload, QueueTimeout)
}

// refuse answers work that was not begun.
func (e *Engine) refuse(i int32, o policy.Outcome, why Reason) {
	w := &e.works.all[i]
	n := &e.nodes[w.node]
	n.served.rejected[why]++
	e.leave(i, n, o)
}

// finish answers work that is done, or that failed.
func (e *Engine) finish(i int32, o policy.Outcome) {
	w := &e.works.all[i]
	n := &e.nodes[w.node]
	n.served.completed++
	n.atNode.Add(time.Duration(e.now - w.arrived))
	if !e.awaited(w) {
		n.served.wasted++
	}
	e.releaseSlot(w)
	e.leave(i, n, o)
}

// leave takes work out of its service and sends the answer.
func (e *Engine) leave(i int32, n *node, o policy.Outcome) {
	w := &e.works.all[i]
	n.here.leave(e.now, w.arrived)
	c, token, since := w.call, w.token, w.arrived
	e.freeWork(i)
	if c == none {
		e.answerUser(n.class, int32(token), since, o)
		return
	}
	if e.tokens[c] != token {
		return
	}
	if n.network > 0 {
		e.agenda.AddTo(n.back[o], e.now+n.network, uint32(c), token)
		return
	}
	e.answered(c, o)
}

package chain

// cancel stops work for which nobody waits, if it is still there.
func (e *Engine) cancel(i int32, gen uint32) {
	w := &e.works.all[i]
	if w.gen != gen || w.state == workFree {
		return
	}
	n := &e.nodes[w.node]
	n.served.cancelled++
	e.stop(i, n)
}

// stop takes work away without an answer.
func (e *Engine) stop(i int32, n *node) {
	w := &e.works.all[i]
	switch w.state {
	case workTravelling:
		e.freeWork(i)
		return
	case workQueued:
		e.unqueue(w)
	case workCalling:
		e.abandon(i)
	}
	e.releaseSlot(w)
	n.here.leave(e.now, w.arrived)
	e.freeWork(i)
}

// abandon ends all calls of some work. What they asked for goes on, unless the
// edge cancels it.
func (e *Engine) abandon(i int32) {
	for e.works.all[i].child != none {
		e.abandonOne(i, e.works.all[i].child)
	}
}

func (e *Engine) abandonOne(i, k int32) {
	c := &e.calls.all[k]
	n := &e.nodes[c.node]
	l := &e.lanes[c.lane]
	e.unlink(c, &e.works.all[i])
	e.works.all[i].open--
	switch c.state {
	case callPooling:
		leavePool(e.now, c, n, l)
	case callAsleep:
		n.asleep--
	case callSent:
		l.active--
		n.inFlight--
	}
	sent, work, gen := c.state == callSent, c.work, c.workGen
	e.release(k)
	if c.holds&probesOutside != 0 {
		l.breaker.Forget()
	}
	e.freeCall(k)
	if sent && (l.policy.Cancel || l.policy.Propagate) {
		e.cancel(work, gen)
	}
}

package chain

import (
	"time"

	"stormtop/simfeed/chain/agenda"
	"stormtop/simfeed/chain/policy"
)

// What a caller does: begin a call, send attempts, wait, try again, give up.

// outcomeOf is the outcome that the kind of an answer's event stands for.
func outcomeOf(k agenda.Kind) policy.Outcome { return policy.Outcome(k - evAnswer) }

// ask begins the next call of some work.
func (e *Engine) ask(parent int32) {
	i := e.newCall()
	c := &e.calls.all[i]
	w := &e.works.all[parent]
	w.left--
	w.open++
	to := w.node + 1
	n := &e.nodes[to]
	l := &e.lanes[n.lane]
	*c = call{
		deadline: w.deadline, parent: parent, work: none, root: w.root, original: w.original,
		node: to, lane: uint16(n.lane), next: w.child, prev: none,
	}
	e.tokens[i]++
	if w.child != none {
		e.calls.all[w.child].prev = i
	}
	w.child = i
	if d := l.policy.Deadline; d > 0 {
		c.deadline = min(c.deadline, e.now+int64(d))
	}
	n.sent.requests++
	if l.breaks && l.outside {
		ok, probe := l.breaker.Allow(e.now, &n.admit)
		if !ok {
			n.sent.rejected[BreakerOpen]++
			e.end(i, false)
			return
		}
		if probe {
			c.holds |= probesOutside
		}
	}
	e.try(i)
}

// try makes the next attempt of a call, if it may.
func (e *Engine) try(i int32) {
	c := &e.calls.all[i]
	n := &e.nodes[c.node]
	if c.lane != uint16(n.lane) && c.holds&(holdsRetry|probesOutside) == 0 {
		c.lane = uint16(n.lane) // the policy that is in force now
	}
	l := &e.lanes[c.lane]
	c.attempt++
	if c.deadline <= e.now {
		e.reject(i, n, DeadlinePast)
		return
	}
	if l.breaks && !l.outside {
		ok, probe := l.breaker.Allow(e.now, &n.admit)
		if !ok {
			e.reject(i, n, BreakerOpen)
			return
		}
		if probe {
			c.holds |= probesInside
		}
	}
	if l.admits && !l.throttle.Allow(e.now, &n.admit) {
		e.reject(i, n, Throttled)
		return
	}
	if limit := l.policy.Bulkhead; limit != Unlimited {
		if l.bulkhead >= int64(limit) {
			e.reject(i, n, BulkheadFull)
			return
		}
		l.bulkhead++
		c.holds |= holdsBulkhead
	}
	if c.attempt == 1 {
		n.tally.Original(e.now)
	}
	if size := l.policy.Pool.Size; size != Unlimited {
		if l.inUse.n >= int64(size) || l.waiting.n > 0 {
			e.queueForPool(i, c, n, l)
			return
		}
		c.holds |= holdsConnection
		l.inUse.enter(e.now)
		n.poolWait.Add(0)
	}
	e.send(i)
}

// reject ends a call whose next attempt the caller itself refused.
func (e *Engine) reject(i int32, n *node, why Reason) {
	n.sent.rejected[why]++
	e.release(i)
	e.end(i, false)
}

// send sends the next attempt of a call.
func (e *Engine) send(i int32) {
	j := e.newWork()
	c := &e.calls.all[i]
	n := &e.nodes[c.node]
	l := &e.lanes[c.lane]
	e.tokens[i]++
	token := e.tokens[i]
	c.state, c.since = callSent, e.now
	l.active++
	n.inFlight++
	n.sent.attempts++
	n.sent.byAttempt[min(c.attempt, MaxByAttempt)-1]++
	if l.allowed > 1 && int(c.attempt) == l.allowed {
		n.sent.atLimit++
	}
	until := c.deadline
	if t := l.policy.Timeout; t > 0 {
		until = min(until, e.now+int64(t))
	}
	if until != never {
		e.agenda.AddTo(l.timeouts, until, uint32(i), token)
	}
	w := &e.works.all[j]
	*w = work{
		gen: w.gen + 1, token: token, call: i, root: c.root, next: none, prev: none, child: none,
		node: c.node, deadline: never, original: c.original && c.attempt == 1,
	}
	if l.policy.Propagate {
		w.deadline = until // the parent's is in the call's
	}
	if w.root != none {
		r := &e.roots.all[w.root]
		r.refs++
		if w.original {
			r.wanted[n.hop]++
		}
	}
	c.work, c.workGen = j, w.gen
	if n.network > 0 {
		w.state = workTravelling
		e.agenda.AddTo(n.to, e.now+n.network, uint32(j), w.gen)
		return
	}
	e.reach(j)
}

// answered is the answer to the attempt that is waited for.
func (e *Engine) answered(i int32, o policy.Outcome) {
	c := &e.calls.all[i]
	n := &e.nodes[c.node]
	n.atHop.Add(time.Duration(e.now - c.since))
	e.settle(i, o)
}

// timeout is an attempt whose time is over.
func (e *Engine) timeout(i int32) {
	c := &e.calls.all[i]
	l := &e.lanes[c.lane]
	if l.policy.Cancel || l.policy.Propagate {
		e.cancel(c.work, c.workGen)
	}
	e.settle(i, policy.Timeout)
}

// settle takes note of how an attempt ended.
func (e *Engine) settle(i int32, o policy.Outcome) {
	c := &e.calls.all[i]
	n := &e.nodes[c.node]
	l := &e.lanes[c.lane]
	e.tokens[i]++
	l.active--
	n.inFlight--
	n.sent.outcomes[o]++
	if l.breaks && !l.outside {
		l.breaker.Record(e.now, o != policy.OK, c.holds&probesInside != 0)
		c.holds &^= probesInside
	}
	if l.admits {
		l.throttle.Result(e.now, o)
	}
	e.release(i)
	if o == policy.OK {
		n.sent.successes++
		n.sent.successBy[min(c.attempt, MaxByAttempt)-1]++
		n.tally.Answer(e.now)
		l.budget.Success(c.cost)
		e.end(i, true)
		return
	}
	e.again(i, o)
}

// again decides whether a call that failed is tried again, by the policy that
// is in force now.
func (e *Engine) again(i int32, o policy.Outcome) {
	c := &e.calls.all[i]
	n := &e.nodes[c.node]
	if c.lane != uint16(n.lane) && c.holds&probesOutside == 0 {
		c.lane = uint16(n.lane)
	}
	l := &e.lanes[c.lane]
	p := &l.policy
	if !p.RetryOn.Has(o) || p.SafeOnly && !n.safe {
		n.tally.Answer(e.now)
		e.end(i, false)
		return
	}
	l.budget.Failure()
	if int(c.attempt) >= l.allowed {
		e.end(i, false)
		return
	}
	var wait time.Duration
	if !l.instant {
		wait = p.Backoff.Wait(int(c.attempt), time.Duration(c.memory), &n.jitter)
		c.memory = int64(p.Backoff.Remember(time.Duration(c.memory), wait))
	}
	if o == policy.RateLimited && p.RetryAfter {
		wait = max(wait, e.services[n.service].config.RetryAfter)
	}
	if c.deadline != never && e.now+int64(wait) >= c.deadline {
		n.sent.rejected[DeadlinePast]++
		e.end(i, false)
		return
	}
	if c.granted > 0 {
		c.granted--
		n.tally.Retry(e.now)
	} else {
		cost, ok := l.budget.Retry(e.now, o, l.active+l.waiting.n, &n.tally)
		if !ok {
			n.sent.rejected[BudgetSpent]++
			e.end(i, false)
			return
		}
		c.cost = cost
		c.granted = l.budget.Ahead(l.allowed - int(c.attempt) - 1)
	}
	if l.budget.Holds() {
		c.holds |= holdsRetry
	}
	c.holds &^= holdsPlace
	if wait == 0 {
		e.try(i)
		return
	}
	if e.services[n.service].reserve(e.now, e.now+int64(wait)) {
		c.holds |= holdsPlace
	}
	c.state = callAsleep
	n.asleep++
	e.agenda.AddTo(l.wakes, e.now+int64(wait), uint32(i), e.tokens[i])
}

// wake is a call whose wait before the next attempt is over.
func (e *Engine) wake(i int32) {
	c := &e.calls.all[i]
	e.tokens[i]++
	e.nodes[c.node].asleep--
	e.try(i)
}

// release gives back what a call holds for an attempt.
func (e *Engine) release(i int32) {
	c := &e.calls.all[i]
	if c.holds&(holdsConnection|holdsBulkhead|holdsRetry|probesInside) == 0 {
		return
	}
	l := &e.lanes[c.lane]
	if c.holds&holdsConnection != 0 {
		l.inUse.leave(e.now, c.since)
		e.offer(l, int(c.lane))
	}
	if c.holds&holdsBulkhead != 0 {
		l.bulkhead--
	}
	if c.holds&holdsRetry != 0 {
		l.budget.Release()
	}
	if c.holds&probesInside != 0 {
		l.breaker.Forget()
	}
	c.holds &= probesOutside
}

// end ends a call: its work goes on, or fails.
func (e *Engine) end(i int32, ok bool) {
	c := &e.calls.all[i]
	l := &e.lanes[c.lane]
	if l.breaks && l.outside && c.attempt > 0 {
		l.breaker.Record(e.now, !ok, c.holds&probesOutside != 0)
	} else if c.holds&probesOutside != 0 {
		l.breaker.Forget()
	}
	if c.granted > 0 {
		l.budget.Return(c.granted)
		c.granted = 0
	}
	parent := c.parent
	w := &e.works.all[parent]
	e.unlink(c, w)
	e.freeCall(i)
	w.open--
	switch {
	case !ok:
		e.abandon(parent)
		e.finish(parent, policy.Error)
	case w.open > 0: // calls made at once
	case w.left > 0:
		e.ask(parent)
	default:
		e.finish(parent, policy.OK)
	}
}

// unlink takes a call out of the list of its work.
func (e *Engine) unlink(c *call, w *work) {
	if c.prev != none {
		e.calls.all[c.prev].next = c.next
	} else {
		w.child = c.next
	}
	if c.next != none {
		e.calls.all[c.next].prev = c.prev
	}
}

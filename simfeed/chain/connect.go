package chain

import (
	"time"

	"stormtop/simfeed/chain/policy"
)

// The queue for a pooled connection.

// queueForPool makes a call wait for a connection.
func (e *Engine) queueForPool(i int32, c *call, n *node, l *lane) {
	if most := l.policy.Pool.Waiting; most != Unlimited && l.waiting.n >= int64(most) {
		e.release(i)
		n.sent.rejected[PoolFull]++
		n.sent.outcomes[policy.Overload]++
		e.again(i, policy.Overload)
		return
	}
	c.state, c.since = callPooling, e.now
	c.token++
	l.waiting.enter(e.now)
	n.pooling++
	c.older, c.younger = l.youngest, none
	if l.youngest != none {
		e.calls.all[l.youngest].younger = i
	} else {
		l.oldest = i
	}
	l.youngest = i
	until := c.deadline
	if t := l.policy.Pool.Timeout; t > 0 {
		until = min(until, e.now+int64(t))
	}
	if until != never {
		e.agenda.AddTo(l.patience, until, uint32(i), c.token)
	}
	if l.inUse.n < int64(l.policy.Pool.Size) {
		e.offer(l, int(c.lane))
	}
}

func (e *Engine) leavePoolQueue(c *call, n *node, l *lane) {
	l.waiting.leave(e.now, c.since)
	n.pooling--
	if c.older != none {
		e.calls.all[c.older].younger = c.younger
	} else {
		l.oldest = c.younger
	}
	if c.younger != none {
		e.calls.all[c.younger].older = c.older
	} else {
		l.youngest = c.older
	}
}

// offer makes an event that gives free connections to those that wait. It is
// an event, and not done at once, so that a long queue of attempts that are
// refused at once needs no deep stack.
func (e *Engine) offer(l *lane, index int) {
	if l.waiting.n == 0 || l.granting {
		return
	}
	l.granting = true
	e.agenda.Add(e.now, evGrant, uint32(index), 0)
}

// grant gives a free connection to the first that waits.
func (e *Engine) grant(index int) {
	l := &e.lanes[index]
	l.granting = false
	free := l.policy.Pool.Size == Unlimited || l.inUse.n < int64(l.policy.Pool.Size)
	if l.waiting.n == 0 || !free {
		return
	}
	i := l.oldest
	c := &e.calls.all[i]
	n := &e.nodes[c.node]
	e.leavePoolQueue(c, n, l)
	n.poolWait.Add(time.Duration(e.now - c.since))
	c.since = e.now
	c.holds |= holdsConnection
	l.inUse.enter(e.now)
	e.offer(l, index)
	e.send(i)
}

// noPool is a call that waited too long for a connection.
func (e *Engine) noPool(i int32) {
	c := &e.calls.all[i]
	n := &e.nodes[c.node]
	e.leavePoolQueue(c, n, &e.lanes[c.lane])
	c.token++
	e.release(i)
	if c.deadline <= e.now {
		n.sent.rejected[DeadlinePast]++
		e.end(i, false)
		return
	}
	n.sent.rejected[PoolTimeout]++
	n.sent.outcomes[policy.Overload]++
	e.again(i, policy.Overload)
}

package chain

import (
	"time"

	"stormtop/simfeed/chain/policy"
)

// The queue for a pooled connection.

// line is the calls that wait for a connection, the first come first. Who left
// it early is still in it, under a token that is out of date.
type line struct {
	buf   []waiter // a power of two
	head  uint32
	count uint32
}

type waiter struct {
	call  int32
	token uint32
}

func (q *line) push(w waiter) {
	if int(q.count) == len(q.buf) {
		buf := make([]waiter, max(2*len(q.buf), 16))
		n := copy(buf, q.buf[q.head:])
		copy(buf[n:], q.buf[:q.head])
		q.buf, q.head = buf, 0
	}
	q.buf[(q.head+q.count)&uint32(len(q.buf)-1)] = w
	q.count++
}

// first is the first that still waits, and false when nobody does.
func (q *line) first(tokens []uint32) (int32, bool) {
	for q.count > 0 {
		w := q.buf[q.head]
		if tokens[w.call] == w.token {
			return w.call, true
		}
		q.head = (q.head + 1) & uint32(len(q.buf)-1)
		q.count--
	}
	return none, false
}

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
	e.tokens[i]++
	l.waiting.enter(e.now)
	n.pooling++
	l.line.first(e.tokens) // clears away who left
	l.line.push(waiter{i, e.tokens[i]})
	until := c.deadline
	if t := l.policy.Pool.Timeout; t > 0 {
		until = min(until, e.now+int64(t))
	}
	if until != never {
		e.agenda.AddTo(l.patience, until, uint32(i), e.tokens[i])
	}
	if l.inUse.n < int64(l.policy.Pool.Size) {
		e.offer(l, int(c.lane))
	}
}

// leavePool takes a call out of the line, where its token must change now.
func leavePool(now int64, c *call, n *node, l *lane) {
	l.waiting.leave(now, c.since)
	n.pooling--
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
	i, ok := l.line.first(e.tokens)
	if !ok {
		return
	}
	c := &e.calls.all[i]
	n := &e.nodes[c.node]
	leavePool(e.now, c, n, l)
	e.tokens[i]++
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
	leavePool(e.now, c, n, &e.lanes[c.lane])
	e.tokens[i]++
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

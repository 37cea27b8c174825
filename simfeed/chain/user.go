package chain

import (
	"time"

	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/hist"
	"stormtop/simfeed/chain/policy"
)

// class is the users of a class.
type class struct {
	first   int // its first node; the others follow in the order of the path
	hops    int
	effects bool // executing it twice does harm, and is counted

	course course
	even   bool
	draws  draw.Stream
	left   float64 // area until the next arrival
	since  int64   // from here on
	gen    uint32  // of the event of the next arrival

	clients int // of a closed loop, that ask
	asking  []bool
	think   draw.Sampler
	thinks  draw.Stream

	requests, delivered, failed int64 // in the window
	waiting                     int64 // now
	latency                     hist.Hist

	allDelivered int64     // of the whole run
	whole        hist.Hist // latency of the whole run
}

// follow makes the arrivals of an open loop follow a rate from now on. What was
// already on its way to the next arrival is kept, so that a change of the rate
// draws nothing anew.
func (e *Engine) follow(i int, to course, even bool) {
	c := &e.classes[i]
	if c.gen == 0 {
		c.left = c.step(even)
	} else {
		c.left = max(c.left-c.course.area(c.since, e.now), 0)
	}
	c.course, c.even, c.since = to, even, e.now
	e.expect(i)
}

func (c *class) step(even bool) float64 {
	if even {
		return 1
	}
	return c.draws.Exp()
}

// expect makes the event of the next arrival.
func (e *Engine) expect(i int) {
	c := &e.classes[i]
	c.gen++
	if at := c.course.after(c.since, c.left); at < e.horizon {
		e.agenda.Add(at, evArrival, uint32(i), c.gen)
	}
}

// arrival is a user request of an open loop.
func (e *Engine) arrival(i int, gen uint32) bool {
	c := &e.classes[i]
	if c.gen != gen {
		return false
	}
	c.since, c.left = e.now, c.step(c.even)
	e.expect(i)
	e.request(i, 0)
	return true
}

// request begins a user request at the first service of its path.
func (e *Engine) request(i int, client uint32) {
	c := &e.classes[i]
	c.requests++
	c.waiting++
	r := none
	if c.effects {
		r = e.newRoot()
		e.roots.all[r].wanted[0] = 1
	}
	j := e.newWork()
	w := &e.works.all[j]
	*w = work{
		gen: w.gen + 1, token: client, call: none, root: r, next: none, prev: none, child: none,
		node: uint16(c.first), deadline: never, original: true,
	}
	e.reach(j)
}

// answerUser is the answer to a user request.
func (e *Engine) answerUser(i int, client int32, since int64, o policy.Outcome) {
	c := &e.classes[i]
	c.waiting--
	c.latency.Add(time.Duration(e.now - since))
	if o == policy.OK {
		c.delivered++
	} else {
		c.failed++
	}
	if int(client) < len(c.asking) && c.asking[client] {
		e.thinks(i, client)
	}
}

// thinks makes a client of a closed loop think before its next request.
func (e *Engine) thinks(i int, client int32) {
	c := &e.classes[i]
	e.agenda.Add(e.now+int64(c.think.Draw(&c.thinks, 1)), evThought, uint32(client), uint32(i))
}

// thought is a client that asks again, unless there are fewer clients now.
func (e *Engine) thought(i int, client int32) bool {
	c := &e.classes[i]
	if int(client) >= c.clients {
		c.asking[client] = false
		return false
	}
	e.request(i, uint32(client))
	return true
}

// setClients makes so many clients ask.
func (e *Engine) setClients(i, clients int) {
	c := &e.classes[i]
	c.clients = clients
	for len(c.asking) < clients {
		c.asking = append(c.asking, false)
	}
	for k := range clients {
		if !c.asking[k] {
			c.asking[k] = true
			e.thinks(i, int32(k))
		}
	}
}

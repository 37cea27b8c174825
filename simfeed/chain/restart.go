package chain

import "stormtop/simfeed/chain/policy"

// restart resets a service: its work in progress is answered with a connect
// error at once, what it has asked for goes on, connections are refused while
// it is down, and then it is cold for a while.
func (e *Engine) restart(i int) {
	v := &e.services[i]
	r := v.config.Restart
	v.downUntil = e.now + int64(r.Down)
	v.coldUntil = v.downUntil + int64(r.Cold)
	v.restarts++
	e.compileService(i)

	// First all queues are emptied, so that no slot is given to what is reset.
	type lost struct {
		index int32
		gen   uint32
	}
	var reset []lost
	for k := range e.works.all {
		w := &e.works.all[k]
		if w.state == workFree || w.state == workTravelling || e.nodes[w.node].service != i {
			continue
		}
		if w.state == workQueued {
			e.unqueue(w)
			w.state = workRunning
		}
		reset = append(reset, lost{int32(k), w.gen})
	}
	for _, l := range reset {
		w := &e.works.all[l.index]
		if w.gen != l.gen {
			continue
		}
		n := &e.nodes[w.node]
		n.served.rejected[ServiceDown]++
		e.orphan(l.index)
		w = &e.works.all[l.index]
		e.releaseSlot(w)
		e.leave(l.index, n, policy.Connect)
	}
	e.agenda.Add(v.downUntil, evService, uint32(i), v.restarts)
	e.agenda.Add(v.coldUntil, evService, uint32(i), v.restarts)
}

// orphan ends all calls of some work, and lets what they asked for go on.
func (e *Engine) orphan(i int32) {
	for e.works.all[i].child != none {
		k := e.works.all[i].child
		e.calls.all[k].workGen-- // nothing that abandon could cancel
		e.abandonOne(i, k)
	}
}

// serviceBack is a service that is up again, or warm.
func (e *Engine) serviceBack(i int, restart uint32) bool {
	if e.services[i].restarts != restart {
		return false
	}
	e.compileService(i)
	for _, p := range e.services[i].pools {
		e.dequeue(p)
	}
	return true
}

package chain

// Balance is both sides of Little's law at one place over the whole run:
// Length, the mean number of things there over time, is Rate x Time, the rate
// at which they came and the mean time they spent there. The sides are counted
// apart, so that a difference is a mistake of the engine.
type Balance struct {
	Place  string // "order, queue"
	Things int64  // that came
	Length float64
	Rate   float64 // a second
	Time   float64 // mean, in seconds; of what is still there its time so far
}

// Product is Rate x Time.
func (b Balance) Product() float64 { return b.Rate * b.Time }

// Balances are the balances of every node, queue, pool of slots and pool of
// connections. It looks at everything that is in the system, so it is for tests
// and for the end of a run.
func (e *Engine) Balances() []Balance {
	here, busy, queued := make([]float64, len(e.nodes)), make([]float64, len(e.pools)), make([]float64, len(e.pools))
	for i := range e.works.all {
		w := &e.works.all[i]
		if w.state == workFree || w.state == workTravelling {
			continue
		}
		here[w.node] += float64(e.now - w.arrived)
		if w.slot {
			busy[w.pool] += float64(e.now - w.started)
		}
		if w.state == workQueued {
			queued[w.pool] += float64(e.now - w.arrived)
		}
	}
	inUse, waiting := make([]float64, len(e.lanes)), make([]float64, len(e.lanes))
	for i := range e.calls.all {
		switch c := &e.calls.all[i]; {
		case c.state == callPooling:
			waiting[c.lane] += float64(e.now - c.since)
		case c.state == callSent && c.holds&holdsConnection != 0:
			inUse[c.lane] += float64(e.now - c.since)
		}
	}
	var out []Balance
	s := &e.scenario
	for i := range e.nodes {
		n := &e.nodes[i]
		out = append(out, e.balance(s.Classes[n.class].Name+" at "+s.Services[n.service].Name, &n.here, here[i]))
	}
	for i := range e.pools {
		p := &e.pools[i]
		name := s.Services[p.service].Name
		if p.class >= 0 {
			name += " own pool of " + s.Classes[p.class].Name
		}
		out = append(out, e.balance(name+", slots", &p.busy, busy[i]), e.balance(name+", queue", &p.queued, queued[i]))
	}
	for i := range e.lanes {
		l := &e.lanes[i]
		name := s.Edges[l.edge].Name()
		if l.class >= 0 {
			name += "[" + s.Classes[l.class].Name + "]"
		}
		out = append(out, e.balance(name+", connections", &l.inUse, inUse[i]), e.balance(name+", waiting for one", &l.waiting, waiting[i]))
	}
	return out
}

func (e *Engine) balance(name string, p *place, ages float64) Balance {
	b := Balance{Place: name, Things: p.entered}
	if e.now == 0 || p.entered == 0 {
		return b
	}
	b.Length = (p.area + float64(p.n*(e.now-p.last))) / float64(e.now)
	b.Rate = float64(p.entered) / (float64(e.now) / 1e9)
	b.Time = (p.sojourn + ages) / float64(p.entered) / 1e9
	return b
}

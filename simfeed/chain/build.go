package chain

import (
	"math"
	"slices"

	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/hist"
	"stormtop/simfeed/chain/policy"
)

// build makes the parts of the engine, of which only the settings change
// later: a node for each class and service, a pool for each service and each
// class in it, a lane for each edge and each class on it.
func (e *Engine) build() {
	s := &e.scenario
	for i := range s.Services {
		v := service{config: &s.Services[i], second: -1}
		for c := -1; c < len(s.Classes); c++ {
			v.pools = append(v.pools, len(e.pools))
			e.pools = append(e.pools, pool{
				service: i, class: c, oldest: none, youngest: none, patience: e.agenda.NewLane(evTired),
			})
		}
		e.services = append(e.services, v)
	}
	for i := range s.Edges {
		for c := -1; c < len(s.Classes); c++ {
			e.lanes = append(e.lanes, lane{
				edge: i, class: c,
				timeouts: e.agenda.NewTokenLane(evTimeout, &e.tokens), wakes: e.agenda.NewLane(evWake), patience: e.agenda.NewLane(evNoPool),
			})
		}
	}
	for i := range s.Classes {
		e.buildClass(i)
	}
}

func (e *Engine) buildClass(i int) {
	s := &e.scenario
	c := &s.Classes[i]
	e.classes = append(e.classes, class{
		first: len(e.nodes), hops: len(c.Path), effects: !c.Idempotent && !c.Key,
		draws: e.stream(draw.Arrivals, i), thinks: e.stream(draw.Think, i),
	})
	for hop, name := range c.Path {
		at := slices.Index(s.serviceNames(), name)
		// Streams belong to the class and the service, so that another
		// scenario with the same names in another order of the path still
		// compares.
		entity := i*MaxServices + at
		n := node{
			class: i, hop: hop, service: at, last: hop == len(c.Path)-1, edge: -1, safe: c.Idempotent || c.Key,
			works: e.stream(draw.Work, entity), faults: e.stream(draw.Faults, entity), fanOut: e.stream(draw.FanOut, entity),
			jitter: e.stream(draw.Jitter, entity), admit: e.stream(draw.Admit, entity),
			done: e.agenda.NewLane(evDone), to: e.agenda.NewLane(evReached),
		}
		for o := range n.back {
			n.back[o] = e.agenda.NewLane(evAnswer + kind(o))
		}
		if hop > 0 {
			n.edge = slices.Index(s.edgeNames(), c.Path[hop-1]+">"+name)
		}
		e.nodes = append(e.nodes, n)
	}
}

// compile makes all parts follow the scenario as it is now.
func (e *Engine) compile() {
	for i := range e.services {
		e.compileService(i)
	}
	for i := range e.lanes {
		e.compileLane(i)
	}
	for i := range e.nodes {
		e.compileNode(i)
	}
	e.compileBudgets()
	for i := range e.classes {
		c, config := &e.classes[i], &e.scenario.Classes[i]
		c.effects = !config.Idempotent && !config.Key
		c.think = config.Think.Sampler()
		if next := newCourse(config.Rate, config.Factor); c.gen == 0 || config.Even != c.even || !slices.Equal(next, c.course) {
			e.follow(i, next, config.Even)
		}
		e.setClients(i, config.Clients)
	}
	// Whoever waits may find more room.
	for i := range e.pools {
		e.dequeue(i)
	}
	for i := range e.lanes {
		e.offer(&e.lanes[i], i)
	}
}

func limited(n int) int64 {
	if n == Unlimited {
		return math.MaxInt64
	}
	return int64(n)
}

func (e *Engine) compileService(i int) {
	v := &e.services[i]
	v.config = &e.scenario.Services[i]
	v.factor = v.config.TimeFactor
	share := 1.0
	if e.now < v.coldUntil {
		v.factor *= v.config.Restart.ColdFactor
		share = v.config.Restart.ColdWorkers
	}
	left := v.config.Workers
	if left != Unlimited {
		left = max(int(share*float64(left)), 1)
	}
	for _, j := range v.pools[1:] {
		p := &e.pools[j]
		own := v.config.own(e.scenario.Classes[p.class].Name)
		if own == nil || own.Workers == 0 {
			// A pool that is no more serves those that still wait in it.
			p.slots, p.room = 1, 0
			continue
		}
		p.slots, p.room = limited(own.Workers), min(limited(own.Queue), MaxQueue)
		if left != Unlimited {
			p.slots = min(p.slots, int64(max(left-1, 1)))
			left = max(left-int(p.slots), 1)
		}
	}
	p := &e.pools[v.pools[0]]
	p.slots, p.room = limited(left), min(limited(v.config.Queue), MaxQueue)
}

// own is the pool of a class, or nil.
func (v *Service) own(class string) *ClassPool {
	for i := range v.Own {
		if v.Own[i].Class == class {
			return &v.Own[i]
		}
	}
	return nil
}

func (e *Engine) compileLane(i int) {
	l := &e.lanes[i]
	edge := &e.scenario.Edges[l.edge]
	l.policy = edge.Policy
	if l.class >= 0 {
		l.policy = *edge.PolicyOf(e.scenario.Classes[l.class].Name)
	}
	p := &l.policy
	l.allowed, l.instant = p.Permitted(), p.Backoff.Instant()
	l.breaker.Use(e.now, p.Breaker)
	acts, inside := l.breaker.Acts()
	l.breaks, l.outside = acts, acts && !inside
	l.throttle.Use(e.now, p.Throttle)
	l.admits = p.Throttle.On
}

func (e *Engine) compileNode(i int) {
	n := &e.nodes[i]
	s := &e.scenario
	name := s.Classes[n.class].Name
	v := &s.Services[n.service]
	dist, rate := v.Time, v.ErrorRate
	for j := range v.Classes {
		if v.Classes[j].Class == name {
			dist, rate = v.Classes[j].Time, v.Classes[j].ErrorRate
		}
	}
	n.time, n.errorRate, n.network = dist.Sampler(), rate, int64(v.Network)
	n.safe = s.Classes[n.class].Idempotent || s.Classes[n.class].Key
	n.pool = e.services[n.service].pools[0]
	if own := v.own(name); own != nil && own.Workers != 0 {
		n.pool = e.services[n.service].pools[1+n.class]
	}
	if n.edge >= 0 {
		edge := &s.Edges[n.edge]
		n.lane = n.edge * (1 + len(s.Classes))
		for j := range edge.Classes {
			if edge.Classes[j].Class == name {
				n.lane += 1 + n.class
			}
		}
		if e.lanes[n.lane].policy.Pool.Size != Unlimited && n.poolWait == nil {
			n.poolWait = &hist.Hist{}
		}
	}
	if !n.last {
		next := &s.Edges[e.nodes[i+1].edge]
		n.calls, n.parallel = next.Calls, next.Parallel
	}
}

// compileBudgets tells each budget which classes share it.
func (e *Engine) compileBudgets() {
	for i := range e.lanes {
		l := &e.lanes[i]
		var shared []*policy.Tally
		for j := range e.nodes {
			if n := &e.nodes[j]; n.edge >= 0 && n.lane == i {
				shared = append(shared, &n.tally)
			}
		}
		l.budget.Use(e.now, l.policy.Budget, shared)
	}
}

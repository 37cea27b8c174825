package chain

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// consistent counts everything that is in the system once more, record by
// record, and compares with what the engine keeps.
func consistent(t interface{ Fatalf(string, ...any) }, e *Engine) {
	type sums struct{ here, queued, inFlight, asleep, pooling int64 }
	nodes := make([]sums, len(e.nodes))
	busy, queued := make([]int64, len(e.pools)), make([]int64, len(e.pools))
	refs := make([]int32, len(e.roots.all))
	live := 0
	for i := range e.works.all {
		w := &e.works.all[i]
		if w.state == workFree {
			continue
		}
		live++
		if w.root != none {
			refs[w.root]++
		}
		if w.slot {
			busy[w.pool]++
		}
		if w.state == workTravelling {
			continue
		}
		nodes[w.node].here++
		if w.state == workQueued {
			queued[w.pool]++
			nodes[w.node].queued++
		}
		if calls := children(e, int32(i)); calls != int(w.open) || (calls > 0) != (w.state == workCalling) {
			t.Fatalf("work %d in state %d has %d calls, and says %d", i, w.state, calls, w.open)
		}
	}
	if live != e.works.live {
		t.Fatalf("%d works, and the slab says %d", live, e.works.live)
	}
	type held struct{ active, bulkhead, inUse, waiting, retries int64 }
	lanes := make([]held, len(e.lanes))
	live = 0
	for i := range e.calls.all {
		c := &e.calls.all[i]
		if c.state == callFree {
			continue
		}
		live++
		l, n := &lanes[c.lane], &nodes[c.node]
		switch c.state {
		case callSent:
			l.active++
			n.inFlight++
		case callAsleep:
			n.asleep++
		case callPooling:
			n.pooling++
			l.waiting++
		}
		if c.holds&holdsBulkhead != 0 {
			l.bulkhead++
		}
		if c.holds&holdsConnection != 0 {
			l.inUse++
		}
		if c.holds&holdsRetry != 0 {
			l.retries++
		}
	}
	if live != e.calls.live {
		t.Fatalf("%d calls, and the slab says %d", live, e.calls.live)
	}
	for i := range e.nodes {
		n := &e.nodes[i]
		if got := (sums{n.here.n, n.queued, n.inFlight, n.asleep, n.pooling}); got != nodes[i] {
			t.Fatalf("node %d keeps %+v, and has %+v", i, got, nodes[i])
		}
	}
	for i := range e.pools {
		p := &e.pools[i]
		if p.busy.n != busy[i] || p.queued.n != queued[i] {
			t.Fatalf("pool %d keeps %d busy and %d queued, and has %d and %d", i, p.busy.n, p.queued.n, busy[i], queued[i])
		}
		if p.queued.n > 0 && p.busy.n < p.slots {
			t.Fatalf("pool %d has %d of %d slots in use, and %d wait", i, p.busy.n, p.slots, p.queued.n)
		}
	}
	for i := range e.lanes {
		l := &e.lanes[i]
		got := held{active: l.active, bulkhead: l.bulkhead, inUse: l.inUse.n, waiting: l.waiting.n, retries: l.budget.Outstanding()}
		if got != lanes[i] {
			t.Fatalf("lane %d keeps %+v, and has %+v", i, got, lanes[i])
		}
	}
	for i := range e.roots.all {
		if r := &e.roots.all[i]; r.refs != refs[i] {
			t.Fatalf("user request %d keeps %d works, and has %d", i, r.refs, refs[i])
		}
	}
}

func children(e *Engine, i int32) int {
	n := 0
	for k := e.works.all[i].child; k != none; k = e.calls.all[k].next {
		if e.calls.all[k].parent != i {
			return -1
		}
		n++
	}
	return n
}

// TestTheBooksBalanceWhateverHappens draws systems and throws changes at them:
// nothing is lost or held for ever, Little's law holds, and users get one
// answer each.
func TestTheBooksBalanceWhateverHappens(t *testing.T) {
	values := map[string][]string{
		"services.l1.workers": {"1", "3", "unlimited"}, "services.l2.workers": {"2", "5", "unlimited"}, "services.l3.workers": {"1", "4", "unlimited"},
		"services.l2.queue": {"0", "3", "unlimited"}, "services.l2.queue_timeout": {"0s", "20ms"}, "services.l2.discipline": {"fifo", "lifo"},
		"services.*.drop_expired": {"on", "off"}, "services.*.network": {"0s", "2ms"}, "services.l1.async": {"on", "off"},
		"services.l3.time": {"5ms", "exponential 20ms", "lognormal p50=5ms p99=90ms", "0s"}, "services.l3.error_rate": {"0", "30%"},
		"services.l3.down": {"on", "off"}, "services.l3.limit": {"0/s", "30/s"}, "services.l2[users].workers": {"0", "2"}, "services.l2[side].workers": {"0", "1"},
		"services.l1.restart": {"now"}, "services.l2.restart": {"now"}, "services.l3.restart": {"now"},
		"edges.*.attempts": {"1", "2", "4"}, "edges.*.timeout": {"0s", "10ms", "50ms"}, "edges.l0>l1.deadline": {"0s", "60ms"},
		"edges.*.propagate": {"on", "off"}, "edges.*.cancel": {"on", "off"}, "edges.*.parallel": {"on", "off"}, "edges.l1>l2.calls": {"0", "1", "2.5", "3"},
		"edges.*.backoff.kind": {"none", "fixed", "exponential"}, "edges.*.backoff.base": {"5ms", "30ms"}, "edges.*.backoff.jitter": {"none", "full", "decorrelated"},
		"edges.*.budget.kind": {"none", "attempts", "envoy", "aws", "grpc", "rate", "linkerd"}, "edges.*.bulkhead": {"unlimited", "3", "10"},
		"edges.*.pool.size": {"unlimited", "1", "5"}, "edges.*.pool.waiting": {"unlimited", "0", "4"}, "edges.*.pool.timeout": {"0s", "15ms"},
		"edges.*.breaker.on": {"on", "off"}, "edges.*.breaker.inside": {"on", "off"}, "edges.*.breaker.cooldown": {"100ms"}, "edges.*.breaker.force": {"none", "half_open", "open", "share"},
		"edges.*.throttle.on": {"on", "off"}, "edges.l2>l3[users].attempts": {"2", "3"}, "edges.l0>l1[users].pool.size": {"2", "unlimited"},
		"classes.users.rate": {"50/s", "300/s", "0/s"}, "classes.side.clients": {"0", "5", "30"}, "classes.users.idempotent": {"on", "off"},
	}
	paths := make([]string, 0, len(values))
	for path := range values {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	rapid.Check(t, func(t *rapid.T) {
		s := layers(3, 2, 0)
		s.Length, s.Every = 3*time.Second, 250*time.Millisecond
		side := NewClass("side", "l0", "l2", "l3")
		side.Clients = 10
		s.Classes = append(s.Classes, side)
		s.Edges = append(s.Edges, NewEdge("l0", "l2"))
		for _, f := range [][2]string{{"classes.side.think", "exponential 50ms"}, {"services.*.restart.down", "50ms"}, {"services.*.restart.cold", "50ms"}, {"edges.*.backoff.base", "5ms"}} {
			if err := s.Set(f[0], f[1]); err != nil {
				t.Fatal(err)
			}
		}
		e, err := New(s, rapid.Int64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		requests, answers := int64(0), int64(0)
		for {
			for range rapid.IntRange(0, 6).Draw(t, "changes") {
				path := rapid.SampledFrom(paths).Draw(t, "path")
				c := Change{Field: path, Value: rapid.SampledFrom(values[path]).Draw(t, "value")}
				if rapid.Bool().Draw(t, "ends") {
					c.For = time.Duration(rapid.IntRange(1, 500).Draw(t, "for")) * time.Millisecond
				}
				if err := e.Apply(c); err != nil {
					t.Logf("%s = %s is refused: %v", c.Field, c.Value, err)
				}
			}
			w, err := e.Next(t.Context())
			if err != nil {
				break
			}
			consistent(t, e)
			for i := range w.Classes {
				requests += w.Classes[i].Requests
				answers += w.Classes[i].Delivered + w.Classes[i].Failed
			}
			if waiting := e.classes[0].waiting + e.classes[1].waiting; requests != answers+waiting {
				t.Fatalf("%d requests, %d answers, %d waiting", requests, answers, waiting)
			}
		}
		for _, b := range e.Balances() {
			if d := b.Length - b.Product(); d > 0.01*b.Length+1e-9 || -d > 0.01*b.Length+1e-9 {
				t.Fatalf("%+v is not balanced: %v", b, b.Product())
			}
		}
	})
}
